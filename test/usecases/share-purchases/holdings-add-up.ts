import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import {
  buildCooperative,
  euro,
  storeCooperatives,
} from '../../../fixtures/builders/cooperatives.ts'
import { buildSharePurchaseRequest } from '../../../fixtures/builders/share-purchases.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { createMarket, type Market } from '../../../fixtures/world/market.ts'
import type { Cooperative } from '../../../src/domain/cooperatives/cooperative.ts'
import { zeroMoney } from '../../../src/domain/money.ts'
import { pageRequest } from '../../../src/domain/page.ts'
import { Problem } from '../../../src/domain/problem.ts'
import type { SharePurchase } from '../../../src/domain/share-purchases/share-purchase.ts'
import { requireTransition } from '../../../src/domain/share-purchases/transitions.ts'
import {
  cancelSharePurchase,
  decideSharePurchase,
} from '../../../src/usecases/share-purchases/change-status.ts'
import { placeSharePurchase } from '../../../src/usecases/share-purchases/place-share-purchase.ts'

const cooperatives = [
  buildCooperative({ key: 'solar-allgaeu', entryFee: euro('15') }),
  buildCooperative({ key: 'wind', minimumShares: 20 }),
  buildCooperative({ key: 'hydro', entryFee: euro('15'), minimumShares: 20 }),
]
const decisions = ['approved', 'settled', 'rejected', 'cancelled'] as const

interface Placement {
  readonly shareCount: number
  readonly cooperative: number
}

interface Decision {
  readonly to: (typeof decisions)[number]
  /** The number of the order among those placed so far. */
  readonly order: number
  readonly byPartner: boolean
}

type Action = Placement | Decision

const placements: fc.Arbitrary<Placement> = fc.record({
  shareCount: fc.integer({ min: 1, max: 50 }),
  cooperative: fc.nat({ max: cooperatives.length - 1 }),
})
const madeDecisions: fc.Arbitrary<Decision> = fc.record({
  to: fc.constantFrom(...decisions),
  order: fc.nat({ max: 8 }),
  byPartner: fc.boolean(),
})
const actions: fc.Arbitrary<Action> = fc.oneof(placements, madeDecisions)
/** The steps run one after the other, and the actions of a step run concurrently. */
const scenarios = fc.array(fc.array(actions, { minLength: 1, maxLength: 6 }), { maxLength: 12 })

/** Registers an investor, who has no shares. */
async function newInvestor({ world, investorId }: Market): Promise<string> {
  const { store, random } = world.service
  const id = random.id()
  await store.write(anything, async ({ investors }) => {
    const known = await investors.get(world.partner.organizationId, investorId)
    if (known) await investors.put({ ...known, investorId: id, partnerCustomerRef: id })
  })
  return id
}

function act(market: Market, action: Action, ids: readonly string[]): Promise<unknown> {
  const { service, partner } = market.world
  const owner = { organizationId: partner.organizationId, investorId: market.investorId }
  if ('shareCount' in action) {
    const { shareCount, cooperative } = action
    const cooperativeId = cooperatives[cooperative]?.id ?? ''
    const request = buildSharePurchaseRequest({ cooperativeId, shareCount })
    return placeSharePurchase(service, { ...owner, request })
  }
  const sharePurchaseId = ids[action.order] ?? 'none'
  return action.byPartner && action.to === 'cancelled'
    ? cancelSharePurchase(service, { ...owner, sharePurchaseId })
    : decideSharePurchase(service, { sharePurchaseId, to: action.to })
}

/** Ignores a refusal, which changes nothing. Any other error is a fault. */
async function unlessRefused(acting: Promise<unknown>): Promise<void> {
  try {
    await acting
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

function readAll({ world, investorId }: Market) {
  const { organizationId } = world.partner
  const page = pageRequest(1, 100)
  return world.service.store.read(async ({ sharePurchases, holdings }) => ({
    orders: (await sharePurchases.pageByInvestor(organizationId, investorId, page)).items,
    holdings: (await holdings.pageByInvestor(organizationId, investorId, page)).items,
  }))
}

function sharesIn(orders: readonly SharePurchase[], ...statuses: readonly string[]): number {
  const counted = orders.filter(({ status }) => statuses.includes(status))
  return counted.reduce((sum, { shareCount }) => sum + shareCount, 0)
}

/** Returns the holdings with shares, by cooperative. */
function positionsOf(orders: readonly SharePurchase[]) {
  return cooperatives
    .map(({ id }) => {
      const own = orders.filter(({ cooperativeId }) => cooperativeId === id)
      const pendingShares = sharesIn(own, 'submitted', 'approved')
      return { cooperativeId: id, shares: sharesIn(own, 'settled'), pendingShares }
    })
    .filter(({ shares, pendingShares }) => shares + pendingShares > 0)
}

function requireLegalHistory({ transitions, status }: SharePurchase): void {
  const statuses = transitions.map(({ to }) => to)
  statuses.reduce((from, to) => {
    requireTransition(from, to)
    return to
  })
  if (statuses.at(-1) !== status)
    throw new Error('The history does not end with the current status.')
}

/**
 * Requires that an investor with settled shares has paid the entry fee and holds the minimum, and
 * that no order depends only on ended orders.
 */
function requireRightful(
  { id, entryFee, minimumShares }: Cooperative,
  all: readonly SharePurchase[],
): void {
  const orders = all.filter(({ cooperativeId }) => cooperativeId === id)
  const settled = orders.filter(({ status }) => status === 'settled')
  if (settled.length > 0) {
    assert.ok(sharesIn(settled, 'settled') >= minimumShares, 'fewer shares than the minimum')
    assert.ok(
      entryFee === zeroMoney || settled.some((order) => order.entryFee === entryFee),
      'no fee',
    )
  }
  const lost = orders.filter(({ status }) => status === 'rejected' || status === 'cancelled')
  const lostIds = lost.map(({ sharePurchaseId }) => sharePurchaseId)
  for (const order of orders) {
    const restsOn = order.restsOn ?? []
    const isUncarried = restsOn.length > 0 && restsOn.every((id) => lostIds.includes(id))
    assert.ok(
      !isUncarried || lost.includes(order),
      'an order depends only on orders that have ended',
    )
  }
}

t.test(
  'holdings, fees and minimums are correct after any sequence of transitions [D1]',
  async (t) => {
    const market = await createMarket()
    await storeCooperatives(market.world.service.store, ...cooperatives)
    const property = fc.asyncProperty(scenarios, async (steps) => {
      const own = { ...market, investorId: await newInvestor(market) }
      for (const step of steps) {
        const ids = (await readAll(own)).orders.map((order) => order.sharePurchaseId)
        await Promise.all(step.map((action) => unlessRefused(act(own, action, ids))))
      }
      const { orders, holdings } = await readAll(own)
      orders.forEach(requireLegalHistory)
      const positions = holdings.map(({ cooperativeId, shares, pendingShares }) => ({
        cooperativeId,
        shares,
        pendingShares,
      }))
      assert.deepEqual(new Set(positions), new Set(positionsOf(orders)))
      for (const cooperative of cooperatives) requireRightful(cooperative, orders)
    })
    await t.resolves(fc.assert(property, { numRuns: 200 }))
  },
)
