import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { Service } from '../service.ts'
import { requireAnySharePurchase } from './require-any-share-purchase.ts'

/** For operators. */
export function readAnySharePurchase(
  { store }: Service,
  sharePurchaseId: string,
): Promise<SharePurchase> {
  return store.read((records) => requireAnySharePurchase(records, sharePurchaseId))
}
