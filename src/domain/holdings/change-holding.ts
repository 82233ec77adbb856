import type { SharePurchase, SharePurchaseStatus } from '../share-purchases/share-purchase.ts'
import type { Timestamp } from '../timestamp.ts'
import type { Holding } from './holding.ts'

/** Where the shares of an order count in its holding: a draft is no part of any. */
export const countsAs: Readonly<
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

/** A position of nothing, from which the first order starts. */
export function openHolding(
  whose: Pick<Holding, 'id' | 'organizationId' | 'investorId' | 'cooperativeId'>,
  at: Timestamp,
): Holding {
  const nothing = { shares: 0, pendingShares: 0, firstAcquiredAt: null }
  return { ...whose, ...nothing, createdAt: at, updatedAt: at }
}

/** What the transition that an order has just made does to the position; the same object when it does nothing. */
export function changeHolding(holding: Holding, sharePurchase: SharePurchase): Holding {
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
    throw new RangeError('An order is worth more than its holding has pending.')
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
