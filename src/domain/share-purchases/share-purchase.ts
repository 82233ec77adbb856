import type { Consent } from '../investors/profile.ts'
import type { Currency, Money } from '../money.ts'
import type { Sealed } from '../sealed.ts'
import type { Timestamp } from '../timestamp.ts'

export const sharePurchaseStatuses = [
  'draft',
  'submitted',
  'approved',
  'settled',
  'rejected',
  'cancelled',
] as const
export type SharePurchaseStatus = (typeof sharePurchaseStatuses)[number]

export type ApplicantType = 'private' | 'company'

export interface SepaMandate {
  readonly reference: string
  readonly signedAt: Timestamp
  readonly sealedDebtorIban: Sealed
  readonly debtorIbanMasked: string
}

export interface SharePurchaseTransition {
  readonly to: SharePurchaseStatus
  readonly at: Timestamp
}

/** An order for shares. Its commercial terms are frozen when it is submitted. */
export interface SharePurchase {
  readonly sharePurchaseId: string
  readonly organizationId: string
  readonly investorId: string
  readonly cooperativeId: string
  readonly status: SharePurchaseStatus
  readonly shareCount: number
  readonly applicantType: ApplicantType
  readonly pricePerShare: Money
  readonly entryFee: Money
  readonly total: Money
  readonly currency: Currency
  readonly sepaMandate: SepaMandate
  readonly consents: Readonly<Record<'terms' | 'privacy' | 'statute', Consent>>
  /** People's text, recorded with a rejection; null unless recorded. */
  readonly reason: string | null
  /** Oldest first. */
  readonly transitions: readonly SharePurchaseTransition[]
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** What an Idempotency-Key stands for: a digest of the request, never the request itself. */
export interface IdempotencyRecord {
  readonly clientId: string
  readonly key: string
  /** Encrypted, because an IBAN has so few unknown digits that a bare digest would give it away. */
  readonly sealedRequestDigest: Sealed
  readonly organizationId: string
  readonly sharePurchaseId: string
  readonly expiresAt: Timestamp
}
