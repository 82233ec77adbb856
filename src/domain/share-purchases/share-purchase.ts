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
  /** The partner chose the reference and had not used it before. Of two such orders, the store takes one. */
  readonly isFirstOfReference?: true
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
  /**
   * The orders that were pending when this one was placed without the entry fee, or below the minimum number of shares,
   * because of them. One of them has to be settled first. Orders stored before this was recorded have none, and rest on
   * nothing.
   */
  readonly restsOn?: readonly string[]
  /** Oldest first. */
  readonly transitions: readonly SharePurchaseTransition[]
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** What an Idempotency-Key stands for: a digest of the request, never the request itself. */
export interface IdempotencyRecord {
  /** null: any client of the organization. Records from when keys belonged to clients name theirs. */
  readonly clientId: string | null
  readonly key: string
  /** Encrypted, because an IBAN has so few unknown digits that a bare digest would give it away. */
  readonly sealedRequestDigest: Sealed
  readonly organizationId: string
  readonly sharePurchaseId: string
  readonly expiresAt: Timestamp
}
