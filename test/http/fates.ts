import t from 'tap'
import { buildCooperative, euro, storeCooperatives } from '../../fixtures/builders/cooperatives.ts'
import { completeProfile } from '../../fixtures/builders/investors.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import {
  collectionOf,
  createMarket,
  get,
  type Market,
  place,
  placeAccepted,
  provision,
} from '../../fixtures/world/market.ts'
import { createWebhookMarket, findEvent } from '../../fixtures/world/webhook-market.ts'
import { addSeconds } from '../../src/domain/timestamp.ts'
import { runOperation } from '../../src/operations/operations.ts'
import { nextFateAt, runDueFates } from '../../src/usecases/share-purchases/fates.ts'

const [minute, hour, day] = [60, 3600, 86_400]

/** The test IBANs in docs/partners/test-ibans.md. */
const iban = {
  settle: 'DE50100000000000000001',
  reject: 'DE23100000000000000002',
  return: 'DE93100000000000000003',
  stay: 'DE66100000000000000004',
}

function placeWith(market: Market, debtor_iban: string, more = {}): Promise<string> {
  const sepa_mandate = { signed_at: '2026-01-10T09:30:00+01:00', debtor_iban }
  return placeAccepted(market, { sepa_mandate, ...more })
}

/** Returns the order as operators see it. */
// biome-ignore lint/suspicious/noExplicitAny: the answer is JSON, and the assertions look into it.
function show({ world }: Market, share_purchase_id: string): Promise<any> {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  return runOperation(world.service, 'purchase.show', { share_purchase_id }) as Promise<any>
}

async function statusOf(market: Market, id: string): Promise<string> {
  return (await show(market, id)).status
}

function operate({ world }: Market, name: string, share_purchase_id: string): Promise<unknown> {
  return runOperation(world.service, name, { share_purchase_id })
}

function cancel(market: Market, id: string) {
  const { token } = market.world.partner
  return market.world.request('POST', `${collectionOf(market)}/${id}/cancel`, { token })
}

/** Moves the clock and carries out the work that is now due. */
async function advance({ world }: Market, seconds: number): Promise<void> {
  world.clock.advance(seconds)
  await runDueFates(world.service)
}

/** Moves the clock to each due step, one after the other. */
async function walk(market: Market): Promise<void> {
  const { clock, service } = market.world
  for (;;) {
    const next = await nextFateAt(service)
    if (next === undefined) return
    const ahead = (Date.parse(next) - Date.parse(clock.now())) / 1000
    await advance(market, Math.max(ahead, 0))
  }
}

const courses: readonly [
  title: string,
  iban: string,
  course: readonly [afterSeconds: number, status: string, reason?: string][],
][] = [
  [
    'settles is approved after a minute and settled after an hour',
    iban.settle,
    [
      [minute - 1, 'submitted'],
      [minute, 'approved'],
      [hour - 1, 'approved'],
      [hour, 'settled'],
      [365 * day, 'settled'],
    ],
  ],
  [
    'is refused is rejected with a reason after a minute',
    iban.reject,
    [
      [minute - 1, 'submitted'],
      [minute, 'rejected', 'The account holder does not match the IBAN.'],
    ],
  ],
  [
    'returns debits is approved after a minute and rejected exactly three days after placing',
    iban.return,
    [
      [minute - 1, 'submitted'],
      [minute, 'approved'],
      [3 * day - 1, 'approved'],
      [3 * day, 'rejected', 'Direct debit returned (AC04).'],
    ],
  ],
  ['stays never moves by itself', iban.stay, [[365 * day, 'submitted']]],
]

for (const [title, debtorIban, course] of courses) {
  t.test(`an order whose account ${title}`, async (t) => {
    const market = await createMarket()
    const id = await placeWith(market, debtorIban)
    let passed = 0
    for (const [afterSeconds, status, reason = null] of course) {
      await advance(market, afterSeconds - passed)
      passed = afterSeconds
      t.match(await show(market, id), { status, reason }, `after ${afterSeconds} s`)
    }
    t.equal(await nextFateAt(market.world.service), undefined)
  })
}

t.test('the bank pays or returns the payment of an order that has a fate', async (t) => {
  const market = await createMarket()
  const paymentOf = async (id: string) => (await show(market, id)).payment
  await runOperation(market.world.service, 'cooperative.set_creditor', {
    cooperative: market.cooperative.id,
    name: 'Sonne eG',
    creditor_id: 'DE98ZZZ09999999999',
    iban: 'DE02120300000000202051',
  })
  const settled = await placeWith(market, iban.settle)
  const returned = await placeWith(market, iban.return)
  t.equal(await paymentOf(settled), null)
  await advance(market, minute)
  for (const id of [settled, returned]) t.match(await paymentOf(id), { state: 'due' })
  await walk(market)
  t.match(await paymentOf(settled), { state: 'paid', paid_by: 'transfer' })
  t.match(await paymentOf(returned), { state: 'returned', return_code: 'AC04', paid_at: null })
})

t.test('the steps have the times of the clock', async (t) => {
  const market = await createMarket()
  const placedAt = market.world.clock.now()
  const id = await placeWith(market, iban.settle)
  await walk(market)
  t.match(
    (await show(market, id)).history,
    exactArrays([
      { status: 'submitted', at: placedAt },
      { status: 'approved', at: addSeconds(placedAt, minute) },
      { status: 'settled', at: addSeconds(placedAt, hour) },
    ]),
  )
})

t.test('a fate sends the same events as an operator, and changes the holding', async (t) => {
  const market = await createWebhookMarket(t)
  const id = await placeWith(market, iban.settle)
  await walk(market)
  const path = `/v1/investors/${market.investorId}/holdings`
  const { body } = await get(market, path, await market.world.tokenWith('portfolio:read'))
  t.match(body.items, exactArrays([{ shares: 5, pending_shares: 0 }]))
  for (const status of ['submitted', 'approved', 'settled'] as const) {
    const event = await findEvent(market, id, status)
    t.equal(event?.deliveryIds.length, 2, `${status}: a webhook and an e-mail`)
  }
})

t.test('if the order names no account, the account in the profile decides its fate', async (t) => {
  const market = await createMarket()
  const profile = completeProfile({ bank_account: { iban: 'de50 1000 0000 0000 0000 01' } })
  const investorId = await provision(market.world, { partner_customer_ref: 'c-2', profile })
  const theirs = { ...market, investorId }
  const own = await placeAccepted(theirs)
  const other = await placeWith(theirs, 'DE23 1000 0000 0000 0000 02')
  const usual = await placeAccepted(market)
  t.equal((await show(market, own)).fate, 'settle')
  t.match((await show(market, other)).fate, /^reject:/)
  t.equal((await show(market, usual)).fate, null)
  await walk(market)
  t.equal(await statusOf(theirs, own), 'settled')
  t.equal(await statusOf(theirs, other), 'rejected')
  t.equal(await statusOf(market, usual), 'submitted')
})

t.test('a cancelled order stays cancelled', async (t) => {
  const market = await createMarket()
  const id = await placeWith(market, iban.settle)
  t.equal((await cancel(market, id)).status, 200)
  t.equal(await nextFateAt(market.world.service), undefined)
  await advance(market, day)
  t.equal(await statusOf(market, id), 'cancelled')
})

t.test('a decision of an operator takes precedence over a fate [D60]', async (t) => {
  const market = await createMarket()
  const approved = await placeWith(market, iban.settle)
  const rejected = await placeWith(market, iban.settle)
  const settled = await placeWith(market, iban.return)
  const spared = await placeWith(market, iban.reject)
  await operate(market, 'purchase.approve', approved)
  await operate(market, 'purchase.reject', rejected)
  await operate(market, 'purchase.approve', settled)
  await operate(market, 'purchase.settle', settled)
  await operate(market, 'purchase.approve', spared)
  await advance(market, minute)
  t.equal(await statusOf(market, approved), 'approved')
  await walk(market)
  t.equal(await statusOf(market, approved), 'settled')
  t.match(await show(market, rejected), { status: 'rejected', reason: null })
  t.equal(await statusOf(market, settled), 'settled')
  t.equal(await statusOf(market, spared), 'approved')
})

t.test(
  'an order that depends on another order is settled as soon as the other is settled [D60]',
  async (t) => {
    const market = await createMarket({ entryFee: euro('15') })
    const dependency = await placeWith(market, iban.stay)
    const dependent = await placeWith(market, iban.settle)
    await advance(market, day)
    t.equal(await statusOf(market, dependent), 'approved')
    t.equal(
      await nextFateAt(market.world.service),
      undefined,
      'the settlement is not tried repeatedly',
    )
    await operate(market, 'purchase.approve', dependency)
    await operate(market, 'purchase.settle', dependency)
    await runDueFates(market.world.service)
    t.equal(await statusOf(market, dependent), 'settled')
  },
)

t.test(
  'orders that settle automatically settle after the orders that they depend on',
  async (t) => {
    const market = await createMarket({ minimumShares: 10 })
    const first = await placeWith(market, iban.settle, { share_count: 10 })
    const second = await placeWith(market, iban.settle, { share_count: 1 })
    await advance(market, day)
    const settledAt = async (id: string) => (await show(market, id)).history.at(-1)
    t.match(await settledAt(first), { status: 'settled' })
    t.match(await settledAt(second), { status: 'settled' })
  },
)

t.test('when a payment is returned, orders that depend on it are also rejected', async (t) => {
  const market = await createMarket({ entryFee: euro('15') })
  const dependency = await placeWith(market, iban.return)
  const dependent = await placeWith(market, iban.settle)
  await walk(market)
  t.equal(await statusOf(market, dependency), 'rejected')
  t.match(await show(market, dependent), {
    status: 'rejected',
    reason: new RegExp(`^Share purchase ${dependency}, on which this one depended`),
  })
})

t.test('after a pause, steps are taken in the order in which they were due', async (t) => {
  const market = await createWebhookMarket(t)
  const first = await placeWith(market, iban.settle)
  market.world.clock.advance(2 * hour)
  // The token expires during the pause, so it is requested here.
  const token = await market.world.tokenWith('applications:write')
  const sepa_mandate = { signed_at: '2026-01-10T09:30:00+01:00', debtor_iban: iban.settle }
  const second = (await place(market, { sepa_mandate }, { token })).body.share_purchase_id
  await advance(market, minute)
  const events = await market.world.service.store.read(({ events }) => events.list({ limit: 20 }))
  const seen = events.map(({ orderingKey, type }) => [orderingKey, type.split('.')[1]])
  t.strictSame(seen, [
    [first, 'submitted'],
    [second, 'submitted'],
    [first, 'approved'],
    [first, 'settled'],
    [second, 'approved'],
  ])
})

t.test('an order that a damaged store cannot decide does not delay other orders', async (t) => {
  const market = await createMarket()
  const damaged = await placeWith(market, iban.settle)
  const { service } = market.world
  const cooperativeId = '00000000-0000-4000-8000-000000000000'
  await storeCooperatives(service.store, buildCooperative({ id: cooperativeId, key: 'other' }))
  await service.store.write(anything, async ({ sharePurchases }) => {
    const order = await sharePurchases.find(damaged)
    if (order) await sharePurchases.put({ ...order, cooperativeId })
  })
  const sound = await placeWith(market, iban.settle)
  market.world.clock.advance(minute)
  await t.rejects(runDueFates(service), /without its holding/)
  await runDueFates(service)
  t.equal(await statusOf(market, sound), 'approved')
})

t.test('in production a test account has no special meaning', async (t) => {
  const market = await createMarket({}, { settings: { environment: 'production' } })
  const id = await placeWith(market, iban.reject)
  await advance(market, day)
  t.match(await show(market, id), { status: 'submitted', fate: null })
  t.equal(await nextFateAt(market.world.service), undefined)
})

t.test('partners do not see the fate of an order', async (t) => {
  const market = await createMarket()
  const id = await placeWith(market, iban.settle)
  const seen = await get(market, `${collectionOf(market)}/${id}`)
  t.equal(seen.status, 200)
  t.notMatch(seen.text, /fate/i)
})
