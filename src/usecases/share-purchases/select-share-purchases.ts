import type {
  SharePurchase,
  SharePurchaseStatus,
} from '../../domain/share-purchases/share-purchase.ts'
import { inBatches } from '../in-batches.ts'
import { requireOrganization } from '../organizations/require-organization.ts'
import type { Service } from '../service.ts'

export interface SharePurchaseSelection {
  readonly status?: SharePurchaseStatus | undefined
  /** An id or an exact name. */
  readonly organization?: string | undefined
  readonly limit?: number | undefined
}

/** For operators, who see every organization's; oldest first, in batches. */
export async function* selectSharePurchases(
  { store }: Pick<Service, 'store'>,
  { status, organization, limit }: SharePurchaseSelection,
): AsyncGenerator<readonly SharePurchase[]> {
  const owner =
    organization === undefined
      ? undefined
      : await store.read((records) => requireOrganization(records, organization))
  const filter = { status, organizationId: owner?.organizationId }
  yield* inBatches(store, {
    list: ({ sharePurchases }, page) => sharePurchases.list({ ...filter, ...page }),
    idOf: ({ sharePurchaseId }) => sharePurchaseId,
    limit,
  })
}
