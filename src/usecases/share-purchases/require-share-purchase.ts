import { Problem } from '../../domain/problem.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import { isUuid } from '../../domain/uuid.ts'
import type { ReadableRecords } from '../../ports/store.ts'

export interface OwnedSharePurchase {
  readonly organizationId: string
  readonly investorId: string
  readonly sharePurchaseId: string
}

/** Unknown, another investor's, another organisation's and an id that is none are one and the same answer. */
export async function requireSharePurchase(
  { sharePurchases }: ReadableRecords,
  { organizationId, investorId, sharePurchaseId }: OwnedSharePurchase,
): Promise<SharePurchase> {
  // RFC 9562 4: UUIDs are read without regard to case.
  const id = sharePurchaseId.toLowerCase()
  const found = isUuid(id) ? await sharePurchases.get(organizationId, id) : undefined
  if (found?.investorId === investorId.toLowerCase()) return found
  throw new Problem(
    'SHARE_PURCHASE_NOT_FOUND',
    'The investor has no share purchase with this identification.',
  )
}
