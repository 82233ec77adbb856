import { define, enums, type Infer, integer, min, nullable, object, optional } from 'superstruct'
import type { Parts } from '../../domain/parts.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { SharePurchaseRequest } from '../../domain/share-purchases/share-purchase-request.ts'
import { isUuid } from '../../domain/uuid.ts'
import { renderConsent } from '../../operations/shapes/render-profile.ts'
import { optionalText } from '../../operations/shapes/text.ts'
import { readTimestamp, timestamp } from '../../operations/shapes/timestamp.ts'

// RFC 9562 4: UUIDs are read without regard to case.
const uuid = define<string>(
  'uuid',
  (value) => (typeof value === 'string' && isUuid(value.toLowerCase())) || 'must be a UUID',
)

export const sharePurchaseShape = object({
  cooperative_id: uuid,
  share_count: min(integer(), 1),
  applicant_type: optional(nullable(enums(['private', 'company']))),
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

export function readSharePurchaseParts(
  parts: Parts<Infer<typeof sharePurchaseShape>>,
): Parts<SharePurchaseRequest> {
  const { cooperative_id, sepa_mandate: mandate, statute_consent_given_at: givenAt } = parts
  return {
    cooperativeId: cooperative_id?.toLowerCase(),
    shareCount: parts.share_count,
    applicantType: parts.applicant_type,
    sepaMandate: mandate && {
      signedAt: mandate.signed_at === undefined ? undefined : readTimestamp(mandate.signed_at),
      // One that was sent and cannot be read is undefined.
      debtorIban: 'debtor_iban' in mandate ? mandate.debtor_iban : null,
      reference: mandate.reference,
    },
    statuteConsentGivenAt: givenAt === undefined ? undefined : readTimestamp(givenAt),
  }
}

/** spec: Share purchase, and the further fields of DECISIONS.md. Never the full IBAN. */
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
