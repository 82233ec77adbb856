import type { Investor } from '../../domain/investors/investor.ts'
import type { Service } from '../service.ts'
import { openInvestor } from './personal-data.ts'
import { refuseUnknownInvestor } from './require-investor.ts'

/** By the partner's own reference. Not finding one is an answer of the spec: MANAGED_INVESTOR_NOT_FOUND. */
export async function findInvestor(
  service: Service,
  { organizationId, partnerCustomerRef }: Pick<Investor, 'organizationId' | 'partnerCustomerRef'>,
): Promise<Investor> {
  const stored = await service.store.read((records) =>
    records.investors.findByPartnerCustomerRef(organizationId, partnerCustomerRef),
  )
  return stored ? openInvestor(service.vault, stored) : refuseUnknownInvestor()
}
