import t from 'tap'
import { countTurns } from '../../fixtures/async.ts'
import { euro, storeCooperatives } from '../../fixtures/builders/cooperatives.ts'
import { unlimited } from '../../fixtures/builders/rate-limits.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import {
  collectionOf,
  createMarket,
  get,
  type Market,
  place,
  placeAccepted,
} from '../../fixtures/world/market.ts'
import {
  createWebhookMarket,
  deliveriesOf,
  findEvent,
} from '../../fixtures/world/webhook-market.ts'
import { openWorldStore } from '../../fixtures/world/world.ts'
import { maximumDependents } from '../../src/domain/share-purchases/dependencies.ts'
import { runOperation } from '../../src/operations/operations.ts'
import type { Records, Store } from '../../src/ports/store.ts'
import { recordTransition } from '../../src/usecases/share-purchases/record-transition.ts'

const fee = { entryFee: euro('15') }
const minimum = { minimumShares: 10 }
const creditor = {
  name: 'Solar Allgaeu eG',
  creditorId: 'DE98ZZZ09999999999',
  iban: 'DE02120300000000202051',
  bic: 'BYLADEM1001',
  noticeDays: 14,
  leadDays: 2,
}

function operate({ world }: Market, name: string, id: string, more = {}): Promise<unknown> {
  return runOperation(world.service, name, { share_purchase_id: id, ...more })
}

function cancel(market: Market, id: string) {
  const { token } = market.world.partner
  return market.world.request('POST', `${collectionOf(market)}/${id}/cancel`, { token })
}

async function read(market: Market, id: string) {
  return (await get(market, `${collectionOf(market)}/${id}`)).body
}

async function holdings(market: Market) {
  const path = `/v1/investors/${market.investorId}/holdings`
  const { items } = (await get(market, path)).body
  return items.map(({ shares, pending_shares }: Record<string, number>) => [shares, pending_shares])
}

async function settle(market: Market, id: string): Promise<void> {
  await operate(market, 'purchase.approve', id)
  await operate(market, 'purchase.settle', id)
}

t.test(
  'an order is not cancelled while the money of an order that depends on it is collected',
  async (t) => {
    const market = await createMarket({ ...fee, creditor })
    const first = await placeAccepted(market)
    const second = await placeAccepted(market)
    await operate(market, 'purchase.approve', second)
    await runOperation(market.world.service, 'collection.create', {})
    const { status, body } = await cancel(market, first)
    // Partners know nothing of payments.
    t.match({ status, body }, { status: 409, body: { code: 'SHARE_PURCHASE_ILLEGAL_STATE' } })
    t.notMatch(JSON.stringify(body), /payment-|coopshare/)
    t.equal((await read(market, first)).status, 'submitted')
    t.equal((await read(market, second)).status, 'approved')
  },
)

const ways: readonly [string, string, (market: Market, id: string) => Promise<unknown>][] = [
  ['the partner cancels', 'cancelled', cancel],
  ['an operator cancels', 'cancelled', (market, id) => operate(market, 'purchase.cancel', id)],
  ['an operator rejects', 'rejected', (market, id) => operate(market, 'purchase.reject', id)],
]

for (const [title, status, end] of ways) {
  t.test(
    `an order without a fee is rejected together with the order that paid the fee, when ${title} that order`,
    async (t) => {
      const market = await createMarket(fee)
      const first = await placeAccepted(market)
      const second = await placeAccepted(market)
      t.equal((await read(market, second)).entry_fee, '0.00')
      await operate(market, 'purchase.approve', second)
      await end(market, first)
      t.match(await read(market, second), {
        status: 'rejected',
        reason: `Share purchase ${first}, on which this one depended for its entry fee or minimum number of shares, was ${status}.`,
      })
      t.strictSame(await holdings(market), [])
      t.equal((await place(market)).body.entry_fee, '15.00', 'the next order pays the fee')
    },
  )
}

t.test(
  'if a rejection needs two operators, only the partner can end dependent orders by a cancellation',
  async (t) => {
    const market = await createMarket(fee, { settings: { fourEyes: ['rejected'] } })
    const first = await placeAccepted(market)
    const second = await placeAccepted(market)
    await operate(market, 'purchase.approve', second)
    await t.rejects(operate(market, 'purchase.cancel', first), {
      code: 'SHARE_PURCHASE_ILLEGAL_STATE',
      message: `${second} (approved)`,
    })
    t.equal((await read(market, first)).status, 'submitted')
    t.equal((await read(market, second)).status, 'approved')
    t.equal((await cancel(market, first)).status, 200)
    t.equal((await read(market, second)).status, 'rejected')
  },
)

t.test(
  'an order below the minimum is rejected together with the order that it needs [D1]',
  async (t) => {
    const market = await createMarket(minimum)
    const first = await placeAccepted(market, { share_count: 10 })
    const second = await placeAccepted(market, { share_count: 1 })
    await cancel(market, first)
    t.equal((await read(market, second)).status, 'rejected')
    t.equal((await place(market, { share_count: 1 })).status, 422)
  },
)

t.test('an order without dependencies stays', async (t) => {
  const market = await createMarket(minimum)
  const first = await placeAccepted(market, { share_count: 10 })
  const second = await placeAccepted(market, { share_count: 10 })
  const third = await placeAccepted(market, { share_count: 1 })
  await cancel(market, first)
  t.equal((await read(market, second)).status, 'submitted')
  t.equal((await read(market, third)).status, 'submitted', 'the second order reaches the minimum')
  await cancel(market, second)
  t.equal((await read(market, third)).status, 'rejected')
})

t.test('an order cannot be settled before the order that pays its fee [D1]', async (t) => {
  const market = await createMarket(fee)
  const first = await placeAccepted(market)
  const second = await placeAccepted(market)
  await operate(market, 'purchase.approve', second)
  await t.rejects(operate(market, 'purchase.settle', second), {
    code: 'SHARE_PURCHASE_ILLEGAL_STATE',
    message: `The share purchase cannot be settled yet: its entry fee or minimum number of shares depends on share purchase ${first}, which is submitted. Settle that share purchase first.`,
  })
  t.equal((await read(market, second)).status, 'approved')
  t.strictSame(await holdings(market), [[0, 10]])
  await settle(market, first)
  await operate(market, 'purchase.settle', second)
  t.strictSame(await holdings(market), [[10, 0]])
})

t.test(
  'an order cannot be settled if the orders that it depends on are missing [D52]',
  async (t) => {
    const market = await createMarket(fee)
    const first = await placeAccepted(market)
    const second = await placeAccepted(market)
    const lost = '00000000-0000-4000-8000-000000000000'
    await settle(market, first)
    await market.world.service.store.write(anything, async ({ sharePurchases }) => {
      const order = await sharePurchases.find(second)
      t.strictSame(order?.restsOn, [first])
      if (order) await sharePurchases.put({ ...order, restsOn: [lost] })
    })
    await operate(market, 'purchase.approve', second)
    await t.rejects(operate(market, 'purchase.settle', second), {
      code: 'SHARE_PURCHASE_ILLEGAL_STATE',
      message: `The share purchase cannot be settled: its entry fee or minimum number of shares depends on share purchase ${lost}, which is not in the store. Reject this share purchase.`,
    })
    await operate(market, 'purchase.reject', second)
    t.strictSame(await holdings(market), [[5, 0]])
  },
)

t.test(
  'in a chain of orders, each depends on the first order and not on the one in between',
  async (t) => {
    const market = await createMarket({ ...fee, ...minimum })
    const first = await placeAccepted(market, { share_count: 10 })
    const second = await placeAccepted(market, { share_count: 2 })
    const third = await placeAccepted(market, { share_count: 1 })
    for (const id of [second, third]) {
      await operate(market, 'purchase.approve', id)
      await t.rejects(operate(market, 'purchase.settle', id), { message: first })
    }
    await operate(market, 'purchase.reject', second)
    t.equal(
      (await read(market, third)).status,
      'approved',
      'the third order does not need the second',
    )
    await operate(market, 'purchase.reject', first, { reason: 'The mandate was returned.' })
    const { status, reason } = await read(market, third)
    t.equal(status, 'rejected')
    t.match(reason, new RegExp(`${first}.* was rejected`))
    t.strictSame(await holdings(market), [])
  },
)

t.test('the end of an order reads its dependent orders once, even if there are many', async (t) => {
  const many = 250
  const { store, listed } = await openCountingStore()
  const market = await createMarket(fee, { store, app: { limits: unlimited } })
  const first = await placeAccepted(market)
  for (let count = 0; count < many; count++) await placeAccepted(market)
  listed.length = 0
  const turns = countTurns()
  await operate(market, 'purchase.reject', first)
  t.ok(turns.stop() >= 2, 'other requests are served meanwhile')
  t.strictSame(listed, [many])
  t.strictSame(await holdings(market), [])
})

t.test(
  'the end of an order reads the same number of orders even if many others are pending',
  async (t) => {
    const [few, many] = [await listedAtEachEnd(2), await listedAtEachEnd(40)]
    t.strictSame(few, {
      'cancelling an order that depends on another': 0,
      'cancelling an order that others may depend on': 1,
      'rejecting an order that others may depend on': 1,
      'settling an order that another depends on': 0,
    })
    t.strictSame(many, few)
  },
)

/** Counts the orders that each end reads, with this number of independent orders in the store. */
async function listedAtEachEnd(independent: number): Promise<Readonly<Record<string, number>>> {
  const { store, listed } = await openCountingStore()
  const market = await createMarket(minimum, { store, app: { limits: unlimited } })
  const first = await placeAccepted(market, { share_count: 10 })
  const small = await placeAccepted(market, { share_count: 1 })
  await placeAccepted(market, { share_count: 1 })
  const others: string[] = []
  for (let count = 0; count < independent; count++) {
    others.push(await placeAccepted(market, { share_count: 10 }))
  }
  const listing = async (end: Promise<unknown>) => {
    listed.length = 0
    await end
    return listed.reduce((sum, count) => sum + count, 0)
  }
  const [second = '', third = ''] = others
  await operate(market, 'purchase.approve', first)
  return {
    'cancelling an order that depends on another': await listing(cancel(market, small)),
    'cancelling an order that others may depend on': await listing(cancel(market, second)),
    'rejecting an order that others may depend on': await listing(
      operate(market, 'purchase.reject', third),
    ),
    'settling an order that another depends on': await listing(
      operate(market, 'purchase.settle', first),
    ),
  }
}

/** Opens a store that records the length of each list of orders that a write reads. */
async function openCountingStore() {
  const listed: number[] = []
  const noting = (reader: Records['sharePurchases']) =>
    new Proxy(reader, {
      get(target, name) {
        const method = Reflect.get(target, name)
        if (!String(name).startsWith('list')) return method
        return async (...asked: unknown[]) => {
          const found = await method(...asked)
          listed.push(found.length)
          return found
        }
      },
    })
  const inner = await openWorldStore()
  const write: Store['write'] = (subject, work) =>
    inner.write(subject, (records) =>
      work({ ...records, sharePurchases: noting(records.sharePurchases) }),
    )
  const store = new Proxy(inner, {
    get(target, name) {
      if (name === 'write') return write
      const part = Reflect.get(target, name)
      return typeof part === 'function' ? part.bind(target) : part
    },
  })
  return { store, listed }
}

t.test('at most 1,000 pending orders of a position depend on others [D1]', async (t) => {
  const market = await createMarket(fee, { app: { limits: unlimited } })
  const first = await placeAccepted(market)
  const second = await placeAccepted(market)
  const third = await placeAccepted(market)
  await multiply(market, third, maximumDependents - 2)
  t.match(await place(market), {
    status: 422,
    body: {
      code: 'VALIDATION_ERROR',
      errors: {
        share_count:
          'cannot be ordered now: 1000 pending share purchases of this investor depend on others for the entry fee or the minimum; order again after one of those others is settled, or cancel some that depend',
      },
    },
  })
  await cancel(market, second)
  await placeAccepted(market)
  t.equal((await place(market)).status, 422)
  t.equal((await cancel(market, first)).status, 200)
  t.strictSame(await holdings(market), [], 'all orders have ended together')
  t.equal((await place(market)).body.entry_fee, '15.00')
})

t.test('an order without dependencies is placed in spite of the limit', async (t) => {
  const market = await createMarket(minimum, { app: { limits: unlimited } })
  const first = await placeAccepted(market, { share_count: 10 })
  await multiply(market, await placeAccepted(market, { share_count: 1 }), maximumDependents - 1)
  t.equal((await place(market, { share_count: 9 })).status, 422)
  await placeAccepted(market, { share_count: 10 })
  await settle(market, first)
  await placeAccepted(market, { share_count: 1 })
})

t.test('too many dependent orders are reported together with every other fault', async (t) => {
  const market = await createMarket(fee, { app: { limits: unlimited } })
  await placeAccepted(market)
  await multiply(market, await placeAccepted(market), maximumDependents - 1)
  const signed_at = '2026-01-10T09:30:00+01:00'
  for (const [title, sepa_mandate] of Object.entries({
    'a broken rule': { signed_at, reference: 'A/' },
    'a wrong shape': { signed_at, reference: 7 },
  })) {
    const { errors } = (await place(market, { sepa_mandate })).body
    t.match(
      Object.keys(errors).sort(),
      exactArrays(['sepa_mandate.reference', 'share_count']),
      title,
    )
  }
})

/** Stores this number of copies of the order. */
async function multiply({ world }: Market, like: string, count: number): Promise<void> {
  const { service, partner } = world
  await service.store.write(anything, async (records) => {
    const order = await records.sharePurchases.get(partner.organizationId, like)
    const { organizationId, investorId, cooperativeId } = order ?? never()
    let holding = await records.holdings.find(organizationId, investorId, cooperativeId)
    for (let number = 0; number < count; number++) {
      const another = { ...(order ?? never()), sharePurchaseId: service.random.id() }
      holding = await recordTransition(records, service, another, holding ?? never())
    }
  })
}

function never(): never {
  throw new Error('The order and its holding must be stored.')
}

t.test('an order that relies on settled shares depends on no order [D1]', async (t) => {
  const market = await createMarket({ ...fee, ...minimum })
  await settle(market, await placeAccepted(market, { share_count: 10 }))
  const second = await placeAccepted(market, { share_count: 10 })
  const third = await placeAccepted(market, { share_count: 1 })
  await cancel(market, second)
  t.equal((await read(market, third)).status, 'submitted')
  await settle(market, third)
  t.strictSame(await holdings(market), [[11, 0]])
})

t.test('no order depends on an order of another cooperative or investor', async (t) => {
  const market = await createMarket(fee)
  const other = { ...market.cooperative, id: '0198c0de-0000-7000-8000-0000000000aa', key: 'other' }
  await storeCooperatives(market.world.service.store, other)
  const first = await placeAccepted(market)
  const elsewhere = await placeAccepted(market, { cooperative_id: other.id })
  t.equal((await read(market, elsewhere)).entry_fee, '15.00')
  await cancel(market, first)
  t.equal((await read(market, elsewhere)).status, 'submitted')
})

t.test(
  'the same write has the rejection, its event, its delivery and its e-mail [D1]',
  async (t) => {
    const market = await createWebhookMarket(t)
    await storeCooperatives(market.world.service.store, { ...market.cooperative, ...fee })
    const first = await placeAccepted(market)
    const second = await placeAccepted(market)
    await cancel(market, first)
    const event = await findEvent(market, second, 'rejected')
    const { data } = JSON.parse(event.body)
    t.match(data, {
      status: 'rejected',
      terminal: true,
      reason: `Share purchase ${first}, on which`,
    })
    for (const kind of ['webhook', 'mail'] as const) {
      t.match(await deliveriesOf(market, event, kind), exactArrays([{ eventId: event.eventId }]))
    }
    const shown = await operate(market, 'purchase.show', second)
    t.match(shown, exactArrays({ rests_on: [first] }))
  },
)

t.test(
  'when orders arrive at the same time, one pays the fee and the others depend on that order',
  async (t) => {
    const market = await createMarket(fee)
    const answers = await Promise.all(Array.from({ length: 6 }, () => place(market)))
    const ids = answers.map(({ body }) => body.share_purchase_id)
    const paying = answers.filter(({ body }) => body.entry_fee === '15.00')
    t.equal(paying.length, 1)
    await cancel(market, paying[0]?.body.share_purchase_id)
    for (const id of ids) t.not((await read(market, id)).status, 'submitted')
    t.strictSame(await holdings(market), [])
  },
)
