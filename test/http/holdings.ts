import t from 'tap'
import { buildCooperative, storeCooperatives } from '../../fixtures/builders/cooperatives.ts'
import {
  createMarket,
  get,
  type Market,
  placeAccepted,
  provision,
} from '../../fixtures/world/market.ts'
import {
  type DecideSharePurchase,
  decideSharePurchase,
} from '../../src/usecases/share-purchases/change-status.ts'

type Step = DecideSharePurchase['to']

/**
 * Places an order and takes steps. The clock advances a minute before each step, so that times
 * differ.
 */
async function order(market: Market, shareCount: number, ...steps: readonly Step[]): Promise<void> {
  const sharePurchaseId = await placeAccepted(market, { share_count: shareCount })
  for (const to of steps) {
    market.world.clock.advance(60)
    await decideSharePurchase(market.world.service, { sharePurchaseId, to })
  }
}

function holdings(market: Market, query = '') {
  return get(market, `/v1/investors/${market.investorId}/holdings${query}`)
}

/** Returns the holdings on a page. */
async function positions(market: Market, query = '') {
  return (await holdings(market, query)).body.items
}

t.test('holdings are returned in pages [S-holdings-1]', async (t) => {
  const market = await createMarket()
  const placedAt = market.world.clock.now()
  await order(market, 5)
  const { status, body } = await holdings(market)
  t.equal(status, 200)
  t.match(body.items[0].id, /^[0-9a-f-]{36}$/)
  t.strictSame(body, {
    items: [
      {
        id: body.items[0].id,
        cooperative_id: market.cooperative.id,
        investor_id: market.investorId,
        shares: 0,
        pending_shares: 5,
        first_acquired_at: null,
        created_at: placedAt,
        updated_at: placedAt,
      },
    ],
    page: 1,
    size: 20,
    total_items: 1,
    total_pages: 1,
    has_next: false,
    has_previous: false,
  })
})

t.test(
  'shares are settled, and pending_shares are placed but not yet settled [S-holdings-2]',
  async (t) => {
    for (const [title, orders, expected] of [
      ['placed', [[5]], [0, 5]],
      ['approved', [[5, 'approved']], [0, 5]],
      ['settled', [[5, 'approved', 'settled']], [5, 0]],
      ['settled and placed', [[5, 'approved', 'settled'], [2]], [5, 2]],
      [
        'settled twice',
        [
          [5, 'approved', 'settled'],
          [2, 'approved', 'settled'],
        ],
        [7, 0],
      ],
      ['one of two rejected', [[5], [2, 'rejected']], [0, 5]],
      ['approved, then rejected', [[5], [2, 'approved', 'rejected']], [0, 5]],
      ['one of two cancelled', [[5], [2, 'cancelled']], [0, 5]],
    ] as const) {
      const market = await createMarket()
      for (const [shareCount, ...steps] of orders) await order(market, shareCount, ...steps)
      const { body } = await holdings(market)
      t.equal(body.total_items, 1, `${title}: one holding for each investor and cooperative`)
      const [{ shares, pending_shares }] = body.items
      t.strictSame([shares, pending_shares], expected, title)
    }
  },
)

t.test(
  'first_acquired_at is null until the first settlement and does not change after it [S-holdings-3] [D8]',
  async (t) => {
    const market = await createMarket()
    await order(market, 5, 'approved')
    t.equal((await positions(market))[0].first_acquired_at, null)
    await order(market, 1, 'approved', 'settled')
    const first = market.world.clock.now()
    t.match((await positions(market))[0], { first_acquired_at: first, updated_at: first })
    await order(market, 1, 'approved', 'settled')
    const later = market.world.clock.now()
    t.match((await positions(market))[0], { first_acquired_at: first, updated_at: later })
  },
)

t.test(
  'a holding without shares is not listed, and comes back as the same holding [D8]',
  async (t) => {
    const market = await createMarket()
    const sharePurchaseId = await placeAccepted(market)
    const { id } = (await holdings(market)).body.items[0]
    await decideSharePurchase(market.world.service, { sharePurchaseId, to: 'rejected' })
    t.match((await holdings(market)).body, { total_items: 0, total_pages: 0 })
    t.strictSame(await positions(market), [])
    await order(market, 3)
    const [again, ...others] = await positions(market)
    t.match(again, { id, shares: 0, pending_shares: 3 })
    t.strictSame(others, [])
  },
)

t.test('the list has only the holdings of this investor', async (t) => {
  const market = await createMarket()
  await order(market, 5)
  const investorId = await provision(market.world, { partner_customer_ref: 'customer-2' })
  t.strictSame(await positions({ ...market, investorId }), [])
})

t.test('holdings are paged, oldest first, one for each cooperative [S-reading-7]', async (t) => {
  const market = await createMarket()
  await order(market, 1)
  const wind = buildCooperative({ key: 'wind' })
  await storeCooperatives(market.world.service.store, wind)
  await order({ ...market, cooperative: wind }, 2)
  for (const [page, cooperativeId, expected] of [
    [1, market.cooperative.id, { total_items: 2, has_next: true, has_previous: false }],
    [2, wind.id, { total_items: 2, has_next: false, has_previous: true }],
  ] as const) {
    const { body } = await holdings(market, `?size=1&page=${page}`)
    t.match(body, expected)
    t.equal(body.items.length, 1)
    t.equal(body.items[0].cooperative_id, cooperativeId)
  }
})
