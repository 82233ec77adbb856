import type { Cooperative } from '../cooperatives/cooperative.ts'
import type { Holding } from '../holdings/holding.ts'
import { minorUnits } from '../money.ts'
import { Problem } from '../problem.ts'
import type { SharePurchase, SharePurchaseStatus } from './share-purchase.ts'

/**
 * An order may be placed without the entry fee, or below the minimum number of shares, only because other orders of the
 * same investor and cooperative are pending. Those carry it. Settled shares carry every later order for good.
 */

/** Only the oldest pending orders can carry another, which bounds what is stored with each order. */
export const maximumCarriers = 100

type Position = Pick<Holding, 'shares' | 'pendingShares'>
type Rules = Pick<Cooperative, 'entryFee' | 'minimumShares'>
type Carrying = Pick<SharePurchase, 'sharePurchaseId' | 'entryFee' | 'restsOn'>

export interface Footing {
  /** Joined already, so that no entry fee is due. */
  readonly isMember: boolean
  readonly restsOn: readonly string[]
}

/** Whether the pending orders have to be looked at before an order can be placed. */
export function maybeRests(shareCount: number, rules: Rules, holding: Position): boolean {
  const needs = needsOf(shareCount, rules, holding)
  return holding.pendingShares > 0 && (needs.fee || needs.shares)
}

/** `pending`: the oldest submitted and approved orders of the same investor and cooperative, oldest first. */
export function footingOf(
  shareCount: number,
  { rules, holding }: { readonly rules: Rules; readonly holding: Position },
  pending: readonly Carrying[],
): Footing {
  const needs = needsOf(shareCount, rules, holding)
  const members = pending.filter(carriesMembership)
  const isMember = holding.shares > 0 || members.length > 0
  if (needs.fee && isMember) return { isMember, restsOn: independentOf(members) }
  return { isMember, restsOn: needs.shares ? independentOf(pending) : [] }
}

/** What settled shares do not give the order. */
function needsOf(shareCount: number, { entryFee, minimumShares }: Rules, { shares }: Position) {
  return {
    fee: shares === 0 && minorUnits(entryFee) > 0n,
    shares: shares + shareCount < minimumShares,
  }
}

/** An order from before carriers were recorded only carries the fee if it has one: nobody knows why it has none. */
function carriesMembership({ restsOn, entryFee }: Carrying): boolean {
  return restsOn !== undefined || minorUnits(entryFee) > 0n
}

/** Those that rest on no other pending order: with them, everything that rests on them stands or falls. */
function independentOf(orders: readonly Carrying[]): readonly string[] {
  const ids = new Set(orders.map(({ sharePurchaseId }) => sharePurchaseId))
  return orders
    .filter(({ restsOn = [] }) => !restsOn.some((id) => ids.has(id)))
    .map(({ sharePurchaseId }) => sharePurchaseId)
}

type Carrier = Pick<SharePurchase, 'sharePurchaseId' | 'status'>

/** `carriers`: those of the orders in `restsOn` that are stored. Salvage may have lost some, or all of them. */
export function requireSettledCarrier(
  { restsOn = [] }: Pick<SharePurchase, 'restsOn'>,
  carriers: readonly Carrier[],
): void {
  const [first] = restsOn
  if (first === undefined || carriers.some(({ status }) => status === 'settled')) return
  const pending = carriers.find(({ status }) => isPending(status))
  const { sharePurchaseId, status } = pending ??
    carriers[0] ?? { sharePurchaseId: first, status: null }
  const advice = pending ? ' Settle that one first.' : ' Reject this one.'
  throw new Problem(
    'SHARE_PURCHASE_ILLEGAL_STATE',
    `The share purchase cannot be settled${pending ? ' yet' : ''}: its entry fee or minimum number of shares depends on share purchase ${sharePurchaseId}, which is ${status ?? 'not in the store'}.${advice}`,
  )
}

/** Whether an order waits for a decision that can only be to reject it, because none of those that it rests on is left. */
export function hasLostCarriers(
  { status, restsOn = [] }: Pick<SharePurchase, 'status' | 'restsOn'>,
  carriers: readonly Carrier[],
): boolean {
  return isPending(status) && restsOn.length > 0 && !isCarried(carriers)
}

/** Whether an order that rests on these may still be settled one day. */
export function isCarried(carriers: readonly Carrier[]): boolean {
  return carriers.some(({ status }) => status === 'settled' || isPending(status))
}

function isPending(status: SharePurchaseStatus): boolean {
  return status === 'submitted' || status === 'approved'
}

/** Why an order is rejected with the last one that carried it. */
export function reasonOfLoss({ sharePurchaseId, status }: Carrier): string {
  return `Share purchase ${sharePurchaseId}, on which this one depended for its entry fee or minimum number of shares, was ${status}.`
}
