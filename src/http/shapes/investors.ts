import { type Infer, nullable, object, optional } from 'superstruct'
import { maskIban } from '../../domain/investors/iban.ts'
import type { Investor } from '../../domain/investors/investor.ts'
import { missingProfileFields } from '../../domain/investors/missing-profile-fields.ts'
import type {
  Address,
  BankAccount,
  Company,
  Consent,
  Consents,
  Profile,
} from '../../domain/investors/profile.ts'
import { emailLength, profileShape, readProfile } from '../../operations/shapes/profile.ts'
import type { ProvisionRequest } from '../../usecases/investors/provision-request.ts'
import { optionalText, text } from './text.ts'

export { profileShape, readProfile } from '../../operations/shapes/profile.ts'

export const provisionShape = object({
  partner_customer_ref: text(255),
  email: optionalText(emailLength),
  profile: optional(nullable(profileShape)),
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

export function renderInvestor(investor: Investor) {
  return {
    investor_id: investor.investorId,
    partner_customer_ref: investor.partnerCustomerRef,
    email: investor.email,
    profile: investor.profile && renderSections(investor.profile),
    ...renderCompleteness(investor),
    created_at: investor.createdAt,
    updated_at: investor.updatedAt,
  }
}

/** spec: the profile response mirrors the request section by section. */
export function renderProfile(investor: Investor) {
  return {
    investor_id: investor.investorId,
    email: investor.email,
    ...(investor.profile && renderSections(investor.profile)),
    ...renderCompleteness(investor),
  }
}

function renderCompleteness(investor: Investor) {
  const missing = missingProfileFields(investor)
  return { is_profile_complete: missing.length === 0, missing_profile_fields: missing }
}

function renderSections(profile: Profile) {
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
  }
}

function renderAddress({ street, houseNumber, postalCode, city }: Address) {
  return { street, house_number: houseNumber, postal_code: postalCode, city }
}

function renderBankAccount({ iban, bic, institution, accountHolder }: BankAccount) {
  return { iban_masked: maskIban(iban), bic, institution, account_holder: accountHolder }
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
