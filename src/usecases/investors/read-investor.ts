import type { Investor } from '../../domain/investors/investor.ts'
import type { Service } from '../service.ts'
import { openInvestor } from './personal-data.ts'
import { requireInvestor } from './require-investor.ts'

export interface InvestorReference {
  readonly organizationId: string
  readonly investorId: string
}

export async function readInvestor(
  service: Service,
  { organizationId, investorId }: InvestorReference,
): Promise<Investor> {
  const stored = await service.store.read((records) =>
    requireInvestor(records, organizationId, investorId),
  )
  return openInvestor(service.vault, stored)
}
