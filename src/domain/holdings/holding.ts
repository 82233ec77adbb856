import type { SharePurchase, SharePurchaseStatus } from '../share-purchases/share-purchase.ts'
import type { Timestamp } from '../timestamp.ts'

/** An investor's position in a cooperative; one per investor and cooperative. */
export interface Holding {
  readonly id: string
  readonly organizationId: string
  readonly investorId: string
  readonly cooperativeId: string
  /** Shares of settled orders. */
  readonly shares: number
  /** Shares of submitted and approved orders. */
  readonly pendingShares: number
  /** null until the first settlement. */
  readonly firstAcquiredAt: Timestamp | null
  /** The settled orders whose payment came back and is not paid since. Absent if there are none. */
  readonly returnedPayments?: number
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** Spec gap: an empty position is not listed; see DECISIONS.md, D8. */
export function isListed(holding: Holding): boolean {
  return holding.shares + holding.pendingShares > 0
}

/**
 * The field of the holding that counts the shares of an order in each status. A draft does not
 * count.
 */
export const sharesFieldByStatus: Readonly<
  Record<SharePurchaseStatus, 'shares' | 'pendingShares' | undefined>
> = {
  draft: undefined,
  submitted: 'pendingShares',
  approved: 'pendingShares',
  settled: 'shares',
  rejected: undefined,
  cancelled: undefined,
}

type Order = Pick<SharePurchase, 'shareCount' | 'updatedAt'>

/** An empty position before its first order. */
export function openHolding(
  whose: Pick<Holding, 'id' | 'organizationId' | 'investorId' | 'cooperativeId'>,
  at: Timestamp,
): Holding {
  return {
    shares: 0,
    pendingShares: 0,
    firstAcquiredAt: null,
    createdAt: at,
    updatedAt: at,
    ...whose,
  }
}

/**
 * Applies the last transition of an order to its position. Returns the same object if nothing
 * changes.
 */
export function applyToHolding(holding: Holding, sharePurchase: SharePurchase): Holding {
  switch (sharePurchase.status) {
    case 'submitted':
      return place(holding, sharePurchase)
    case 'settled':
      return settle(holding, sharePurchase)
    case 'rejected':
    case 'cancelled':
      return wasPlaced(sharePurchase) ? release(holding, sharePurchase) : holding
    case 'draft':
    case 'approved':
      return holding
  }
}

function wasPlaced({ transitions }: SharePurchase): boolean {
  return transitions.some(({ to }) => to === 'submitted')
}

function place(holding: Holding, { shareCount, updatedAt }: Order): Holding {
  return { ...holding, pendingShares: holding.pendingShares + shareCount, updatedAt }
}

function release(holding: Holding, { shareCount, updatedAt }: Order): Holding {
  const pendingShares = holding.pendingShares - shareCount
  if (pendingShares < 0)
    throw new RangeError('An order has more shares than are pending in its holding.')
  return { ...holding, pendingShares, updatedAt }
}

function settle(holding: Holding, sharePurchase: Order): Holding {
  const { shareCount, updatedAt } = sharePurchase
  return {
    ...release(holding, sharePurchase),
    shares: holding.shares + shareCount,
    firstAcquiredAt: holding.firstAcquiredAt ?? updatedAt,
  }
}
