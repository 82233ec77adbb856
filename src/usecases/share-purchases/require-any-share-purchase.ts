import { Problem } from '../../domain/problem.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { ReadableRecords } from '../../ports/store.ts'

/** For operators, who see every organisation's. */
export async function requireAnySharePurchase(
  { sharePurchases }: ReadableRecords,
  sharePurchaseId: string,
): Promise<SharePurchase> {
  const found = await sharePurchases.find(sharePurchaseId.toLowerCase())
  if (found) return found
  throw new Problem(
    'SHARE_PURCHASE_NOT_FOUND',
    `No share purchase has the id ${sharePurchaseId}. "coopshare purchase list" shows all of them.`,
  )
}
