import t from 'tap'
import { completeProvision } from '../../fixtures/builders/investors.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { applyFixtureFile, createEmptyService } from '../../fixtures/world/fixture-files.ts'
import { createMarket, get, type Market, placeAccepted } from '../../fixtures/world/market.ts'
import { runOperation } from '../../src/operations/operations.ts'

const [monday, tuesday, friday] = [
  '2019-03-04T09:00:00.000Z',
  '2019-03-05T09:00:00.000Z',
  '2019-03-08T09:00:00.000Z',
]
const given = { given: true, given_at: '2019-03-01T09:00:00Z' }

/** An order with the terms of the time when it was placed. */
const legacy = {
  cooperative: 'solar-allgaeu',
  share_count: 3,
  applicant_type: 'private',
  price_per_share: '100.00',
  entry_fee: '20.00',
  total: '320.00',
  sepa_mandate: {
    signed_at: '2019-03-03T09:00:00Z',
    debtor_iban: 'DE89370400440532013000',
    reference: 'OLD-1',
  },
  statute_consent_given_at: '2019-03-03T09:00:00Z',
  consents: { terms: given, privacy: given },
}
const settled = [
  { status: 'submitted', at: monday },
  { status: 'approved', at: tuesday },
  { status: 'settled', at: friday },
]

function fileOf(...share_purchases: readonly object[]) {
  const { profile } = completeProvision()
  const investor = { partner_customer_ref: 'c-legacy', profile, share_purchases }
  return { organizations: [{ name: 'Demo Bank', investors: [investor] }] }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
function run({ world }: Market, name: string, input: object): Promise<any> {
  return runOperation(world.service, name, input)
}

function apply(market: Market, ...orders: readonly object[]) {
  return run(market, 'fixtures.apply', { ...fileOf(...orders), past: true })
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
function datesIn({ organizations }: any) {
  return organizations.flatMap(({ investors }: { investors: { share_purchases: object[] }[] }) =>
    investors.flatMap(({ share_purchases }) =>
      share_purchases.map((order) => {
        const { created_at, history } = order as Record<string, unknown>
        return { created_at, history }
      }),
    ),
  )
}

const path = 'organizations.0.investors.0.share_purchases'

t.test('a legacy order keeps its dates and sends no events', async (t) => {
  const market = await createMarket()
  const second = { ...legacy, sepa_mandate: { ...legacy.sepa_mandate, reference: 'OLD-2' } }
  const orders = [
    { ...legacy, created_at: monday, history: settled },
    { ...second, history: [{ status: 'submitted', at: friday }] },
  ]
  t.match(await apply(market, ...orders), { created: { share_purchases: 2 } })
  const [first, pending] = await run(market, 'purchase.list', {})
  t.match(
    await run(market, 'purchase.show', { share_purchase_id: first.share_purchase_id }),
    exactArrays({ status: 'settled', created_at: monday, updated_at: friday, history: settled }),
  )
  t.match(pending, { status: 'submitted', created_at: friday, updated_at: friday })
  t.strictSame(await run(market, 'event.list', {}), [])
  const holdings = await get(market, `/v1/investors/${first.investor_id}/holdings`)
  const holding = { shares: 3, pending_shares: 3, first_acquired_at: friday }
  t.match(holdings.body, exactArrays({ items: [holding] }))

  await t.test('the same file changes nothing, and another history is refused', async (t) => {
    t.match(await apply(market, ...orders), { unchanged: { share_purchases: 2 } })
    const other = {
      ...orders[0],
      history: [...settled.slice(0, 2), { ...settled[2], at: tuesday }],
    }
    const refused = await apply(market, other).catch((error) => error)
    t.match(refused.extra.errors, { [`${path}.0.history`]: 'the store has another history' })
  })

  await t.test('a pending legacy order continues with events like any other order', async (t) => {
    const { share_purchase_id } = pending
    await run(market, 'purchase.approve', { share_purchase_id })
    t.match(
      await run(market, 'event.list', {}),
      exactArrays([{ type: 'share_purchase.approved', share_purchase_id }]),
    )
    t.match(await apply(market, ...orders), { unchanged: { share_purchases: 2 } })
  })
})

t.test(
  'an export has the dates of legacy orders, and on request of all orders [D49]',
  async (t) => {
    const market = await createMarket()
    const second = { ...legacy, sepa_mandate: { ...legacy.sepa_mandate, reference: 'OLD-2' } }
    await apply(
      market,
      { ...legacy, history: settled },
      { ...second, history: [{ status: 'submitted', at: friday }] },
    )
    await placeAccepted(market)
    const exported = await run(market, 'fixtures.export', {})
    const old = { created_at: monday, history: settled }
    const waiting = { created_at: friday, history: undefined }
    const undated = { created_at: undefined, history: undefined }
    t.strictSame(datesIn(exported), [undated, old, waiting])
    const whole = await run(market, 'fixtures.export', { past: true })
    t.match(datesIn(whole), exactArrays([{ created_at: /^20/ }, old, waiting]))
    for (const options of [{}, { past: true }]) {
      const file = await run(market, 'fixtures.export', options)
      const other = await createEmptyService()
      await runOperation(other, 'fixtures.apply', { ...file, past: true })
      t.strictSame(await runOperation(other, 'fixtures.export', options), file)
    }
    const refused = await applyFixtureFile(await createEmptyService(), exported).catch(
      (error) => error,
    )
    t.match(refused.extra.errors, { 'organizations.0.investors.1.share_purchases.0': /--past/ })
  },
)

t.test('a legacy order that is approved gets a payment, and a settled one has none', async (t) => {
  const market = await createMarket()
  await run(market, 'cooperative.set_creditor', {
    cooperative: legacy.cooperative,
    name: 'Sonne eG',
    creditor_id: 'DE98ZZZ09999999999',
    iban: 'DE02120300000000202051',
  })
  const second = { ...legacy, sepa_mandate: { ...legacy.sepa_mandate, reference: 'OLD-2' } }
  await apply(market, { ...legacy, history: settled }, { ...second, history: settled.slice(0, 2) })
  const [first, approved] = await run(market, 'purchase.list', {})
  t.strictSame([first.status, first.payment_state], ['settled', null])
  t.strictSame([approved.status, approved.payment_state], ['approved', 'due'])
})

t.test('a rejected legacy order keeps its reason, and adds no shares', async (t) => {
  const market = await createMarket()
  const history = [settled[0], { status: 'rejected', at: tuesday }]
  await apply(market, { ...legacy, history, reason: 'No mandate.' } as object)
  const [order] = await run(market, 'purchase.list', {})
  t.match(order, { status: 'rejected', reason: 'No mandate.', created_at: monday })
  const holdings = await get(market, `/v1/investors/${order.investor_id}/holdings`)
  t.strictSame(holdings.body.items, [])
})

t.test('an impossible legacy order is refused with all its faults', async (t) => {
  const market = await createMarket()
  const [submitted, approved, last] = settled as [object, object, object]
  const rows: readonly [string, object, Record<string, RegExp>][] = [
    ['late start', { history: [approved] }, { 'history.0.status': /must be submitted/ }],
    [
      'impossible step',
      { history: [submitted, last] },
      { 'history.1.status': /must be approved, rejected or cancelled after submitted/ },
    ],
    [
      'after the end',
      {
        history: [
          submitted,
          { status: 'cancelled', at: tuesday },
          { status: 'rejected', at: friday },
        ],
      },
      { 'history.2.status': /nothing follows cancelled/ },
    ],
    [
      'backwards',
      { history: [submitted, { status: 'approved', at: '2019-03-01T09:00:00Z' }] },
      { 'history.1.at': /must not be before the previous time/ },
    ],
    [
      'future',
      { history: [submitted, { status: 'approved', at: '2999-01-01T00:00:00Z' }] },
      { 'history.1.at': /must not be in the future/ },
    ],
    ['another status', { history: settled, status: 'approved' }, { status: /must be settled/ }],
    [
      'created later',
      { history: settled, created_at: tuesday },
      { created_at: /must not be after/ },
    ],
    ['a fate', { history: settled, fate: 'settle' }, { fate: /must be left out/ }],
    ['no terms', { history: settled, total: null }, { total: /must be/ }],
    ['no reason', { history: settled, reason: 'x' }, { '': /must be rejected/ }],
  ]
  for (const [title, change, expected] of rows) {
    const refused = await apply(market, { ...legacy, ...change }).catch((error) => error)
    for (const [field, pattern] of Object.entries(expected)) {
      const place = field === '' ? `${path}.0` : `${path}.0.${field}`
      t.match(refused.extra?.errors?.[place], pattern, `${title}: ${JSON.stringify(refused.extra)}`)
    }
  }
  const older = { ...legacy, history: [{ status: 'submitted', at: monday }] }
  const newer = { ...legacy, history: [{ status: 'submitted', at: friday }] }
  const disordered = await apply(market, newer, older).catch((error) => error)
  t.match(disordered.extra.errors, { [`${path}.1.created_at`]: /list the oldest first/ })
  const without = run(market, 'fixtures.apply', fileOf({ ...legacy, history: settled }))
  const refused = await without.catch((error) => error)
  t.match(refused.extra.errors, { [`${path}.0`]: /--past/ })
  t.strictSame(await run(market, 'purchase.list', {}), [])
})
