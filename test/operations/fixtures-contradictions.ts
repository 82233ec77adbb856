import t from 'tap'
import { completeProvision } from '../../fixtures/builders/investors.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import {
  applyFixtureFile,
  buildFixtureFile,
  createEmptyService,
  exportFixtureFile,
} from '../../fixtures/world/fixture-files.ts'
import type { SharePurchaseStatus } from '../../src/domain/share-purchases/share-purchase.ts'

type Order = Readonly<Record<string, unknown>>

const place = 'organizations.0.investors.0.share_purchases.0'

function withOrder(order: Order) {
  const [organization] = buildFixtureFile().organizations
  const share_purchases = [{ cooperative: 'sun', share_count: 5, ...order }]
  const investors = [{ ...completeProvision(), share_purchases }]
  return { ...buildFixtureFile(), organizations: [{ ...organization, investors }] }
}

const statuses = ['submitted', 'approved', 'settled', 'rejected', 'cancelled'] as const
const later: Readonly<Record<string, readonly SharePurchaseStatus[]>> = {
  submitted: ['approved', 'settled', 'rejected', 'cancelled'],
  approved: ['settled', 'rejected'],
  settled: [],
  rejected: [],
  cancelled: [],
}

t.test(
  'a status that the stored order cannot reach is refused, and the error names both statuses [D48]',
  async (t) => {
    for (const stored of statuses) {
      const service = await createEmptyService()
      await applyFixtureFile(service, withOrder({ status: stored }))
      const before = await exportFixtureFile(service)
      for (const status of statuses) {
        const applied = applyFixtureFile(service, withOrder({ status }))
        if (status === stored || later[status]?.includes(stored)) {
          t.match(await applied, { unchanged: { share_purchases: 1 } }, `${status}, now ${stored}`)
        } else {
          const errors = {
            [`${place}.status`]: `the file says ${status}, the store says ${stored}`,
          }
          const refused = { code: 'VALIDATION_ERROR', extra: { errors } }
          await t.rejects(applied, refused, `${status}, but ${stored}`)
        }
      }
      t.strictSame(await exportFixtureFile(service), before)
    }
  },
)

const terms = {
  applicant_type: 'private',
  price_per_share: '100.00',
  entry_fee: '0.00',
  total: '500.00',
  sepa_mandate: {
    signed_at: '2026-01-01T09:00:00Z',
    debtor_iban: 'DE89370400440532013000',
    reference: 'MANDATE-1',
  },
  consents: {
    terms: { given: true, given_at: '2026-01-01T09:00:00Z' },
    privacy: { given: true, given_at: '2026-01-01T09:00:00Z' },
  },
  statute_consent_given_at: '2026-01-01T09:00:00Z',
}
const otherTime = '2026-01-02T09:00:00Z'
const times = 'the file says 2026-01-02T09:00:00.000Z, the store says 2026-01-01T09:00:00.000Z'

const rows: readonly [title: string, order: Order, errors: Readonly<Record<string, string>>][] = [
  [
    'shares and their cost',
    { share_count: 6, total: '600.00' },
    {
      share_count: 'the file says 6, the store says 5',
      total: 'the file says 600.00, the store says 500.00',
    },
  ],
  [
    'a price and a fee',
    { price_per_share: '99.00', entry_fee: '5.00' },
    {
      price_per_share: 'the file says 99.00, the store says 100.00',
      entry_fee: 'the file says 5.00, the store says 0.00',
    },
  ],
  [
    'who applied',
    { applicant_type: 'company' },
    { applicant_type: 'the file says company, the store says private' },
  ],
  [
    'the reference of the mandate',
    { sepa_mandate: { ...terms.sepa_mandate, reference: 'MANDATE-2' } },
    { 'sepa_mandate.reference': 'the file says MANDATE-2, the store says MANDATE-1' },
  ],
  [
    'when the mandate was signed',
    { sepa_mandate: { ...terms.sepa_mandate, signed_at: otherTime } },
    { 'sepa_mandate.signed_at': times },
  ],
  [
    'an IBAN, which is not repeated',
    { sepa_mandate: { ...terms.sepa_mandate, debtor_iban: 'DE02120300000000202051' } },
    { 'sepa_mandate.debtor_iban': 'the store has another IBAN' },
  ],
  [
    'when the consents were given',
    {
      consents: {
        terms: { given: true, given_at: otherTime },
        privacy: { given: true, given_at: otherTime },
      },
      statute_consent_given_at: otherTime,
    },
    {
      'consents.terms.given_at': times,
      'consents.privacy.given_at': times,
      statute_consent_given_at: times,
    },
  ],
  [
    'why it was rejected',
    { status: 'rejected', reason: 'Zu spät.' },
    { reason: 'the store has another reason' },
  ],
]

t.test('other contradictions of a stored order are also refused [D48]', async (t) => {
  for (const [title, order, faults] of rows) {
    const service = await createEmptyService()
    const { status = 'settled' } = order
    const reason = order['reason'] && 'Zu früh.'
    await applyFixtureFile(service, withOrder({ ...terms, status, reason }))
    const errors = Object.fromEntries(
      Object.entries(faults).map(([field, fault]) => [`${place}.${field}`, fault]),
    )
    const rejection = applyFixtureFile(service, withOrder({ ...terms, status, ...order }))
    const refusal = await rejection.then(
      () => undefined,
      (error) => error.extra.errors,
    )
    t.strictSame(refusal, errors, title)
  }
})

t.test('an order of another cooperative under the same id is refused', async (t) => {
  const service = await createEmptyService()
  const share_purchase_id = 'd0000000-0000-4000-8000-00000000000a'
  await applyFixtureFile(service, withOrder({ share_purchase_id }))
  const wind = { ...buildFixtureFile().cooperatives[0], key: 'wind', name: 'Wind eG' }
  const setUp = { ...withOrder({ share_purchase_id, cooperative: 'wind' }), cooperatives: [wind] }
  await t.rejects(applyFixtureFile(service, setUp), {
    code: 'VALIDATION_ERROR',
    extra: { errors: { [`${place}.cooperative`]: 'the file says wind, the store says sun' } },
  })
})

t.test(
  'all contradictions are reported together, and nothing of the file is stored [D48]',
  async (t) => {
    const service = await createEmptyService()
    const [organization] = buildFixtureFile().organizations
    const investor = (ref: string, status: string) => ({
      ...completeProvision({ partner_customer_ref: ref }),
      share_purchases: [{ cooperative: 'sun', share_count: 5, status }],
    })
    const setUp = (status: string, extra: readonly unknown[] = []) => ({
      ...buildFixtureFile(),
      organizations: [
        { ...organization, investors: [...extra, investor('a', status), investor('b', status)] },
      ],
    })
    await applyFixtureFile(service, setUp('settled'))
    const before = await exportFixtureFile(service)
    await t.rejects(applyFixtureFile(service, setUp('rejected', [investor('c', 'submitted')])), {
      code: 'VALIDATION_ERROR',
      extra: {
        errors: {
          'organizations.0.investors.1.share_purchases.0.status': /rejected.*settled/,
          'organizations.0.investors.2.share_purchases.0.status': /rejected.*settled/,
        },
      },
    })
    t.strictSame(await exportFixtureFile(service), before)
  },
)

t.test('a dry run shows the changes, and stores nothing [D48]', async (t) => {
  const service = await createEmptyService()
  await applyFixtureFile(service, buildFixtureFile())
  const before = await exportFixtureFile(service)
  const [organization] = buildFixtureFile().organizations
  const changed = {
    dry_run: true,
    organizations: [
      {
        ...organization,
        clients: [{ name: 'full', disabled: true }, { name: 'second' }],
        webhooks: [...(organization?.webhooks ?? []), { url: 'https://127.0.0.1/more' }],
        investors: [
          {
            ...completeProvision({ email: 'other@mail.example' }),
            share_purchases: [
              { cooperative: 'sun', share_count: 5 },
              { cooperative: 'sun', share_count: 1 },
            ],
          },
        ],
      },
    ],
    cooperatives: [{ ...buildFixtureFile().cooperatives[0], share_price: '120.00', city: 'Husum' }],
  }
  const answer = await applyFixtureFile(service, changed)
  t.match(
    answer,
    exactArrays({
      created: { clients: 1, webhooks: 1, share_purchases: 1 },
      updated: { clients: 1, investors: 1, cooperatives: 1 },
      unchanged: { organizations: 1, share_purchases: 1 },
      clients: [],
      webhooks: [],
      changes: [
        {
          kind: 'cooperative',
          name: 'sun',
          outcome: 'updated',
          path: 'cooperatives.0',
          fields: [
            { field: 'city', before: null, after: 'Husum' },
            { field: 'share_price', before: '100.00', after: '120.00' },
            { field: 'share_value', before: '100.00', after: '120.00' },
          ],
        },
        {
          kind: 'client',
          outcome: 'updated',
          path: 'organizations.0.clients.0',
          fields: [{ field: 'disabled', before: false, after: true }],
        },
        { kind: 'client', outcome: 'created', path: 'organizations.0.clients.1', fields: [] },
        {
          kind: 'investor',
          outcome: 'updated',
          path: 'organizations.0.investors.0',
          fields: [{ field: 'email', hidden: true }],
        },
        {
          kind: 'share_purchase',
          outcome: 'created',
          path: 'organizations.0.investors.0.share_purchases.1',
          fields: [],
        },
        { kind: 'webhook', name: 'https://127.0.0.1/more', outcome: 'created', fields: [] },
      ],
    }),
  )
  t.notMatch(JSON.stringify(answer), /@mail|secret/)
  t.strictSame(await exportFixtureFile(service), before)
  t.match(await applyFixtureFile(service, { ...changed, dry_run: false }), {
    created: answer.created,
    updated: answer.updated,
    unchanged: answer.unchanged,
  })
})

t.test('a dry run names images that change, but does not show them', async (t) => {
  const service = await createEmptyService()
  const image = (text: string) => ({
    content_type: 'image/svg+xml',
    base64: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`).toString('base64'),
  })
  const [sun] = buildFixtureFile().cooperatives
  const roof = { name: 'Dach', type: 'rooftop solar', energy_category: 'solar' }
  const setUp = (text: string) => ({
    cooperatives: [
      { ...sun, logo_image: image(text), projects: [{ ...roof, image: image(text) }] },
    ],
  })
  await applyFixtureFile(service, setUp('<g/>'))
  const { changes } = await applyFixtureFile(service, { ...setUp('<path/>'), dry_run: true })
  t.match(
    changes,
    exactArrays([
      {
        fields: [
          { field: 'logo_image', hidden: true },
          { field: 'projects.0.image', hidden: true },
        ],
      },
    ]),
  )
})
