import type { Cooperative } from '../cooperatives/cooperative.ts'
import type { Holding } from '../holdings/holding.ts'
import type { FieldErrors } from '../problem.ts'
import type { SharePurchaseRequest } from './share-purchase-request.ts'

/** Spec gap: an owner may top up with less than the minimum; see DECISIONS.md, bounds of an order. */
export function minimumSharesFaults(
  { shareCount }: Pick<SharePurchaseRequest, 'shareCount'>,
  { minimumShares }: Pick<Cooperative, 'minimumShares'>,
  { shares, pendingShares }: Pick<Holding, 'shares' | 'pendingShares'>,
): FieldErrors {
  const missing = minimumShares - shares - pendingShares
  return shareCount >= missing
    ? {}
    : {
        share_count: `must be at least ${missing}, to reach the minimum of ${minimumShares} shares`,
      }
}
