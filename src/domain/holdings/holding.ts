import type { Timestamp } from '../timestamp.ts'

/** An investor's position in a cooperative; one per investor and cooperative. */
export interface Holding {
  readonly id: string
  readonly organizationId: string
  readonly investorId: string
  readonly cooperativeId: string
  /** Settled. */
  readonly shares: number
  /** In orders placed but not yet settled. */
  readonly pendingShares: number
  /** null until the first settlement. */
  readonly firstAcquiredAt: Timestamp | null
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** Spec gap: a position of nothing is not shown; see DECISIONS.md, holdings. */
export function isListed(holding: Holding): boolean {
  return holding.shares + holding.pendingShares > 0
}
