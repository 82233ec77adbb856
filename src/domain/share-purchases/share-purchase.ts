import type { Cooperative } from '../cooperatives/cooperative.ts'
import type { Consent, GivenConsent, Profile } from '../investors/profile.ts'
import {
  addMoney,
  type Currency,
  currency,
  type Money,
  multiplyMoney,
  zeroMoney,
} from '../money.ts'
import type { MoneyOfOperator } from '../payments/payment.ts'
import { Problem } from '../problem.ts'
import type { Encrypted } from '../text.ts'
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

export const applicantTypes = ['private', 'company'] as const
export type ApplicantType = (typeof applicantTypes)[number]

export interface SepaMandate {
  readonly reference: string
  /**
   * Set if the partner chose this reference and uses it for the first time. The store enforces
   * uniqueness among such orders.
   */
  readonly isFirstOfReference?: true
  readonly signedAt: Timestamp
  /** Encrypted with the key of the investor. Empty once the person has been erased. */
  readonly encryptedDebtorIban: Encrypted
  /** Empty once the person has been erased. */
  readonly debtorIbanMasked: string
}

/** The maximum number of characters of a reason, wherever the rejection comes from. */
export const maximumReasonLength = 200

export interface SharePurchaseTransition {
  readonly to: SharePurchaseStatus
  readonly at: Timestamp
}

/** The course of an order that no operator decides, in staging. */
export type Fate =
  | { readonly kind: 'settle' | 'stay' }
  | { readonly kind: 'reject'; readonly reason: string }
  /** The bank returns the direct debit this long after the order was placed. */
  | { readonly kind: 'return'; readonly afterMs: number }

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
  /** The reason of a rejection, for people; null if none was given. */
  readonly reason: string | null
  /**
   * Ids of the pending orders that this one depends on: because of those orders this one has no entry fee, or
   * fewer shares than the minimum. One of those orders must be settled first. Undefined in orders of the past that do
   * not say it: they depend on nothing.
   */
  readonly restsOn?: readonly string[]
  /** The fate of this order. Only in staging. */
  readonly fate?: Fate
  /** When the next step of the fate is due. Absent if there is none, or if it waits for another order. */
  readonly fateDueAt?: Timestamp
  /** Set if another order depends on this one and its fate waits until this one is settled. */
  readonly holdsUpFate?: true
  /** A decision that another operator has to confirm. The proposal ends with the next transition. */
  readonly proposal?: Proposal
  /** Keyed digests of what an operator can search for. */
  readonly searchTerms: readonly string[]
  /** Oldest first. */
  readonly transitions: readonly SharePurchaseTransition[]
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** What a second operator may have to confirm: a decision on an order, or the file of a collection. */
export type SecondedAction = Proposal['to'] | 'collect'

export interface Proposal {
  readonly to: 'settled' | 'rejected'
  readonly reason: string | null
  readonly money?: MoneyOfOperator
  readonly operatorId: string
  readonly operatorName: string
  readonly at: Timestamp
}

/**
 * The first use of an Idempotency-Key. Contains a digest of the request, never the request
 * itself.
 */
export interface IdempotencyRecord {
  readonly key: string
  /** Encrypted, because an IBAN has so few unknown digits that its digest could be reversed. */
  readonly encryptedRequestDigest: Encrypted
  readonly organizationId: string
  readonly sharePurchaseId: string
  readonly expiresAt: Timestamp
}

/** Whether the person has been erased. Partners then no longer see the order. */
export function isOfErasedPerson({ sepaMandate }: Pick<SharePurchase, 'sepaMandate'>): boolean {
  return sepaMandate.debtorIbanMasked === ''
}

export function settledAtOf({ transitions }: Pick<SharePurchase, 'transitions'>): Timestamp | null {
  return transitions.find(({ to }) => to === 'settled')?.at ?? null
}

const openStatuses: ReadonlySet<SharePurchaseStatus> = new Set(['draft', 'submitted', 'approved'])

/** Whether an operator can still decide on the order. */
export function isOpen({ status }: Pick<SharePurchase, 'status'>): boolean {
  return openStatuses.has(status)
}

const mostNamed = 5

/** Names a few orders in a message, with their statuses. */
export function nameOrders(
  orders: readonly Pick<SharePurchase, 'sharePurchaseId' | 'status'>[],
): string {
  const named = orders.slice(0, mostNamed).map((one) => `${one.sharePurchaseId} (${one.status})`)
  const more = orders.length > named.length ? ` and ${orders.length - named.length} more` : ''
  return `${named.join(', ')}${more}`
}

/** An order from a request that fits its shape but has not been validated. Nulls are derived. */
export interface SharePurchaseRequest {
  readonly cooperativeId: string
  readonly shareCount: number
  readonly applicantType: ApplicantType | null
  readonly sepaMandate: {
    readonly signedAt: Timestamp
    readonly debtorIban: string | null
    readonly reference: string | null
  }
  readonly statuteConsentGivenAt: Timestamp
}

/**
 * Returns the given type. If none was sent, it follows from the company section of the profile (spec: Share
 * purchase).
 */
export function resolveApplicantType(
  { applicantType }: SharePurchaseRequest,
  profile: Profile | null,
): ApplicantType {
  return applicantType ?? (profile?.company ? 'company' : 'private')
}

/**
 * A partner chooses a key so that a repeated request has no further effect. Keys belong to the organization. Spec gap:
 * the form of a key; see docs/partners/details.md.
 */
export function requireIdempotencyKey(key: string): void {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return
  throw new Problem(
    'VALIDATION_ERROR',
    'The Idempotency-Key header must have 1 to 255 visible ASCII characters.',
  )
}

// SEPA direct debit implementation guidelines: at most 35 characters of this set; no slash at an end, no two in a row.
const form = /^(?!.*\/\/)(?![/ ])[A-Za-z0-9+?/\-:().,' ]{1,35}(?<![/ ])$/

export function isMandateReference(text: string): boolean {
  return form.test(text)
}

/** Each order has a reference of its own. The reference is as long as the id without hyphens: 32 characters. */
export function deriveMandateReference(sharePurchaseId: string): string {
  return sharePurchaseId.replaceAll('-', '').toUpperCase()
}

/** Banks ignore case in references. */
export function foldMandateReference(reference: string): string {
  return reference.toLowerCase()
}

/** Returns the id of the order to which the service would have issued this reference. */
export function sharePurchaseIdOfReference(reference: string): string | undefined {
  const [, ...parts] =
    /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(foldMandateReference(reference)) ?? []
  return parts.length > 0 ? parts.join('-') : undefined
}

type Consents = Readonly<Record<keyof SharePurchase['consents'], GivenConsent>>
type Frozen = 'shareCount' | 'applicantType' | 'pricePerShare' | 'entryFee' | 'total' | 'restsOn'

/** The terms that were frozen when the order was placed. Today's terms do not apply to it. */
export interface FrozenOrder extends Pick<SharePurchase, Frozen> {
  readonly sepaMandate: {
    readonly signedAt: Timestamp
    /** In electronic format once it is stored. */
    readonly debtorIban: string
    readonly reference: string
    readonly isFirstOfReference?: true
  }
  readonly consents: Consents
}

export type Terms = Pick<SharePurchase, 'pricePerShare' | 'entryFee' | 'total' | 'currency'>

/**
 * `isMember`: the investor already holds shares of the cooperative, or has a pending order that
 * pays the entry fee. Spec gap: a person joins only once; see DECISIONS.md, D2.
 */
export function computeTerms(
  { sharePrice, entryFee: fee }: Pick<Cooperative, 'sharePrice' | 'entryFee'>,
  { shareCount, isMember }: { readonly shareCount: number; readonly isMember: boolean },
): Terms {
  const pricePerShare = sharePrice
  const entryFee = isMember ? zeroMoney : fee
  const total = computeTotal({ shareCount, pricePerShare, entryFee })
  return { pricePerShare, entryFee, total, currency }
}

export function computeTotal({
  shareCount,
  pricePerShare,
  entryFee,
}: Pick<SharePurchase, 'shareCount' | 'pricePerShare' | 'entryFee'>): Money {
  return addMoney(multiplyMoney(pricePerShare, shareCount), entryFee)
}

/** A number of orders, and their total. */
export interface OrderSum {
  readonly count: number
  readonly total: Money
}
