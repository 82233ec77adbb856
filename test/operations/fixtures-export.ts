import t from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import {
  applyFixtureFile,
  buildFixtureFile,
  createEmptyService,
  exportFixtureFile,
} from '../../fixtures/world/fixture-files.ts'
import { runOperation } from '../../src/operations/operations.ts'

const image = {
  content_type: 'image/svg+xml',
  base64: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'),
}

/** Builds a set-up with everything that an export must contain. */
function buildRichSetUp(): unknown {
  const [organization] = buildFixtureFile().organizations
  const [investor] = organization?.investors ?? []
  return {
    organizations: [
      {
        ...organization,
        investor_mail: false,
        self_service: true,
        clients: [
          { name: 'full', client_secret: 'fixed-secret' },
          { name: 'reader', scopes: ['cooperatives:read'], kind: 'internal', disabled: true },
        ],
        investors: [
          {
            ...investor,
            share_purchases: [
              { cooperative: 'sun', share_count: 5, status: 'settled' },
              { cooperative: 'sun', share_count: 1, status: 'rejected', reason: 'Zu wenig.' },
              { cooperative: 'sun', share_count: 2, status: 'cancelled' },
              { cooperative: 'closed', share_count: 1, status: 'settled' },
            ],
          },
          { partner_customer_ref: 'customer-2' },
        ],
      },
      {
        name: 'Leerbank',
        disabled: true,
        webhooks: [{ url: 'https://127.0.0.1/paused', paused: true }],
      },
    ],
    cooperatives: [
      {
        ...buildFixtureFile().cooperatives[0],
        minimum_shares: 5,
        hero_image: image,
        projects: [{ name: 'Dach', type: 'rooftop solar', energy_category: 'solar', image }],
      },
      {
        key: 'closed',
        name: 'Zu eG',
        published: false,
        energy_category: 'other',
        share_price: 1,
      },
    ],
  }
}

t.test('an export that is applied to an empty store gives the same export again', async (t) => {
  const [one, other] = [await createEmptyService(), await createEmptyService()]
  await applyFixtureFile(one, buildRichSetUp())
  const exported = await exportFixtureFile(one)
  const { created, clients } = await applyFixtureFile(other, exported)
  t.strictSame(created, {
    organizations: 2,
    clients: 2,
    webhooks: 2,
    cooperatives: 2,
    investors: 2,
    share_purchases: 4,
  })
  t.strictSame(await exportFixtureFile(other), exported)
  t.equal(clients.length, 2, 'new secrets are created')
  t.notMatch(JSON.stringify(clients), 'fixed-secret')
})

t.test('an export that is applied to its own store changes nothing', async (t) => {
  const service = await createEmptyService()
  await applyFixtureFile(service, buildRichSetUp())
  const exported = await exportFixtureFile(service)
  const { created, updated, clients, webhooks } = await applyFixtureFile(service, exported)
  t.same(Object.values(created), [0, 0, 0, 0, 0, 0])
  t.same(Object.values(updated), [0, 0, 0, 0, 0, 0])
  t.strictSame([clients, webhooks], [[], []])
})

t.test('an export has ids, published state, reasons and images, and no secret', async (t) => {
  const service = await createEmptyService()
  await applyFixtureFile(service, buildRichSetUp())
  const exported = await exportFixtureFile(service)
  t.match(
    exported,
    exactArrays({
      organizations: [
        {
          organization_id: String,
          investor_mail: false,
          self_service: true,
          clients: [{ client_id: String }, { client_id: String, disabled: true, kind: 'internal' }],
          investors: [
            {
              investor_id: String,
              share_purchases: [{}, { share_purchase_id: String, reason: 'Zu wenig.' }, {}, {}],
            },
            { partner_customer_ref: 'customer-2' },
          ],
        },
        { name: 'Leerbank', disabled: true, webhooks: [{ paused: true }] },
      ],
      cooperatives: [
        { id: String, published: true, hero_image: image, projects: [{ id: String, image }] },
        { id: String, published: false },
      ],
    }),
  )
  t.notMatch(JSON.stringify(exported), /secret|digest|null/)
})

t.test('an exported order may be for a cooperative outside the catalogue', async (t) => {
  const service = await createEmptyService()
  await applyFixtureFile(service, buildRichSetUp())
  t.match(await runOperation(service, 'cooperative.show', { cooperative: 'closed' }), {
    published: false,
  })
  t.match(
    await runOperation(service, 'purchase.list', { status: 'settled' }),
    exactArrays([{ share_count: 5 }, { share_count: 1, total: '1.00' }]),
  )
})
