import type { Cooperative } from '../cooperatives/cooperative.ts'
import { addMoney, currency, type Money, multiplyMoney, zero } from '../money.ts'
import type { SharePurchase } from './share-purchase.ts'

export type Terms = Pick<SharePurchase, 'pricePerShare' | 'entryFee' | 'total' | 'currency'>

/** `isMember`: shares of the cooperative are already held, or pending in an order that joins it. Spec gap: one joins once, see DECISIONS.md, total. */
export function computeTerms(
  { sharePrice, entryFee: fee }: Pick<Cooperative, 'sharePrice' | 'entryFee'>,
  { shareCount, isMember }: { readonly shareCount: number; readonly isMember: boolean },
): Terms {
  const pricePerShare = sharePrice
  const entryFee = isMember ? zero : fee
  const total = computeTotal({ shareCount, pricePerShare, entryFee })
  return { pricePerShare, entryFee, total, currency }
}

export function computeTotal({
  shareCount,
  pricePerShare,
  entryFee,
}: Pick<SharePurchase, 'shareCount' | 'pricePerShare' | 'entryFee'>): Money {
  return addMoney(multiplyMoney(pricePerShare, shareCount), entryFee)
}
