import type { Cooperative } from '../cooperatives/cooperative.ts'
import { addMoney, currency, multiplyMoney, zero } from '../money.ts'
import type { SharePurchase } from './share-purchase.ts'

export type Terms = Pick<SharePurchase, 'pricePerShare' | 'entryFee' | 'total' | 'currency'>

/** `isMember`: shares of the cooperative are already held or pending. Spec gap: one joins once, see DECISIONS.md, total. */
export function computeTerms(
  { sharePrice, entryFee: fee }: Pick<Cooperative, 'sharePrice' | 'entryFee'>,
  { shareCount, isMember }: { readonly shareCount: number; readonly isMember: boolean },
): Terms {
  const entryFee = isMember ? zero : fee
  const total = addMoney(multiplyMoney(sharePrice, shareCount), entryFee)
  return { pricePerShare: sharePrice, entryFee, total, currency }
}
