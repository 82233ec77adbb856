import type { Cooperative } from '../cooperatives/cooperative.ts'
import type { Holding } from '../holdings/holding.ts'
import type { FieldErrors } from '../problem.ts'
import type { SharePurchaseRequest } from './share-purchase-request.ts'

/** What every store can count. */
const mostShares = 1_000_000_000

/**
 * What is wrong with an order beside what the investor has. Spec gap: an owner may top up with less than the minimum;
 * see DECISIONS.md, bounds of an order.
 */
export function positionFaults(
  { shareCount }: Pick<SharePurchaseRequest, 'shareCount'>,
  { minimumShares }: Pick<Cooperative, 'minimumShares'>,
  { shares, pendingShares }: Pick<Holding, 'shares' | 'pendingShares'>,
): FieldErrors {
  const owned = shares + pendingShares
  const [least, most] = [minimumShares - owned, mostShares - owned]
  if (shareCount < least) {
    return refuse(`must be at least ${least}, to reach the minimum of ${minimumShares} shares`)
  }
  return shareCount > most
    ? refuse(`must be at most ${most}, because nobody holds more than ${mostShares} shares`)
    : {}
}

function refuse(fault: string): FieldErrors {
  return { share_count: fault }
}
