import type { Page, PageRequest } from '../../domain/page.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import { requireInvestor } from '../investors/require-investor.ts'
import type { Service } from '../service.ts'

export interface ListSharePurchases {
  readonly organizationId: string
  readonly investorId: string
  readonly page: PageRequest
}

/** Newest first. */
export function listSharePurchases(
  { store }: Service,
  { organizationId, investorId: id, page }: ListSharePurchases,
): Promise<Page<SharePurchase>> {
  return store.read(async (records) => {
    const { investorId } = await requireInvestor(records, organizationId, id)
    return records.sharePurchases.pageByInvestor(organizationId, investorId, page)
  })
}
