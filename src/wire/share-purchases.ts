import { enums, type Infer, object } from 'superstruct'
import type { Holding } from '../domain/holdings/holding.ts'
import { isUuid } from '../domain/ids.ts'
import type { DeepPartial } from '../domain/problem.ts'
import {
  applicantTypes,
  type SharePurchase,
  type SharePurchaseRequest,
} from '../domain/share-purchases/share-purchase.ts'
import { integerWithin } from './bounds.ts'
import {
  optionalOrNull,
  optionalText,
  readOptionalTimestamp,
  readTimestamp,
  textWithFormat,
  timestamp,
} from './fields.ts'
import { renderConsent } from './investors.ts'

// UUIDs are compared regardless of case (RFC 9562 4).
const uuid = textWithFormat(
  'uuid',
  (text) => (isUuid(text.toLowerCase()) ? undefined : 'must be a UUID'),
  { type: 'string', format: 'uuid' },
)

export const sharePurchaseShape = object({
  cooperative_id: uuid,
  share_count: integerWithin({ min: 1 }),
  applicant_type: optionalOrNull(enums(applicantTypes)),
  sepa_mandate: object({
    signed_at: timestamp(),
    debtor_iban: optionalText(),
    reference: optionalText(),
  }),
  statute_consent_given_at: timestamp(),
})

export function readSharePurchaseRequest(
  body: Infer<typeof sharePurchaseShape>,
): SharePurchaseRequest {
  return {
    cooperativeId: body.cooperative_id.toLowerCase(),
    shareCount: body.share_count,
    applicantType: body.applicant_type ?? null,
    sepaMandate: {
      signedAt: readTimestamp(body.sepa_mandate.signed_at),
      debtorIban: body.sepa_mandate.debtor_iban ?? null,
      reference: body.sepa_mandate.reference ?? null,
    },
    statuteConsentGivenAt: readTimestamp(body.statute_consent_given_at),
  }
}

export function readPartialSharePurchase(
  parts: DeepPartial<Infer<typeof sharePurchaseShape>>,
): DeepPartial<SharePurchaseRequest> {
  const { cooperative_id, sepa_mandate: mandate } = parts
  return {
    cooperativeId: cooperative_id?.toLowerCase(),
    shareCount: parts.share_count,
    applicantType: parts.applicant_type,
    sepaMandate: mandate && {
      signedAt: readOptionalTimestamp(mandate.signed_at),
      // Undefined means sent but not readable.
      debtorIban: 'debtor_iban' in mandate ? mandate.debtor_iban : null,
      reference: 'reference' in mandate ? mandate.reference : null,
    },
    statuteConsentGivenAt: readOptionalTimestamp(parts.statute_consent_given_at),
  }
}

/**
 * spec: Share purchase; docs/partners/details.md has the additional fields. Never contains the
 * full IBAN.
 */
export function renderSharePurchase(sharePurchase: SharePurchase) {
  const { sepaMandate, consents } = sharePurchase
  return {
    share_purchase_id: sharePurchase.sharePurchaseId,
    investor_id: sharePurchase.investorId,
    cooperative_id: sharePurchase.cooperativeId,
    status: sharePurchase.status,
    applicant_type: sharePurchase.applicantType,
    share_count: sharePurchase.shareCount,
    price_per_share: sharePurchase.pricePerShare,
    price_per_share_currency: sharePurchase.currency,
    entry_fee: sharePurchase.entryFee,
    entry_fee_currency: sharePurchase.currency,
    total: sharePurchase.total,
    total_currency: sharePurchase.currency,
    sepa_mandate: {
      reference: sepaMandate.reference,
      signed_at: sepaMandate.signedAt,
      debtor_iban_masked: sepaMandate.debtorIbanMasked,
    },
    consents: {
      terms: renderConsent(consents.terms),
      privacy: renderConsent(consents.privacy),
      statute: renderConsent(consents.statute),
    },
    reason: sharePurchase.reason,
    created_at: sharePurchase.createdAt,
    updated_at: sharePurchase.updatedAt,
  }
}

/** spec: Holding. */
export function renderHolding(holding: Holding) {
  return {
    id: holding.id,
    cooperative_id: holding.cooperativeId,
    investor_id: holding.investorId,
    shares: holding.shares,
    pending_shares: holding.pendingShares,
    first_acquired_at: holding.firstAcquiredAt,
    created_at: holding.createdAt,
    updated_at: holding.updatedAt,
  }
}
