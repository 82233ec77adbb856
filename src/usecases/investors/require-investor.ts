import type { StoredInvestor } from '../../domain/investors/investor.ts'
import { Problem } from '../../domain/problem.ts'
import { isUuid } from '../../domain/uuid.ts'
import type { ReadableRecords } from '../../ports/store.ts'

/** Another organisation's investor, an unknown one and an id that is none are one and the same answer. */
export async function requireInvestor(
  records: ReadableRecords,
  organizationId: string,
  investorId: string,
): Promise<StoredInvestor> {
  // RFC 9562 4: UUIDs are read without regard to case.
  const id = investorId.toLowerCase()
  const stored = isUuid(id) ? await records.investors.get(organizationId, id) : undefined
  return stored ?? refuseUnknownInvestor()
}

export function refuseUnknownInvestor(): never {
  throw new Problem('MANAGED_INVESTOR_NOT_FOUND', 'None of your investors has this identification.')
}
