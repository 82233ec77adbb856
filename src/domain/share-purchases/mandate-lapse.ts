import { platformDay, type Timestamp } from '../timestamp.ts'
import type { SharePurchase, SharePurchaseStatus } from './share-purchase.ts'

const years = 3

/**
 * Whether a mandate has lapsed that was last used then, or signed then and never used (SEPA core rulebook: 36 months).
 * Days of the platform count, because the files of the bank have days. Spec gap: see DECISIONS.md, D4.
 */
export function hasLapsed(lastUsedAt: Timestamp, now: Timestamp): boolean {
  // A lapsed mandate is three or more years older, in UTC too. Most are recent, and need no calendar.
  if (Number(now.slice(0, 4)) - Number(lastUsedAt.slice(0, 4)) < years) return false
  const today = platformDay(now)
  // On 29 February the text is no day, but the order of texts is right nevertheless.
  const earliest = `${Number(today.slice(0, 4)) - years}${today.slice(4)}`
  return platformDay(lastUsedAt) < earliest
}

/** An order that ended so may have been approved before. */
export const endedStatuses: readonly SharePurchaseStatus[] = ['rejected', 'cancelled']

/** Whether money was collected with the mandate of an order, or may still be. */
export function usesMandate({
  status,
  transitions,
}: Pick<SharePurchase, 'status' | 'transitions'>): boolean {
  return !endedStatuses.includes(status) || transitions.some(({ to }) => to === 'approved')
}
