import type { Holding } from '../../domain/holdings/holding.ts'
import type { Page, PageRequest } from '../../domain/page.ts'
import { requireInvestor } from '../investors/require-investor.ts'
import type { Service } from '../service.ts'

export interface ListHoldings {
  readonly organizationId: string
  readonly investorId: string
  readonly page: PageRequest
}

export function listHoldings(
  { store }: Service,
  { organizationId, investorId: id, page }: ListHoldings,
): Promise<Page<Holding>> {
  return store.read(async (records) => {
    const { investorId } = await requireInvestor(records, organizationId, id)
    return records.holdings.pageByInvestor(organizationId, investorId, page)
  })
}
