import type {
  SharePurchase,
  SharePurchaseStatus,
} from '../../domain/share-purchases/share-purchase.ts'
import { requireOrganization } from '../organizations/require-organization.ts'
import type { Service } from '../service.ts'

export interface ListAllSharePurchases {
  readonly status?: SharePurchaseStatus | undefined
  /** An id or an exact name. */
  readonly organization?: string | undefined
  readonly limit?: number | undefined
}

/** For operators, who see every organisation's; oldest first. */
export function listAllSharePurchases(
  { store }: Service,
  { status, organization, limit }: ListAllSharePurchases,
): Promise<readonly SharePurchase[]> {
  return store.read(async (records) => {
    const owner =
      organization === undefined ? undefined : await requireOrganization(records, organization)
    return records.sharePurchases.list({ status, organizationId: owner?.organizationId, limit })
  })
}
