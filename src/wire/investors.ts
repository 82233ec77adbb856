import { boolean, type Infer, object, string } from 'superstruct'
import { maskIban } from '../domain/investors/bank-identifiers.ts'
import type { Investor, InvestorWithProfile } from '../domain/investors/investor.ts'
import type {
  Address,
  BankAccount,
  Company,
  Consent,
  ConsentRequest,
  Consents,
  Profile,
  ProfileRequest,
} from '../domain/investors/profile.ts'
import { missingProfileFields } from '../domain/investors/profile.ts'
import type { DeepPartial } from '../domain/problem.ts'
import type {
  ProvisionDetails,
  ProvisionRequest,
} from '../usecases/investors/provision-investor.ts'
import { optionalOrNull, optionalText, readOptionalTimestamp, text, timestamp } from './fields.ts'
import { toWirePath } from './problems.ts'

export const emailLength = 255

const consentShape = object({ given: boolean(), given_at: optionalOrNull(timestamp()) })

const addressShape = object({
  street: text(),
  house_number: text(),
  postal_code: text(),
  city: text(),
})

const bankAccountShape = object({
  iban: string(),
  bic: optionalText(),
  institution: optionalText(),
  account_holder: optionalText(),
})

const companyShape = object({ name: text(), legal_form: text(), tax_id: text() })

const consentsShape = object({
  terms: consentShape,
  privacy: consentShape,
  data_sharing: consentShape,
  representation_authorization: optionalOrNull(consentShape),
})

type InSnakeCase<Name> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? '' : '_'}${Lowercase<Head>}${InSnakeCase<Tail>}`
  : ''

/** Whatever lists the fields of a profile has one for each field of the domain, so that the compiler finds a new one. */
export type ProfileField = InSnakeCase<keyof Profile>

/** A profile in requests and in fixture files. */
export const profileShape = object({
  first_name: optionalText(),
  last_name: optionalText(),
  birth_date: optionalOrNull(string()),
  tax_id: optionalText(),
  phone: optionalText(),
  email: optionalText(emailLength),
  address: optionalOrNull(addressShape),
  bank_account: optionalOrNull(bankAccountShape),
  company: optionalOrNull(companyShape),
  consents: consentsShape,
} satisfies Record<ProfileField | 'email', unknown>)

export type WireProfile = Infer<typeof profileShape>

export function readProfile(wire: WireProfile): ProfileRequest {
  return {
    firstName: wire.first_name ?? null,
    lastName: wire.last_name ?? null,
    birthDate: wire.birth_date ?? null,
    taxId: wire.tax_id ?? null,
    phone: wire.phone ?? null,
    email: wire.email ?? null,
    address: readAddress(wire.address),
    bankAccount: readBankAccount(wire.bank_account),
    company: readCompany(wire.company),
    consents: readConsents(wire.consents),
  }
}

function readAddress(wire: WireProfile['address']): ProfileRequest['address'] {
  if (!wire) return null
  const { street, house_number, postal_code, city } = wire
  return { street, houseNumber: house_number, postalCode: postal_code, city }
}

function readBankAccount(wire: WireProfile['bank_account']): ProfileRequest['bankAccount'] {
  if (!wire) return null
  return {
    iban: wire.iban,
    bic: wire.bic ?? null,
    institution: wire.institution ?? null,
    accountHolder: wire.account_holder ?? null,
  }
}

function readCompany(wire: WireProfile['company']): Company | null {
  if (!wire) return null
  return { name: wire.name, legalForm: wire.legal_form, taxId: wire.tax_id }
}

function readConsents(wire: WireProfile['consents']): ProfileRequest['consents'] {
  return {
    terms: readConsent(wire.terms),
    privacy: readConsent(wire.privacy),
    dataSharing: readConsent(wire.data_sharing),
    // spec: optional; not given by default.
    representationAuthorization: readConsent(wire.representation_authorization),
  }
}

function readConsent(wire: Infer<typeof consentShape> | null | undefined): ConsentRequest {
  return {
    given: wire?.given ?? false,
    givenAt: readOptionalTimestamp(wire?.given_at) ?? null,
  }
}

/** Validation also checks profiles that do not fit their shape: this reads the parts that it needs. */
export function readPartialProfile(parts: DeepPartial<WireProfile>): DeepPartial<ProfileRequest> {
  const { email, birth_date, bank_account, consents = {} } = parts
  return {
    email,
    birthDate: birth_date,
    bankAccount: bank_account && { iban: bank_account.iban, bic: bank_account.bic },
    // A section that cannot be read is present nevertheless.
    company: 'company' in parts ? parts.company && { name: parts.company.name } : null,
    consents: {
      terms: readConsentParts(consents.terms),
      privacy: readConsentParts(consents.privacy),
      dataSharing: readConsentParts(consents.data_sharing),
      representationAuthorization: readConsentParts(consents.representation_authorization),
    },
  }
}

function readConsentParts(
  parts: DeepPartial<Infer<typeof consentShape>> | null | undefined,
): DeepPartial<ConsentRequest> | undefined {
  if (!parts) return undefined
  return { given: parts.given, givenAt: readOptionalTimestamp(parts.given_at) ?? null }
}

/** Renders the sections of a profile. Callers decide how much of the bank account to show. */
export function renderProfileSections<Account>(
  profile: Profile,
  renderBankAccount: (account: BankAccount) => Account,
) {
  return {
    first_name: profile.firstName,
    last_name: profile.lastName,
    birth_date: profile.birthDate,
    tax_id: profile.taxId,
    phone: profile.phone,
    address: profile.address && renderAddress(profile.address),
    bank_account: profile.bankAccount && renderBankAccount(profile.bankAccount),
    company: profile.company && renderCompany(profile.company),
    consents: renderConsents(profile.consents),
  } satisfies Record<ProfileField, unknown>
}

function renderAddress({ street, houseNumber, postalCode, city }: Address) {
  return { street, house_number: houseNumber, postal_code: postalCode, city }
}

function renderCompany({ name, legalForm, taxId }: Company) {
  return { name, legal_form: legalForm, tax_id: taxId }
}

function renderConsents(consents: Consents) {
  return {
    terms: renderConsent(consents.terms),
    privacy: renderConsent(consents.privacy),
    data_sharing: renderConsent(consents.dataSharing),
    representation_authorization: renderConsent(consents.representationAuthorization),
  }
}

export function renderConsent({ given, givenAt }: Consent) {
  return { given, given_at: givenAt }
}

export const provisionShape = object({
  partner_customer_ref: text(255),
  email: optionalText(emailLength),
  profile: optionalOrNull(profileShape),
})

export function readProvision(
  wire: Infer<typeof provisionShape>,
): Omit<ProvisionRequest, 'organizationId'> {
  return {
    partnerCustomerRef: wire.partner_customer_ref,
    email: wire.email ?? null,
    profile: wire.profile ? readProfile(wire.profile) : null,
  }
}

export function readPartialProvision({
  email,
  profile,
}: DeepPartial<Infer<typeof provisionShape>>): DeepPartial<ProvisionDetails> {
  return { email, profile: profile && readPartialProfile(profile) }
}

export function renderInvestor(investor: Investor) {
  return {
    investor_id: investor.investorId,
    partner_customer_ref: investor.partnerCustomerRef,
    email: investor.email,
    profile: investor.profile && renderProfileSections(investor.profile, renderBankAccount),
    ...renderCompleteness(investor),
    created_at: investor.createdAt,
    updated_at: investor.updatedAt,
  }
}

/** spec: the profile response mirrors the request section by section. */
export function renderProfile(investor: InvestorWithProfile) {
  return {
    investor_id: investor.investorId,
    email: investor.email,
    ...renderProfileSections(investor.profile, renderBankAccount),
    ...renderCompleteness(investor),
  }
}

function renderCompleteness(investor: Investor) {
  const missing = missingProfileFields(investor).map(toWirePath)
  return { is_profile_complete: missing.length === 0, missing_profile_fields: missing }
}

function renderBankAccount({ iban, bic, institution, accountHolder }: BankAccount) {
  return { iban_masked: maskIban(iban), bic, institution, account_holder: accountHolder }
}
