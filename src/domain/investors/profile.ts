import type { Timestamp } from '../timestamp.ts'

export interface Address {
  readonly street: string
  readonly houseNumber: string
  readonly postalCode: string
  readonly city: string
}

export interface BankAccount {
  /** Electronic form: upper case, no spaces. */
  readonly iban: string
  readonly bic: string | null
  readonly institution: string | null
  readonly accountHolder: string | null
  /** Whether a BIC or institution that is null is still asked for. Profiles stored earlier do not say it. */
  readonly isBankOutstanding?: boolean
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

/** What is stored of an investor beside the e-mail. A section that was not sent is null. */
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
