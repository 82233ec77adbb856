import { electronicForm } from '../../domain/investors/iban.ts'
import type { GivenConsent, Profile } from '../../domain/investors/profile.ts'
import { Problem } from '../../domain/problem.ts'
import type { SharePurchaseRequest } from '../../domain/share-purchases/share-purchase-request.ts'

export interface PurchaseDefaults {
  /** Electronic form. */
  readonly debtorIban: string
  readonly terms: GivenConsent
  readonly privacy: GivenConsent
}

/**
 * What an order takes from the investor's profile. Spec gap: a complete profile has all of it, so this refuses nothing
 * as long as completeness asks for the same; see DECISIONS.md, PURCHASE_DEFAULTS_UNAVAILABLE.
 */
export function derivePurchaseDefaults(
  profile: Profile | null,
  { sepaMandate }: Pick<SharePurchaseRequest, 'sepaMandate'>,
): PurchaseDefaults {
  const debtorIban = sepaMandate.debtorIban ?? profile?.bankAccount?.iban
  return {
    debtorIban: electronicForm(debtorIban ?? refuseWithout('sepa_mandate.debtor_iban')),
    terms: requireGiven(profile, 'terms'),
    privacy: requireGiven(profile, 'privacy'),
  }
}

function requireGiven(profile: Profile | null, name: 'terms' | 'privacy'): GivenConsent {
  const consent = profile?.consents[name]
  return consent?.given ? consent : refuseWithout(`consents.${name}`)
}

function refuseWithout(path: string): never {
  throw new Problem(
    'PURCHASE_DEFAULTS_UNAVAILABLE',
    `${path} was not sent and the investor's profile has none to take instead.`,
  )
}
