import type { Cooperative } from '../cooperatives/cooperative.ts'
import type { Holding } from '../holdings/holding.ts'
import type { FieldErrors } from '../problem.ts'
import type { SharePurchaseRequest } from './share-purchase-request.ts'

type Position = Pick<Holding, 'shares' | 'pendingShares'>

/** What every store can count. */
const mostShares = 1_000_000_000

/**
 * What is wrong with an order beside what the investor has. Spec gap: an owner may top up with less than the minimum;
 * see DECISIONS.md, bounds of an order.
 */
export function positionFaults(
  { shareCount }: Pick<SharePurchaseRequest, 'shareCount'>,
  { minimumShares }: Pick<Cooperative, 'minimumShares'>,
  holding: Position,
): FieldErrors {
  const least = minimumShares - ownedOf(holding)
  return shareCount < least
    ? refuse(`must be at least ${least}, to reach the minimum of ${minimumShares} shares`)
    : excessFaults({ shareCount }, holding)
}

/** The bound that holds for every order, whenever it was placed. */
export function excessFaults(
  { shareCount }: Pick<SharePurchaseRequest, 'shareCount'>,
  holding: Position,
): FieldErrors {
  const most = mostShares - ownedOf(holding)
  return shareCount > most
    ? refuse(`must be at most ${most}, because nobody holds more than ${mostShares} shares`)
    : {}
}

function ownedOf({ shares, pendingShares }: Position): number {
  return shares + pendingShares
}

function refuse(fault: string): FieldErrors {
  return { share_count: fault }
}
