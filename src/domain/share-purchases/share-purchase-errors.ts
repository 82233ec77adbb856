import type { Cooperative } from '../cooperatives/cooperative.ts'
import type { Holding } from '../holdings/holding.ts'
import { countryOutsideSepa, ibanError } from '../investors/bank-identifiers.ts'
import type { Profile } from '../investors/profile.ts'
import {
  collectErrors,
  type DeepPartial,
  type FieldErrors,
  type PossibleErrors,
} from '../problem.ts'
import { isInFuture, type Timestamp } from '../timestamp.ts'
import { maximumDependents } from './dependencies.ts'
import type { SharePurchaseRequest } from './share-purchase.ts'
import { computeTotal, type FrozenOrder, isMandateReference } from './share-purchase.ts'

export interface SharePurchaseContext {
  readonly profile: Profile | null
  readonly maximumShareCount: number
  readonly now: Timestamp
}

/** Returns all errors of an order that do not depend on the cooperative, by path in the request. */
export function sharePurchaseErrors(
  request: DeepPartial<SharePurchaseRequest>,
  context: SharePurchaseContext,
): FieldErrors {
  return collectErrors({
    shareCount: shareCountError(request, context),
    applicantType: applicantTypeError(request, context),
    ...mandateAndConsentErrors(request, context),
    'sepaMandate.debtorIban': debtorIbanError(request, context),
  })
}

/** Rules that hold for new and for past orders. */
function mandateAndConsentErrors(
  { sepaMandate, statuteConsentGivenAt }: DeepPartial<Mandated>,
  context: Pick<SharePurchaseContext, 'now'>,
): PossibleErrors {
  return {
    'sepaMandate.signedAt': futureInstantError(sepaMandate?.signedAt, context),
    'sepaMandate.debtorIban': sepaMandate?.debtorIban != null && ibanError(sepaMandate.debtorIban),
    'sepaMandate.reference':
      sepaMandate?.reference != null && mandateReferenceError(sepaMandate.reference),
    statuteConsentGivenAt: futureInstantError(statuteConsentGivenAt, context),
  }
}

type Mandated = Pick<SharePurchaseRequest, 'sepaMandate' | 'statuteConsentGivenAt'>
type PossibleError = string | false | undefined

// Spec gap: the upper bound; see DECISIONS.md, D3.
function shareCountError(
  { shareCount = 0 }: DeepPartial<SharePurchaseRequest>,
  { maximumShareCount }: SharePurchaseContext,
): PossibleError {
  return shareCount > maximumShareCount && `must be at most ${maximumShareCount}`
}

function applicantTypeError(
  { applicantType }: DeepPartial<SharePurchaseRequest>,
  { profile }: SharePurchaseContext,
): PossibleError {
  const isBaseless = applicantType === 'company' && !profile?.company
  return isBaseless && 'must not be company, because the investor does not represent one'
}

/** New orders only, because past ones have been paid. */
function debtorIbanError(
  { sepaMandate: { debtorIban } = {} }: DeepPartial<SharePurchaseRequest>,
  { profile }: SharePurchaseContext,
): PossibleError {
  const cannot = 'in a SEPA country, because no direct debit can be collected from'
  if (debtorIban != null) {
    const country = countryOutsideSepa(debtorIban)
    const isOutside = country && `must be ${cannot} an account in ${country}`
    return ibanError(debtorIban) ?? isOutside
  }
  // An account that was sent but cannot be read is undefined.
  const ofProfile = debtorIban === null ? profile?.bankAccount?.iban : undefined
  const country = ofProfile === undefined ? undefined : countryOutsideSepa(ofProfile)
  return (
    country && `must be sent and be ${cannot} the account of the profile, which is in ${country}`
  )
}

function futureInstantError(
  instant: Timestamp | undefined,
  { now }: Pick<SharePurchaseContext, 'now'>,
): PossibleError {
  return instant !== undefined && isInFuture(instant, now) && 'must not be in the future'
}

function mandateReferenceError(reference: string): PossibleError {
  return (
    !isMandateReference(reference) &&
    "must have at most 35 characters: letters, digits, spaces and + ? / - : ( ) . , ' with no slash or space at either end and no double slash"
  )
}

type Position = Pick<Holding, 'shares' | 'pendingShares'>

/** Fits into a 32-bit integer. */
const maximumSharesHeld = 1_000_000_000

/**
 * Returns errors of the share count given what the investor already holds. Spec gap: owners may
 * buy fewer shares than the minimum; see DECISIONS.md, D3.
 */
export function holdingErrors(
  { shareCount }: Pick<SharePurchaseRequest, 'shareCount'>,
  { minimumShares }: Pick<Cooperative, 'minimumShares'>,
  holding: Position,
): FieldErrors {
  const least = minimumShares - sharesIncludingPending(holding)
  return shareCount < least
    ? shareCountErrors(`must be at least ${least}, to reach the minimum of ${minimumShares} shares`)
    : maximumSharesErrors({ shareCount }, holding)
}

/** § 15b GenG: further shares only when the earlier ones are paid in. */
export function unpaidSharesError({
  returnedPayments,
}: Pick<Holding, 'returnedPayments'>): FieldErrors {
  return returnedPayments === undefined
    ? {}
    : {
        cooperativeId:
          'must be another cooperative: a bank returned the payment for shares that the investor holds in this one, and it is not paid yet',
      }
}

/** The upper bound for new and for past orders. */
export function maximumSharesErrors(
  { shareCount }: Pick<SharePurchaseRequest, 'shareCount'>,
  holding: Position,
): FieldErrors {
  const most = maximumSharesHeld - sharesIncludingPending(holding)
  return shareCount > most
    ? shareCountErrors(
        `must be at most ${most}, because an investor can hold at most ${maximumSharesHeld} shares`,
      )
    : {}
}

/** The error of an order that would depend on others, when `maximumDependents` orders do so. */
export const tooManyDependents: FieldErrors = shareCountErrors(
  `cannot be ordered now: ${maximumDependents} pending share purchases of this investor depend on others for the entry fee or the minimum; order again after one of those others is settled, or cancel some that depend`,
)

/** The fault of a signature that is too old, unless the mandate has been used since. */
export const lapsedMandate =
  'must not be more than 36 months ago, because a mandate lapses when nothing was collected with it for so long: ask the investor to sign a new one'

function sharesIncludingPending({ shares, pendingShares }: Position): number {
  return shares + pendingShares
}

function shareCountErrors(fault: string): FieldErrors {
  return { shareCount: fault }
}
/** Returns all errors of a past order that is imported with its terms. */
export function frozenOrderErrors(order: DeepPartial<FrozenOrder>, now: Timestamp): FieldErrors {
  const { sepaMandate, consents } = order
  const statuteConsentGivenAt = consents?.statute?.givenAt
  return collectErrors({
    total: totalError(order),
    ...mandateAndConsentErrors({ sepaMandate, statuteConsentGivenAt }, { now }),
    'consents.terms.givenAt': futureInstantError(consents?.terms?.givenAt, { now }),
    'consents.privacy.givenAt': futureInstantError(consents?.privacy?.givenAt, { now }),
  })
}
function totalError({ shareCount, pricePerShare, entryFee, total }: DeepPartial<FrozenOrder>) {
  if (!(shareCount && pricePerShare && entryFee && total)) return undefined
  const right = computeTotal({ shareCount, pricePerShare, entryFee })
  return total !== right && `must be ${right}: share_count times price_per_share, plus entry_fee`
}
