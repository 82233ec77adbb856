import t from 'tap'
import { applySetUp, buildSetUp, createEmptyService, exportSetUp } from '../../fixtures/set-ups.ts'
import { withLengths } from '../../fixtures/with-lengths.ts'
import { runOperation } from '../../src/operations/run-operation.ts'

const image = {
  content_type: 'image/svg+xml',
  base64: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'),
}

/** Of everything that an export has to carry over. */
function buildRichSetUp(): unknown {
  const [organization] = buildSetUp().organizations
  const [investor] = organization?.investors ?? []
  return {
    organizations: [
      {
        ...organization,
        investor_mail: false,
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
      { name: 'Leerbank' },
    ],
    cooperatives: [
      {
        ...buildSetUp().cooperatives[0],
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

t.test('an export, applied to an empty store, makes a store with the same export', async (t) => {
  const [one, other] = [await createEmptyService(), await createEmptyService()]
  await applySetUp(one, buildRichSetUp())
  const exported = await exportSetUp(one)
  const { created, clients } = await applySetUp(other, exported)
  t.strictSame(created, {
    organizations: 2,
    clients: 2,
    webhooks: 1,
    cooperatives: 2,
    investors: 2,
    share_purchases: 4,
  })
  t.strictSame(await exportSetUp(other), exported)
  t.equal(clients.length, 2, 'secrets are minted anew')
  t.notMatch(JSON.stringify(clients), 'fixed-secret')
})

t.test('an export, applied to its own store, changes nothing', async (t) => {
  const service = await createEmptyService()
  await applySetUp(service, buildRichSetUp())
  const exported = await exportSetUp(service)
  const { created, updated, clients, webhooks } = await applySetUp(service, exported)
  t.same(Object.values(created), [0, 0, 0, 0, 0, 0])
  t.same(Object.values(updated), [0, 0, 0, 0, 0, 0])
  t.strictSame([clients, webhooks], [[], []])
})

t.test('an export has ids, published state, reasons and images, and no secret', async (t) => {
  const service = await createEmptyService()
  await applySetUp(service, buildRichSetUp())
  const exported = await exportSetUp(service)
  t.match(
    exported,
    withLengths({
      organizations: [
        {
          organization_id: String,
          investor_mail: false,
          clients: [{ client_id: String }, { client_id: String, disabled: true, kind: 'internal' }],
          investors: [
            {
              investor_id: String,
              share_purchases: [{}, { share_purchase_id: String, reason: 'Zu wenig.' }, {}, {}],
            },
            { partner_customer_ref: 'customer-2' },
          ],
        },
        { name: 'Leerbank' },
      ],
      cooperatives: [
        { id: String, published: true, hero_image: image, projects: [{ id: String, image }] },
        { id: String, published: false },
      ],
    }),
  )
  t.notMatch(JSON.stringify(exported), /secret|digest|null/)
})

t.test(
  'an order may be for a cooperative that has left the catalogue, which stays out of it',
  async (t) => {
    const service = await createEmptyService()
    await applySetUp(service, buildRichSetUp())
    t.match(await runOperation(service, 'cooperative.show', { cooperative: 'closed' }), {
      published: false,
    })
    t.match(
      await runOperation(service, 'purchase.list', { status: 'settled' }),
      withLengths([{ share_count: 5 }, { share_count: 1, total: '1.00' }]),
    )
  },
)
