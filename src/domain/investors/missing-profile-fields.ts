import type { PersonalData } from './investor.ts'
import type { BankAccount, Company, Consents, Profile } from './profile.ts'

const unsetProfile = {
  firstName: null,
  lastName: null,
  birthDate: null,
  address: null,
  bankAccount: null,
  company: null,
  consents: null,
}

type Completable = Pick<Profile, Exclude<keyof typeof unsetProfile, 'consents'>> & {
  readonly consents: Consents | null
}

/**
 * What a partner still has to ask the customer for, as the paths under which it would be sent; none when the profile
 * is complete. Spec gap: leaves, see DECISIONS.md, missing_profile_fields.
 */
export function missingProfileFields({ email, profile }: PersonalData): string[] {
  const known: Completable = profile ?? unsetProfile
  const needed: Readonly<Record<string, unknown>> = {
    first_name: known.firstName,
    last_name: known.lastName,
    birth_date: known.birthDate,
    email,
    'address.street': known.address?.street,
    'address.house_number': known.address?.houseNumber,
    'address.postal_code': known.address?.postalCode,
    'address.city': known.address?.city,
    ...neededOfBankAccount(known.bankAccount),
    ...neededConsents(known.consents, known.company),
  }
  return Object.keys(needed).filter((path) => !needed[path])
}

// Spec gap: bank data is asked for only where it is known to be missing; see DECISIONS.md, completeness.
function neededOfBankAccount(account: BankAccount | null) {
  if (!account) return { 'bank_account.iban': null }
  return {
    'bank_account.iban': account.iban,
    ...(isBankOutstanding(account) && {
      'bank_account.bic': account.bic,
      'bank_account.institution': account.institution,
    }),
  }
}

// In a profile that was stored before this was recorded, only the country says it: the list of German banks is complete.
function isBankOutstanding({ isBankOutstanding, iban }: BankAccount): boolean {
  return isBankOutstanding ?? iban.startsWith('DE')
}

// The company's own members are not asked for: the section is there as a whole or not at all.
function neededConsents(consents: Consents | null, company: Company | null) {
  return {
    'consents.terms': consents?.terms.given,
    'consents.privacy': consents?.privacy.given,
    'consents.data_sharing': consents?.dataSharing.given,
    ...(company && {
      'consents.representation_authorization': consents?.representationAuthorization.given,
    }),
  }
}
