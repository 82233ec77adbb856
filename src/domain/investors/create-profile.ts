import type { Timestamp } from '../timestamp.ts'
import { electronicForm } from './iban.ts'
import type { BankAccount, Consent, Consents, Profile } from './profile.ts'
import type { ConsentRequest, ProfileRequest } from './profile-request.ts'

export interface DerivedBankData extends Pick<BankAccount, 'bic' | 'institution'> {
  readonly isOutstanding: boolean
}

export interface ProfileContext {
  /** What the IBAN itself tells; used where the partner sent nothing. */
  readonly derived: DerivedBankData
  readonly receivedAt: Timestamp
}

/** What is stored of a sound request: in the stored form, with defaults and stamps. */
export function createProfile(request: ProfileRequest, context: ProfileContext): Profile {
  const { email: _, ...profile } = request
  return {
    ...profile,
    bankAccount: createBankAccount(request, context.derived),
    consents: stampConsents(request.consents, context.receivedAt),
  }
}

function createBankAccount(request: ProfileRequest, derived: DerivedBankData): BankAccount | null {
  const { bankAccount } = request
  return (
    bankAccount && {
      iban: electronicForm(bankAccount.iban),
      bic: bankAccount.bic === null ? derived.bic : electronicForm(bankAccount.bic),
      institution: bankAccount.institution ?? derived.institution,
      accountHolder: bankAccount.accountHolder ?? defaultAccountHolder(request),
      isBankOutstanding: derived.isOutstanding,
    }
  )
}

function defaultAccountHolder({ company, firstName, lastName }: ProfileRequest): string | null {
  const name = [firstName, lastName].filter((part) => part !== null).join(' ')
  return company?.name ?? (name || null)
}

function stampConsents(consents: ProfileRequest['consents'], receivedAt: Timestamp): Consents {
  const stamp = ({ given, givenAt }: ConsentRequest): Consent =>
    given ? { given, givenAt: givenAt ?? receivedAt } : { given, givenAt: null }
  return {
    terms: stamp(consents.terms),
    privacy: stamp(consents.privacy),
    dataSharing: stamp(consents.dataSharing),
    representationAuthorization: stamp(consents.representationAuthorization),
  }
}
