import t from 'tap'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import { createMarket, type Market, placeAccepted } from '../../../fixtures/world/market.ts'
import type { Cooperative } from '../../../src/domain/cooperatives/cooperative.ts'
import { parseMoney } from '../../../src/domain/money.ts'
import { cancelCollection } from '../../../src/usecases/payments/collections.ts'
import { createCollections } from '../../../src/usecases/payments/create-collections.ts'
import { setCreditor } from '../../../src/usecases/payments/creditors.ts'
import { decideSharePurchase } from '../../../src/usecases/share-purchases/change-status.ts'

const day = 24 * 3600

async function createCollecting(overrides: Partial<Cooperative> = {}): Promise<Market> {
  const market = await createMarket(overrides)
  await setCreditorOf(market)
  return market
}

function setCreditorOf(market: Market) {
  return setCreditor(market.world.service, market.cooperative.key, {
    name: 'Sonnenfirst Allgäu eG',
    creditorId: 'DE98ZZZ09999999999',
    iban: 'DE02120300000000202051',
    noticeDays: 14,
    leadDays: 2,
  })
}

/** An approved order, with a mandate that was signed some days ago. */
async function approveOrder(market: Market, daysAgo: number, reference?: string): Promise<string> {
  const { clock, service } = market.world
  const signed = new Date(Date.parse(clock.now()) - daysAgo * day * 1000).toISOString()
  const sharePurchaseId = await placeAccepted(market, {
    sepa_mandate: { signed_at: signed, ...(reference && { reference }) },
  })
  await decideSharePurchase(service, { sharePurchaseId, to: 'approved' })
  return sharePurchaseId
}

async function collect({ world }: Market) {
  const { collections, leftOut } = await createCollections(world.service, {})
  return {
    collectionId: collections[0]?.collection.collectionId ?? '',
    count: collections[0]?.collection.count ?? 0,
    leftOut: leftOut.map(({ sharePurchaseId, reason }) => [sharePurchaseId, reason]),
  }
}

t.test('a mandate that was never used lapses 36 months after its signature', async (t) => {
  const market = await createCollecting()
  const lapsed = await approveOrder(market, 1090)
  await approveOrder(market, 1000)
  const { count, leftOut } = await collect(market)
  t.equal(count, 1)
  t.match(leftOut, exactArrays([[lapsed, /not used for 36 months/]]))
})

t.test(
  'a use of a mandate counts, whichever order has used it, unless it was cancelled',
  async (t) => {
    for (const isCancelled of [false, true]) {
      const market = await createCollecting()
      const { world } = market
      const first = await approveOrder(market, 1000, 'M-1')
      const { collectionId } = await collect(market)
      if (isCancelled) {
        await cancelCollection(world.service, collectionId, { isExported: false })
        const rejected = { to: 'rejected', reason: 'x' } as const
        await decideSharePurchase(world.service, { sharePurchaseId: first, ...rejected })
      }
      const second = await approveOrder(market, 1000, 'm-1')
      world.clock.advance(200 * day)
      const { count, leftOut } = await collect(market)
      t.strictSame([count, leftOut.map(([id]) => id)], isCancelled ? [0, [second]] : [1, []])
    }
  },
)

t.test('an order that was settled before there was a creditor has used its mandate', async (t) => {
  const market = await createMarket()
  const { world } = market
  const sharePurchaseId = await approveOrder(market, 1000, 'M-1')
  await decideSharePurchase(world.service, { sharePurchaseId, to: 'settled' })
  await setCreditorOf(market)
  await approveOrder(market, 1000, 'M-1')
  world.clock.advance(200 * day)
  t.match(await collect(market), exactArrays({ count: 1, leftOut: [] }))
})

t.test('an amount that no direct debit can have is left out', async (t) => {
  const market = await createCollecting({ sharePrice: parseMoney('200000000.00') as never })
  const id = await approveOrder(market, 10)
  t.match(
    await collect(market),
    exactArrays({ count: 0, leftOut: [[id, /0\.01 to 999999999\.99/]] }),
  )
})
