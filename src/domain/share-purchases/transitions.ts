import { Problem } from '../problem.ts'
import type { Timestamp } from '../timestamp.ts'
import { type SharePurchase, type SharePurchaseStatus, scheduleFate } from './share-purchase.ts'

/** spec: States and transitions. Spec gaps: see DECISIONS.md, D5. */
const possibleFrom = {
  draft: ['submitted', 'rejected', 'cancelled'],
  submitted: ['approved', 'rejected', 'cancelled'],
  approved: ['settled', 'rejected'],
  settled: [],
  rejected: [],
  cancelled: [],
} as const satisfies Record<SharePurchaseStatus, readonly SharePurchaseStatus[]>

export function requireTransition(from: SharePurchaseStatus, to: SharePurchaseStatus): void {
  const possible: readonly SharePurchaseStatus[] = possibleFrom[from]
  if (possible.includes(to)) return
  const remaining =
    possible.length === 0 ? 'which is final' : `and can only become ${possible.join(' or ')}`
  throw new Problem(
    'SHARE_PURCHASE_ILLEGAL_STATE',
    `The share purchase cannot become ${to}: it is ${from}, ${remaining}.`,
  )
}

/** Whether an order in this status is in the other status or can reach it. */
export function canReach(from: SharePurchaseStatus, to: SharePurchaseStatus): boolean {
  return from === to || possibleFrom[from].some((next) => canReach(next, to))
}

export interface Transition {
  readonly to: SharePurchaseStatus
  readonly at: Timestamp
  readonly reason?: string | null | undefined
}

export function applyTransition(
  sharePurchase: SharePurchase,
  { to, at, reason }: Transition,
): SharePurchase {
  requireTransition(sharePurchase.status, to)
  const { proposal: _, ...others } = sharePurchase
  return scheduleFate({
    ...others,
    status: to,
    reason: reason ?? sharePurchase.reason,
    transitions: [...sharePurchase.transitions, { to, at }],
    updatedAt: at,
  })
}
