import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import { type Holding, isListed } from '../../domain/holdings/holding.ts'
import { maskIban } from '../../domain/investors/iban.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import { issueMandateReference } from '../../domain/share-purchases/mandate-reference.ts'
import type { SepaMandate, SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import {
  applicantTypeOf,
  type SharePurchaseRequest,
} from '../../domain/share-purchases/share-purchase-request.ts'
import { computeTerms } from '../../domain/share-purchases/terms.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { Service } from '../service.ts'
import { derivePurchaseDefaults } from './derive-purchase-defaults.ts'

export interface SubmitSharePurchase {
  readonly request: SharePurchaseRequest
  readonly sharePurchaseId: string
  readonly investor: Investor
  readonly cooperative: Cooperative
  /** As it is before this order. */
  readonly holding: Holding
  readonly now: Timestamp
}

/** The order with its terms frozen (spec: States and transitions); not stored yet. */
export function submitSharePurchase(service: Service, input: SubmitSharePurchase): SharePurchase {
  const { request, sharePurchaseId, investor, cooperative, now } = input
  const { shareCount } = request
  const { debtorIban, terms, privacy } = derivePurchaseDefaults(investor.profile, request)
  return {
    sharePurchaseId,
    organizationId: investor.organizationId,
    investorId: investor.investorId,
    cooperativeId: cooperative.id,
    status: 'submitted',
    shareCount,
    applicantType: applicantTypeOf(request, investor.profile),
    ...computeTerms(cooperative, { shareCount, isMember: isListed(input.holding) }),
    sepaMandate: createMandate(service, input, debtorIban),
    consents: { terms, privacy, statute: { given: true, givenAt: request.statuteConsentGivenAt } },
    reason: null,
    transitions: [{ to: 'submitted', at: now }],
    createdAt: now,
    updatedAt: now,
  }
}

function createMandate(
  { vault }: Service,
  { request, sharePurchaseId }: SubmitSharePurchase,
  debtorIban: string,
): SepaMandate {
  const { reference, signedAt } = request.sepaMandate
  return {
    reference: reference ?? issueMandateReference(sharePurchaseId),
    signedAt,
    sealedDebtorIban: vault.seal(debtorIban),
    debtorIbanMasked: maskIban(debtorIban),
  }
}
