import type { Investor } from '../../domain/investors/investor.ts'
import type { Parts } from '../../domain/parts.ts'
import type { FieldErrors } from '../../domain/problem.ts'
import { positionFaults } from '../../domain/share-purchases/position-faults.ts'
import { sharePurchaseFaults } from '../../domain/share-purchases/share-purchase-faults.ts'
import type { SharePurchaseRequest } from '../../domain/share-purchases/share-purchase-request.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { openInvestor } from '../investors/personal-data.ts'
import type { InvestorReference } from '../investors/read-investor.ts'
import { requireInvestor } from '../investors/require-investor.ts'
import type { Service } from '../service.ts'
import { findOrOpenHolding } from './find-or-open-holding.ts'
import { lookUpReference } from './look-up-reference.ts'

interface Ordered {
  readonly investor: Investor
  readonly request: Parts<SharePurchaseRequest>
  /** What is wrong with the request alone. */
  readonly faults: FieldErrors
}

/** All that is wrong with an order as far as it can be read, once the investor is known to be the caller's. */
export async function findSharePurchaseFaults(
  service: Service,
  {
    organizationId,
    investorId,
    request,
  }: InvestorReference & { request: Parts<SharePurchaseRequest> },
): Promise<FieldErrors> {
  return service.store.read(async (records) => {
    const stored = await requireInvestor(records, organizationId, investorId)
    const investor = openInvestor(service.vault, stored)
    const { maximumShareCount } = service.settings
    const context = { profile: investor.profile, maximumShareCount, now: service.clock.now() }
    const faults = sharePurchaseFaults(request, context)
    return addStoredFaults(records, service, { investor, request, faults })
  })
}

/** Together with what is wrong beside the orders that are stored. */
export async function addStoredFaults(
  records: ReadableRecords,
  service: Service,
  ordered: Ordered,
): Promise<FieldErrors> {
  return {
    ...(await findPositionFaults(records, service, ordered)),
    ...(await findReferenceFaults(records, service, ordered)),
    ...ordered.faults,
  }
}

/** None where the cooperative cannot be known: that answer waits until nothing else is wrong. */
async function findPositionFaults(
  records: ReadableRecords,
  service: Service,
  { investor, request: { cooperativeId, shareCount } }: Ordered,
): Promise<FieldErrors> {
  if (cooperativeId === undefined || shareCount === undefined) return {}
  const cooperative = await records.cooperatives.get(cooperativeId)
  if (!cooperative?.published) return {}
  const now = service.clock.now()
  const holding = await findOrOpenHolding(records, service, { investor, cooperative, now })
  return positionFaults({ shareCount }, cooperative, holding)
}

/** None where the reference or the account cannot be read, or is wrong itself. */
async function findReferenceFaults(
  records: ReadableRecords,
  service: Service,
  { investor, request: { sepaMandate: { reference, debtorIban } = {} }, faults }: Ordered,
): Promise<FieldErrors> {
  if (reference === undefined || debtorIban === undefined) return {}
  if (faults['sepa_mandate.reference'] || faults['sepa_mandate.debtor_iban']) return {}
  const sepaMandate = { reference, debtorIban }
  return (await lookUpReference(records, service, { sepaMandate, investor })).faults
}
