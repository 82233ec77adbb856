import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import { openHolding } from '../../domain/holdings/change-holding.ts'
import type { Holding } from '../../domain/holdings/holding.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { Service } from '../service.ts'

export interface Whose {
  readonly investor: Pick<Investor, 'organizationId' | 'investorId'>
  readonly cooperative: Pick<Cooperative, 'id'>
  readonly now: Timestamp
}

/** One per investor and cooperative; a new one is not stored yet. */
export async function findOrOpenHolding(
  { holdings }: ReadableRecords,
  { random }: Service,
  { investor, cooperative, now }: Whose,
): Promise<Holding> {
  const { organizationId, investorId } = investor
  const found = await holdings.find(organizationId, investorId, cooperative.id)
  if (found) return found
  const id = random.id()
  return openHolding({ id, organizationId, investorId, cooperativeId: cooperative.id }, now)
}
