import { errorsOf, type FieldFaults } from '../field-faults.ts'
import { ibanFault } from '../investors/iban.ts'
import type { Profile } from '../investors/profile.ts'
import type { Parts } from '../parts.ts'
import type { FieldErrors } from '../problem.ts'
import { isInFuture, type Timestamp } from '../timestamp.ts'
import { isMandateReference } from './mandate-reference.ts'
import type { SharePurchaseRequest } from './share-purchase-request.ts'

export interface SharePurchaseContext {
  readonly profile: Profile | null
  readonly maximumShareCount: number
  readonly now: Timestamp
}

/** Everything that is wrong with an order, whatever the cooperative, under the paths the partner sent. */
export function sharePurchaseFaults(
  request: Parts<SharePurchaseRequest>,
  context: SharePurchaseContext,
): FieldErrors {
  return errorsOf({
    share_count: shareCountFault(request, context),
    applicant_type: applicantTypeFault(request, context),
    ...lastingFaults(request, context),
  })
}

/** What is wrong whenever the order was placed. */
export function lastingFaults(
  { sepaMandate, statuteConsentGivenAt }: Parts<Mandated>,
  context: Pick<SharePurchaseContext, 'now'>,
): FieldFaults {
  return {
    'sepa_mandate.signed_at': instantFault(sepaMandate?.signedAt, context),
    'sepa_mandate.debtor_iban':
      sepaMandate?.debtorIban != null && ibanFault(sepaMandate.debtorIban),
    'sepa_mandate.reference':
      sepaMandate?.reference != null && referenceFault(sepaMandate.reference),
    statute_consent_given_at: instantFault(statuteConsentGivenAt, context),
  }
}

type Mandated = Pick<SharePurchaseRequest, 'sepaMandate' | 'statuteConsentGivenAt'>
type Fault = string | false | undefined

// Spec gap: the upper bound; see DECISIONS.md, bounds of an order.
function shareCountFault(
  { shareCount = 0 }: Parts<SharePurchaseRequest>,
  { maximumShareCount }: SharePurchaseContext,
): Fault {
  return shareCount > maximumShareCount && `must be at most ${maximumShareCount}`
}

function applicantTypeFault(
  { applicantType }: Parts<SharePurchaseRequest>,
  { profile }: SharePurchaseContext,
): Fault {
  const isBaseless = applicantType === 'company' && !profile?.company
  return isBaseless && 'must not be company: the investor represents none'
}

export function instantFault(
  instant: Timestamp | undefined,
  { now }: Pick<SharePurchaseContext, 'now'>,
): Fault {
  return instant !== undefined && isInFuture(instant, now) && 'must not be in the future'
}

function referenceFault(reference: string): Fault {
  return (
    !isMandateReference(reference) &&
    "must have at most 35 letters, digits, spaces or + ? / - : ( ) . , ', and no slash at an end or next to another"
  )
}
