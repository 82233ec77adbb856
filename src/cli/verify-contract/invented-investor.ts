import type { Known } from './step.ts'

const iban = 'DE89370400440532013000'
const wrongIban = 'DE00370400440532013000'
/** No answer may hold them, only their mask. */
export const wholeIbans = [iban, wrongIban]
export const maskedIban = 'DE89****3000'
const email = 'verify@mail.example'

const person = {
  first_name: 'Vera',
  last_name: 'Beispiel',
  birth_date: '1984-02-29',
  address: { street: 'Am Markt', house_number: '4', postal_code: '25813', city: 'Husum' },
}
/** Sent, for a deployment may have no directory of banks to look them up. */
const bank = { bic: 'COBADEFFXXX', institution: 'Commerzbank' }
const given = { given: true }
const consents = { terms: given, privacy: given, data_sharing: given }

export function provisionOf({ reference }: Known) {
  return { partner_customer_ref: reference, email }
}

export const wholeProfile = { ...person, bank_account: { iban, ...bank }, consents }
export const profileWithWrongIban = { ...wholeProfile, bank_account: { iban: wrongIban, ...bank } }

const complete = { is_profile_complete: true, missing_profile_fields: [] }
const sections = {
  ...person,
  tax_id: null,
  phone: null,
  company: null,
  bank_account: { iban_masked: maskedIban, ...bank, account_holder: 'Vera Beispiel' },
  consents,
}

export function newInvestor({ reference, investorId }: Known) {
  return {
    investor_id: investorId,
    partner_customer_ref: reference,
    email,
    is_profile_complete: false,
  }
}

export function completeProfile({ investorId }: Known) {
  return { investor_id: investorId, email, ...sections, ...complete }
}

export function completeInvestor(known: Known) {
  return { ...newInvestor(known), profile: sections, ...complete }
}
