import type { Holding } from '../../domain/holdings/holding.ts'

/** spec: Holding. */
export function renderHolding(holding: Holding) {
  return {
    id: holding.id,
    cooperative_id: holding.cooperativeId,
    investor_id: holding.investorId,
    shares: holding.shares,
    pending_shares: holding.pendingShares,
    first_acquired_at: holding.firstAcquiredAt,
    created_at: holding.createdAt,
    updated_at: holding.updatedAt,
  }
}
