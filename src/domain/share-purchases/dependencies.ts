import type { Cooperative } from '../cooperatives/cooperative.ts'
import type { Holding } from '../holdings/holding.ts'
import { toMinorUnits } from '../money.ts'
import { Problem } from '../problem.ts'
import type { SharePurchase, SharePurchaseStatus } from './share-purchase.ts'

/**
 * An order may be placed without the entry fee, or below the minimum number of shares, only because
 * other orders of the same investor and cooperative are pending. Such an order depends on them.
 * Settled shares count for every later order.
 */

/** Only the oldest dependencies are recorded, which limits the size of an order. */
export const maximumDependencies = 100

/**
 * The maximum number of pending orders of a position that depend on others. It limits how many orders end together
 * with an order on which they depend.
 */
export const maximumDependents = 1000

type Position = Pick<Holding, 'shares' | 'pendingShares'>
type Rules = Pick<Cooperative, 'entryFee' | 'minimumShares'>
type DependencyTerms = Pick<SharePurchase, 'sharePurchaseId' | 'entryFee' | 'restsOn'>
type Dependent = Pick<SharePurchase, 'status' | 'restsOn'>

export interface Dependencies {
  /** Whether the investor has already joined, so that no entry fee is due. */
  readonly isMember: boolean
  readonly restsOn: readonly string[]
}

/** Whether other orders may depend on this order while it is pending. */
export function canBeDependedOn(order: DependencyTerms & Dependency): boolean {
  return isPending(order.status) && mayHaveDependents(order)
}

/** Other orders can depend on an order that depends on no other order, or that pays the entry fee. */
export function mayHaveDependents({
  restsOn = [],
  entryFee,
}: Pick<DependencyTerms, 'restsOn' | 'entryFee'>): boolean {
  return restsOn.length === 0 || toMinorUnits(entryFee) > 0n
}

/** Whether a pending order can end together with others. */
export function dependsOnOthers({ status, restsOn = [] }: Dependent): boolean {
  return isPending(status) && restsOn.length > 0
}

/** Whether the terms of an order can depend on other orders at all. */
export function mayDepend(shareCount: number, { entryFee, minimumShares }: Rules): boolean {
  return toMinorUnits(entryFee) > 0n || shareCount < minimumShares
}

/**
 * Decides whether an order pays the entry fee and which orders it depends on. @param possible the
 * oldest possible dependencies, oldest first
 */
export function resolveDependencies(
  shareCount: number,
  { rules, holding }: { readonly rules: Rules; readonly holding: Position },
  possible: readonly DependencyTerms[],
): Dependencies {
  const needs = needsOf(shareCount, rules, holding)
  const members = possible.filter(provesMembership)
  const isMember = holding.shares > 0 || members.length > 0
  if (needs.fee && isMember) return { isMember, restsOn: independentIds(members) }
  return { isMember, restsOn: needs.shares ? independentIds(possible) : [] }
}

/** The number of shares needed beyond the settled ones. */
function needsOf(shareCount: number, { entryFee, minimumShares }: Rules, { shares }: Position) {
  return {
    fee: shares === 0 && toMinorUnits(entryFee) > 0n,
    shares: shares + shareCount < minimumShares,
  }
}

/** A past order may not say why it has no entry fee, so only those with a fee prove membership. */
function provesMembership({ restsOn, entryFee }: DependencyTerms): boolean {
  return restsOn !== undefined || toMinorUnits(entryFee) > 0n
}

/**
 * Returns the orders that depend on no other order of the list. All others can only be settled
 * after one of these.
 */
function independentIds(orders: readonly DependencyTerms[]): readonly string[] {
  const ids = new Set(orders.map(({ sharePurchaseId }) => sharePurchaseId))
  return orders
    .filter(({ restsOn = [] }) => !restsOn.some((id) => ids.has(id)))
    .map(({ sharePurchaseId }) => sharePurchaseId)
}

type Dependency = Pick<SharePurchase, 'sharePurchaseId' | 'status'>

/**
 * Throws unless one of the dependencies is settled. @param dependencies the stored orders of
 * `restsOn`; salvage may have lost some
 */
export function requireSettledDependency(
  { restsOn = [] }: Pick<SharePurchase, 'restsOn'>,
  dependencies: readonly Dependency[],
): void {
  const [first] = restsOn
  if (first === undefined || hasSettledDependency(dependencies)) return
  const pending = dependencies.find(({ status }) => isPending(status))
  const { sharePurchaseId, status } = pending ??
    dependencies[0] ?? { sharePurchaseId: first, status: null }
  throw new Problem(
    'SHARE_PURCHASE_ILLEGAL_STATE',
    `The share purchase cannot be settled${pending ? ' yet' : ''}: its entry fee or minimum number of shares depends on share purchase ${sharePurchaseId}, which is ${status ?? 'not in the store'}. ${pending ? 'Settle that share purchase first.' : 'Reject this share purchase.'}`,
  )
}

function hasSettledDependency(dependencies: readonly Dependency[]): boolean {
  return dependencies.some(({ status }) => status === 'settled')
}

/** Whether an order depends on others, and therefore cannot be settled yet or ever. */
export function isHeldUp(
  { restsOn = [] }: Pick<SharePurchase, 'restsOn'>,
  dependencies: readonly Dependency[],
): boolean {
  return restsOn.length > 0 && !hasSettledDependency(dependencies)
}

/** Whether a pending order can only be rejected, because all its dependencies have ended. */
export function hasLostDependencies(
  order: Dependent,
  dependencies: readonly Dependency[],
): boolean {
  return dependsOnOthers(order) && !hasLiveDependency(dependencies)
}

/** Whether a dependency is settled or can still be settled. */
function hasLiveDependency(dependencies: readonly Dependency[]): boolean {
  return dependencies.some(({ status }) => status === 'settled' || isPending(status))
}

/**
 * Whether nothing that an order depends on is left, once the lost orders have ended. @param stored the orders of
 * `restsOn` by id
 */
export function isOrphan(
  { restsOn = [] }: Pick<SharePurchase, 'restsOn'>,
  stored: ReadonlyMap<string, Dependency>,
  lost: { has(id: string): boolean },
): boolean {
  const left = restsOn.filter((id) => !lost.has(id))
  return !hasLiveDependency(left.flatMap((id) => stored.get(id) ?? []))
}

/** Returns the orders that depend on each order, by its id. */
export function groupByDependency<Order extends Pick<SharePurchase, 'restsOn'>>(
  orders: readonly Order[],
): ReadonlyMap<string, readonly Order[]> {
  const groups = new Map<string, Order[]>()
  for (const order of orders) {
    for (const id of order.restsOn ?? []) {
      const group = groups.get(id)
      if (group) group.push(order)
      else groups.set(id, [order])
    }
  }
  return groups
}

export function isPending(status: SharePurchaseStatus): boolean {
  return status === 'submitted' || status === 'approved'
}

/** The reason that is recorded when an order is rejected with its last dependency. */
export function lostDependencyReason({ sharePurchaseId, status }: Dependency): string {
  return `Share purchase ${sharePurchaseId}, on which this one depended for its entry fee or minimum number of shares, was ${status}.`
}

export interface RelatedOrder {
  readonly id: string
  readonly restsOn: readonly string[]
}

/** Batches are done one after the other; within a batch the order does not matter. */
export type Batches = readonly (readonly string[])[]

/** Each order is in a later batch than those of the list that it depends on. */
export function inBatches(purchases: readonly RelatedOrder[]): Batches {
  const batches: string[][] = []
  let left = purchases
  while (left.length > 0) {
    const open = new Set(left.map(({ id }) => id.toLowerCase()))
    const rests = ({ restsOn }: RelatedOrder) => restsOn.some((id) => open.has(id))
    const resting = left.filter(rests)
    // A damaged store could contain a cycle, and the decision must end nevertheless.
    const isEndless = resting.length === left.length
    const free = isEndless ? left : left.filter((purchase) => !rests(purchase))
    batches.push(free.map(({ id }) => id))
    left = isEndless ? [] : resting
  }
  return batches
}
