import {
  collectErrors,
  type DeepPartial,
  type FieldErrors,
  type PossibleErrors,
  representationConsentPath,
} from '../problem.ts'
import { isCalendarDate, isInFuture, type Timestamp } from '../timestamp.ts'
import { ibanError, isBic, toElectronicFormat } from './bank-identifiers.ts'

export interface Address {
  readonly street: string
  readonly houseNumber: string
  readonly postalCode: string
  readonly city: string
}

export interface BankAccountRequest {
  readonly iban: string
  readonly bic: string | null
  readonly institution: string | null
  readonly accountHolder: string | null
}

/** IBAN and BIC are in electronic format: upper case, without spaces. */
export interface BankAccount extends BankAccountRequest {
  /** Whether the partner still has to send a missing BIC or institution. */
  readonly isBankOutstanding: boolean
}

export interface Company {
  readonly name: string
  readonly legalForm: string
  readonly taxId: string
}

export interface GivenConsent {
  readonly given: true
  readonly givenAt: Timestamp
}

/** `givenAt` is null exactly when `given` is false: a revoked consent has no history (spec: States and transitions). */
export type Consent = GivenConsent | { readonly given: false; readonly givenAt: null }

export const consentNames = [
  'terms',
  'privacy',
  'dataSharing',
  'representationAuthorization',
] as const
export type ConsentName = (typeof consentNames)[number]
export type Consents = Readonly<Record<ConsentName, Consent>>

/**
 * The personal data of an investor apart from the e-mail address. Sections that were not sent are
 * null.
 */
export interface Profile {
  readonly firstName: string | null
  readonly lastName: string | null
  /** yyyy-MM-dd */
  readonly birthDate: string | null
  readonly taxId: string | null
  readonly phone: string | null
  readonly address: Address | null
  readonly bankAccount: BankAccount | null
  readonly company: Company | null
  readonly consents: Consents
}

export interface ConsentRequest {
  readonly given: boolean
  /** If null, the time of receipt is used. */
  readonly givenAt: Timestamp | null
}

/** A profile from a request that fits its shape but has not been validated. */
export interface ProfileRequest extends Omit<Profile, 'bankAccount' | 'consents'> {
  readonly email: string | null
  readonly bankAccount: BankAccountRequest | null
  readonly consents: Readonly<Record<ConsentName, ConsentRequest>>
}

export interface DerivedBankData extends Pick<BankAccount, 'bic' | 'institution'> {
  readonly isOutstanding: boolean
}

export interface ProfileContext {
  /** Derived from the IBAN itself; used where the partner sent nothing. */
  readonly derived: DerivedBankData
  readonly receivedAt: Timestamp
}

/** Creates the profile to store from a valid request: normalized, with defaults and timestamps. */
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
      iban: toElectronicFormat(bankAccount.iban),
      bic: bankAccount.bic === null ? derived.bic : toElectronicFormat(bankAccount.bic),
      institution: bankAccount.institution ?? derived.institution,
      accountHolder: bankAccount.accountHolder ?? defaultAccountHolder(request),
      isBankOutstanding: derived.isOutstanding,
    }
  )
}

function defaultAccountHolder(profile: ProfileRequest): string | null {
  return profile.company?.name ?? personName(profile)
}

/** First and last name, as far as the partner sent them. */
export function personName({
  firstName,
  lastName,
}: Pick<Profile, 'firstName' | 'lastName'>): string | null {
  return [firstName, lastName].filter((part) => part !== null).join(' ') || null
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

/**
 * Returns all errors of a profile, with paths such as `profile.bankAccount.iban`. Spec gap: see
 * DECISIONS.md, D14.
 */
export function profileErrors(request: DeepPartial<ProfileRequest>, now: Timestamp): FieldErrors {
  const { email, birthDate, bankAccount, consents } = request
  return collectErrors({
    'profile.email': email != null && emailError(email),
    'profile.birthDate': birthDate != null && birthDateError(birthDate, now),
    ...(bankAccount && bankAccountFaults(bankAccount)),
    ...consentFaults('terms', consents?.terms, now),
    ...consentFaults('privacy', consents?.privacy, now),
    ...consentFaults('dataSharing', consents?.dataSharing, now),
    ...consentFaults('representationAuthorization', consents?.representationAuthorization, now),
    ...representationFaults(request),
  })
}

export function emailError(email: string): string | undefined {
  return isEmail(email) ? undefined : 'must be an e-mail address'
}

function bankAccountFaults({ iban, bic }: DeepPartial<BankAccount>): PossibleErrors {
  return {
    'profile.bankAccount.iban': iban !== undefined && ibanError(iban),
    'profile.bankAccount.bic':
      bic != null &&
      !isBic(bic) &&
      'must be a BIC: 8 or 11 characters, with a country code as the fifth and sixth',
  }
}

function consentFaults(
  name: ConsentName,
  consent: DeepPartial<ConsentRequest> | undefined,
  now: Timestamp,
): PossibleErrors {
  return { [`profile.consents.${name}.givenAt`]: consent && givenAtFault(consent, now) }
}

function givenAtFault(
  { given, givenAt }: DeepPartial<ConsentRequest>,
  now: Timestamp,
): string | undefined {
  if (givenAt == null) return undefined
  if (given === false) return 'must be left out when given is false'
  return isInFuture(givenAt, now) ? 'must not be in the future' : undefined
}

function representationFaults({ company, consents }: DeepPartial<ProfileRequest>): PossibleErrors {
  const isBaseless = consents?.representationAuthorization?.given && company === null
  return { [representationConsentPath]: isBaseless && 'must not be true without a company section' }
}

const greatestAge = 120

/**
 * Returns why a birth date is implausible, as the end of a sentence; undefined if it is
 * plausible.
 */
export function birthDateError(birthDate: string, now: Timestamp): string | undefined {
  if (!isCalendarDate(birthDate)) return 'must be a day that exists, as yyyy-MM-dd'
  const today = now.slice(0, 'yyyy-MM-dd'.length)
  if (birthDate >= today) return 'must be in the past'
  const earliest = `${Number(today.slice(0, 4)) - greatestAge}${today.slice(4)}`
  return birthDate < earliest ? `must be at most ${greatestAge} years ago` : undefined
}

/**
 * Returns the paths of fields that the partner still has to collect; empty if the profile is
 * complete. Spec gap: see DECISIONS.md, D13.
 */
export function missingProfileFields({
  email,
  profile,
}: {
  readonly email: string | null
  readonly profile: Profile | null
}): string[] {
  const needed: Readonly<Record<string, unknown>> = {
    firstName: profile?.firstName,
    lastName: profile?.lastName,
    birthDate: profile?.birthDate,
    email,
    'address.street': profile?.address?.street,
    'address.houseNumber': profile?.address?.houseNumber,
    'address.postalCode': profile?.address?.postalCode,
    'address.city': profile?.address?.city,
    ...neededOfBankAccount(profile?.bankAccount),
    ...neededConsents(profile),
  }
  return Object.keys(needed).filter((path) => !needed[path])
}

// Spec gap: bank data is required only where it is known to be missing; see DECISIONS.md, D13.
function neededOfBankAccount(account: BankAccount | null | undefined) {
  if (!account) return { 'bankAccount.iban': null }
  return {
    'bankAccount.iban': account.iban,
    ...(account.isBankOutstanding && {
      'bankAccount.bic': account.bic,
      'bankAccount.institution': account.institution,
    }),
  }
}

// A company section is present as a whole or not at all, so its members are never missing.
function neededConsents(profile: Profile | null) {
  return {
    'consents.terms': profile?.consents.terms.given,
    'consents.privacy': profile?.consents.privacy.given,
    'consents.dataSharing': profile?.consents.dataSharing.given,
    ...(profile?.company && {
      'consents.representationAuthorization': profile.consents.representationAuthorization.given,
    }),
  }
}

// The syntax of HTML's e-mail field, extended to letters of every script, with at least one dot
// in the domain.
// A decomposed letter consists of a letter and combining marks.
const localPart = "(?!\\p{M})[\\p{L}\\p{N}\\p{M}.!#$%&'*+/=?^_`{|}~-]{1,64}"
const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\p{M}-]{0,61}[\\p{L}\\p{N}\\p{M}])?'
const emailForm = new RegExp(`^${localPart}@${label}(?:\\.${label})+$`, 'u')
export function isEmail(text: string): boolean {
  return emailForm.test(text)
}
