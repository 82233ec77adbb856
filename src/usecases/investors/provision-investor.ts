import type { Investor, StoredInvestor } from '../../domain/investors/investor.ts'
import { Problem, requireValid } from '../../domain/problem.ts'
import { UniquenessError } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { openInvestor, sealInvestor } from './investors.ts'
import { prepareProfile } from './profile.ts'
import {
  digestProvision,
  emailOf,
  findDifferences,
  type ProvisionRequest,
  provisionErrors,
} from './provision-request.ts'

export interface Provisioned {
  readonly investor: Investor
  /** False if the investor already existed with the same details. */
  readonly isNew: boolean
}

/**
 * Idempotent by the partner's reference, so that a retry after a lost response creates no second
 * investor.
 */
export async function provisionInvestor(
  service: Service,
  request: ProvisionRequest,
): Promise<Provisioned> {
  requireValid(provisionErrors(request, service.clock.now()))
  const known = await findKnown(service, request)
  if (known) return replay(service, request, known)
  const investor = await createInvestor(service, request)
  return addOrReplay(service, request, investor)
}

async function createInvestor(service: Service, request: ProvisionRequest): Promise<Investor> {
  const now = service.clock.now()
  return {
    investorId: service.random.id(),
    organizationId: request.organizationId,
    partnerCustomerRef: request.partnerCustomerRef,
    email: emailOf(request),
    profile: request.profile && (await prepareProfile(service, request.profile)),
    firstSentDigest: digestProvision(request),
    createdAt: now,
    updatedAt: now,
  }
}

async function addOrReplay(
  service: Service,
  request: ProvisionRequest,
  investor: Investor,
): Promise<Provisioned> {
  const stored = sealInvestor(service, investor)
  try {
    await service.store.write(stored.investorId, (records) => records.investors.put(stored))
    return { investor, isNew: true }
  } catch (error) {
    if (!(error instanceof UniquenessError)) throw error
    const winner = await findKnown(service, request)
    if (!winner) throw error
    return replay(service, request, winner)
  }
}

function findKnown(
  service: Service,
  { organizationId, partnerCustomerRef }: ProvisionRequest,
): Promise<StoredInvestor | undefined> {
  return service.store.read((records) =>
    records.investors.findByPartnerCustomerRef(organizationId, partnerCustomerRef),
  )
}

function replay(service: Service, request: ProvisionRequest, known: StoredInvestor): Provisioned {
  const investor = openInvestor(service.vault, known)
  const differences = findDifferences(request, investor)
  const isFirst = investor.firstSentDigest === digestProvision(request)
  if (isFirst || differences.length === 0) return { investor, isNew: false }
  throw new Problem(
    'MANAGED_INVESTOR_PROFILE_CONFLICT',
    `An investor with this partnerCustomerRef already exists with different details: ${differences.join(', ')}. To change them, replace the profile with PUT.`,
    { fields: ['partnerCustomerRef', ...differences] },
  )
}
