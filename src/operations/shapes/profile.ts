import { boolean, type Infer, object, string } from 'superstruct'
import type { Company } from '../../domain/investors/profile.ts'
import type { ConsentRequest, ProfileRequest } from '../../domain/investors/profile-request.ts'
import type { Parts } from '../../domain/parts.ts'
import { orNull } from './or-null.ts'
import { optionalText, text } from './text.ts'
import { readTimestamp, timestamp } from './timestamp.ts'

export const emailLength = 255

const consentShape = object({ given: boolean(), given_at: orNull(timestamp()) })

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
  representation_authorization: orNull(consentShape),
})

/** A profile as partners send it, and as fixture files have it. */
export const profileShape = object({
  first_name: optionalText(),
  last_name: optionalText(),
  birth_date: orNull(string()),
  tax_id: optionalText(),
  phone: optionalText(),
  email: optionalText(emailLength),
  address: orNull(addressShape),
  bank_account: orNull(bankAccountShape),
  company: orNull(companyShape),
  consents: consentsShape,
})

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
    // spec: optional, default not given.
    representationAuthorization: readConsent(wire.representation_authorization),
  }
}

function readConsent(wire: Infer<typeof consentShape> | null | undefined): ConsentRequest {
  return {
    given: wire?.given ?? false,
    givenAt: wire?.given_at == null ? null : readTimestamp(wire.given_at),
  }
}

/** As much as the rules of a profile ask about, of one that does not fit its shape everywhere. */
export function readProfileParts(parts: Parts<WireProfile>): Parts<ProfileRequest> {
  const { email, birth_date, bank_account, consents = {} } = parts
  return {
    email,
    birthDate: birth_date,
    bankAccount: bank_account && { iban: bank_account.iban, bic: bank_account.bic },
    // One that cannot be read is there all the same.
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
  parts: Parts<Infer<typeof consentShape>> | null | undefined,
): Parts<ConsentRequest> | undefined {
  if (!parts) return undefined
  return {
    given: parts.given,
    givenAt: parts.given_at == null ? null : readTimestamp(parts.given_at),
  }
}
