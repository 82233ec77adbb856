import { collectErrors, type FieldErrors, Problem } from '../problem.ts'
import { isInFuture, type Timestamp } from '../timestamp.ts'
import { scheduleFate } from './fate.ts'
import type {
  SharePurchase,
  SharePurchaseStatus,
  SharePurchaseTransition,
} from './share-purchase.ts'

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
  const error = transitionError(from, to)
  if (error) throw error
}

/** Why an order in one status cannot get another one next; undefined if it can. */
function transitionError(from: SharePurchaseStatus, to: SharePurchaseStatus): Problem | undefined {
  const possible: readonly SharePurchaseStatus[] = possibleFrom[from]
  if (possible.includes(to)) return undefined
  const remaining =
    possible.length === 0 ? 'which is final' : `and can only become ${alternatives(possible)}`
  return new Problem(
    'SHARE_PURCHASE_ILLEGAL_STATE',
    `The share purchase cannot become ${to}: it is ${from}, ${remaining}.`,
  )
}

function alternatives(possible: readonly SharePurchaseStatus[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(possible)
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

/** An order of the past with the times of its transitions. */
export interface PastOrder {
  readonly status: SharePurchaseStatus
  readonly createdAt: Timestamp
  /** Oldest first. */
  readonly history: readonly SharePurchaseTransition[]
}

/**
 * Returns all errors of an order that is imported with its dates: it must have followed the life
 * cycle of every order.
 */
export function historyErrors(
  { status, createdAt, history }: PastOrder,
  now: Timestamp,
): FieldErrors {
  const last = history.at(-1)
  return collectErrors({
    createdAt:
      history[0] && createdAt > history[0].at && 'must not be after the first time in history',
    status: last && last.to !== status && `must be ${last.to}, the last status in history`,
    ...Object.fromEntries(
      history.flatMap(({ to, at }, index) => {
        const before = history[index - 1]
        const path = `history.${index}`
        return [
          [`${path}.status`, statusError(to, before)],
          [
            `${path}.at`,
            timeError(at, before) || (isInFuture(at, now) && 'must not be in the future'),
          ],
        ]
      }),
    ),
  })
}

function statusError(
  to: SharePurchaseStatus,
  before: SharePurchaseTransition | undefined,
): string | false | undefined {
  const possible = before ? possibleFrom[before.to] : (['submitted'] as const)
  if (possible.some((status) => status === to)) return undefined
  if (possible.length === 0) return `must be left out: nothing follows ${before?.to}`
  return `must be ${alternatives(possible)}${before ? ` after ${before.to}` : ', the first status of an order'}`
}

function timeError(
  at: Timestamp,
  before: SharePurchaseTransition | undefined,
): string | false | undefined {
  return before !== undefined && at < before.at && 'must not be before the previous time'
}
