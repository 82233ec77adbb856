import type {
  Address,
  BankAccount,
  Company,
  Consent,
  Consents,
  Profile,
} from '../../domain/investors/profile.ts'

/** Section by section as it is sent. How much of the account is shown depends on who looks. */
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
  }
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
