import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { Service } from '../service.ts'
import { type OwnedSharePurchase, requireSharePurchase } from './require-share-purchase.ts'

export function readSharePurchase(
  { store }: Service,
  owned: OwnedSharePurchase,
): Promise<SharePurchase> {
  return store.read((records) => requireSharePurchase(records, owned))
}
