import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import { type Holding, openHolding } from '../../domain/holdings/holding.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import type { Page, PageRequest } from '../../domain/page.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { requireInvestor } from '../investors/investors.ts'
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

export interface HoldingOwner {
  readonly investor: Pick<Investor, 'organizationId' | 'investorId'>
  readonly cooperative: Pick<Cooperative, 'id'>
  readonly now: Timestamp
}

/** Returns the holding of the position; a new one is not stored yet. */
export async function findOrOpenHolding(
  { holdings }: ReadableRecords,
  { random }: Service,
  { investor, cooperative, now }: HoldingOwner,
): Promise<Holding> {
  const { organizationId, investorId } = investor
  const found = await holdings.find(organizationId, investorId, cooperative.id)
  if (found) return found
  const id = random.id()
  return openHolding({ id, organizationId, investorId, cooperativeId: cooperative.id }, now)
}
