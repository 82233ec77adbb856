import type { SharePurchaseStatus } from './share-purchase.ts'

/** A page stops counting the orders of a status there, so that it takes no longer in a larger store. */
export const mostCounted = 10_000

export const orderSortKeys = [
  'created_at',
  'investor',
  'status',
  'organization',
  'cooperative',
  'share_count',
  'total',
] as const

export interface OrderSort {
  /** `created_at` stands for the time by which the list is filtered, which may be that of the settlement. */
  readonly key: (typeof orderSortKeys)[number]
  readonly isDescending: boolean
}

/** Where the page is in the list. Without a value, it is the first page. */
export interface OrderPlace {
  /** After the order with this id. */
  readonly after?: string | undefined
  /** Before the order with this id. */
  readonly before?: string | undefined
  readonly isLast?: boolean | undefined
}

export interface Counted {
  readonly count: number
  /** Whether there are more than `count`. */
  readonly isMore: boolean
}

export type OrderCounts = Readonly<Record<SharePurchaseStatus, Counted>>

/** The number of orders in a list. */
export function totalOf(counts: OrderCounts, status: SharePurchaseStatus | undefined): Counted {
  if (status !== undefined) return counts[status]
  const all = Object.values(counts)
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    isMore: all.some(({ isMore }) => isMore),
  }
}
