import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import type { Footing } from '../../domain/share-purchases/carriers.ts'
import type { FrozenOrder } from '../../domain/share-purchases/frozen-order.ts'
import { issueMandateReference } from '../../domain/share-purchases/mandate-reference.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import {
  applicantTypeOf,
  type SharePurchaseRequest,
} from '../../domain/share-purchases/share-purchase-request.ts'
import { computeTerms } from '../../domain/share-purchases/terms.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { Service } from '../service.ts'
import { createSharePurchase } from './create-share-purchase.ts'
import { derivePurchaseDefaults } from './derive-purchase-defaults.ts'

export interface SubmitSharePurchase {
  readonly request: SharePurchaseRequest
  readonly sharePurchaseId: string
  readonly investor: Investor
  readonly cooperative: Cooperative
  readonly footing: Footing
  readonly isFirstOfReference: boolean
  readonly now: Timestamp
}

/** The order with its terms frozen (spec: States and transitions); not stored yet. */
export function submitSharePurchase(service: Service, input: SubmitSharePurchase): SharePurchase {
  const { sharePurchaseId, investor, cooperative, now } = input
  return createSharePurchase(service, {
    sharePurchaseId,
    investor,
    cooperative,
    order: freezeOrder(input),
    now,
  })
}

function freezeOrder(input: SubmitSharePurchase): FrozenOrder {
  const { request, sharePurchaseId, investor, cooperative, footing } = input
  const { shareCount } = request
  const { reference, signedAt } = request.sepaMandate
  const { debtorIban, terms, privacy } = derivePurchaseDefaults(investor.profile, request)
  return {
    shareCount,
    applicantType: applicantTypeOf(request, investor.profile),
    ...computeTerms(cooperative, { shareCount, isMember: footing.isMember }),
    restsOn: footing.restsOn,
    sepaMandate: {
      reference: reference ?? issueMandateReference(sharePurchaseId),
      ...(input.isFirstOfReference && { isFirstOfReference: true }),
      signedAt,
      debtorIban,
    },
    consents: { terms, privacy, statute: { given: true, givenAt: request.statuteConsentGivenAt } },
  }
}
