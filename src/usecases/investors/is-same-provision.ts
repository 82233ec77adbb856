import { isDeepStrictEqual } from 'node:util'
import { electronicForm } from '../../domain/investors/iban.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import {
  type BankAccount,
  type Consents,
  consentNames,
  type Profile,
} from '../../domain/investors/profile.ts'
import type { ProfileRequest } from '../../domain/investors/profile-request.ts'
import { emailOf, type ProvisionDetails } from './provision-request.ts'

/**
 * Whether a request repeats what is known. What the sender left to us (an e-mail or profile not sent, derived bank
 * data, defaults, stamps) is not the sender's to repeat. Spec gap: see DECISIONS.md, "same details".
 */
export function isSameProvision(request: ProvisionDetails, known: Investor): boolean {
  return (
    isLeftOrEqual(emailOf(request), known.email) &&
    (request.profile === null || isSameProfile(request.profile, known.profile))
  )
}

function isSameProfile(sent: ProfileRequest, stored: Profile | null): boolean {
  if (stored === null) return false
  const { email: _, bankAccount, consents, ...sections } = sent
  const { bankAccount: storedAccount, consents: storedConsents, ...storedSections } = stored
  return (
    isDeepStrictEqual(sections, storedSections) &&
    isSameBankAccount(bankAccount, storedAccount) &&
    areSameConsents(consents, storedConsents)
  )
}

function isSameBankAccount(sent: BankAccount | null, stored: BankAccount | null): boolean {
  if (sent === null || stored === null) return sent === stored
  return (
    electronicForm(sent.iban) === stored.iban &&
    isLeftOrEqual(sent.bic?.toUpperCase() ?? null, stored.bic) &&
    isLeftOrEqual(sent.institution, stored.institution) &&
    isLeftOrEqual(sent.accountHolder, stored.accountHolder)
  )
}

function areSameConsents(sent: ProfileRequest['consents'], stored: Consents): boolean {
  return consentNames.every(
    (name) =>
      sent[name].given === stored[name].given &&
      isLeftOrEqual(sent[name].givenAt, stored[name].givenAt),
  )
}

function isLeftOrEqual(sent: string | null, stored: string | null): boolean {
  return sent === null || sent === stored
}
