// The rules of profiles.
import { createHash } from 'node:crypto'
import { bankDataByIBAN } from 'bankdata-germany'
import ibanToBic from 'iban-to-bic'
import { isValidBIC, isValidIBAN } from 'ibantools'
import { Problem, refuseFields } from './problems.js'

const toleranceMs = 60_000
const greatestAge = 120
const consentNames = ['terms', 'privacy', 'data_sharing', 'representation_authorization']

export const toElectronicFormat = (text) => text.replaceAll(' ', '').toUpperCase()
export const maskIban = (iban) => `${iban.slice(0, 4)}****${iban.slice(-4)}`
export const isInFuture = (instant) => Date.parse(instant) > Date.now() + toleranceMs

/** Checks a profile and creates the one to store: normalized, with defaults and instants. */
export function createProfile(request, { email: topLevelEmail } = {}) {
  const { consents, company = null } = request
  refuseFields(profileErrors(request, topLevelEmail))
  if (consents.representation_authorization?.given && !company) {
    const errors = {
      'profile.consents.representation_authorization.given': 'must not be true without a company',
    }
    throw new Problem('REPRESENTATION_CONSENT_REQUIRES_COMPANY', 'There is no company.', { errors })
  }
  const { first_name = null, last_name = null, birth_date = null } = request
  const { tax_id = null, phone = null, address = null } = request
  return {
    ...{ first_name, last_name, birth_date, tax_id, phone, address, company },
    bank_account: request.bank_account ? createBankAccount(request) : null,
    consents: stampConsents(consents),
  }
}

function profileErrors({ email, birth_date, bank_account, consents }, topLevelEmail) {
  const errors = {}
  if (email && topLevelEmail) errors['profile.email'] = 'must not be sent twice'
  if (birth_date && !isPlausible(birth_date)) errors['profile.birth_date'] = 'is not plausible'
  if (bank_account && !isValidIBAN(toElectronicFormat(bank_account.iban))) {
    errors['profile.bank_account.iban'] = 'must be an IBAN'
  }
  if (bank_account?.bic && !isValidBIC(toElectronicFormat(bank_account.bic))) {
    errors['profile.bank_account.bic'] = 'must be a BIC'
  }
  for (const name of consentNames) {
    const { given, given_at } = consents[name] ?? {}
    const path = `profile.consents.${name}.given_at`
    if (given_at && !given) errors[path] = 'must be left out when given is false'
    else if (given_at && isInFuture(given_at)) errors[path] = 'must not be in the future'
  }
  return errors
}

function isPlausible(birthDate) {
  const today = new Date().toISOString().slice(0, 10)
  const earliest = `${Number(today.slice(0, 4)) - greatestAge}${today.slice(4)}`
  return birthDate < today && birthDate >= earliest
}

function createBankAccount({ bank_account, company, first_name, last_name }) {
  const iban = toElectronicFormat(bank_account.iban)
  const known = lookUpBank(iban)
  const { bic, institution, account_holder } = bank_account
  const name = company?.name ?? [first_name, last_name].filter(Boolean).join(' ')
  return {
    iban,
    bic: bic ? toElectronicFormat(bic) : known.bic,
    institution: institution ?? known.institution,
    account_holder: account_holder ?? (name || null),
  }
}

function lookUpBank(iban) {
  if (!iban.startsWith('DE')) {
    return { bic: ibanToBic.ibanToBic(iban) || null, institution: null }
  }
  const { bic, bankName } = bankDataByIBAN(iban) ?? {}
  return { bic: bic || null, institution: bankName || null }
}

function stampConsents(consents) {
  const now = new Date().toISOString()
  return Object.fromEntries(
    consentNames.map((name) => {
      const { given = false, given_at } = consents[name] ?? {}
      const instant = given_at ? new Date(given_at).toISOString() : now
      return [name, { given, given_at: given ? instant : null }]
    }),
  )
}

/** Lists what an investor still lacks. */
export function missingProfileFields({ email, profile }) {
  const { address, bank_account: bank, company, consents, ...flat } = profile ?? {}
  const isGermanBankUnknown = bank?.iban.startsWith('DE') && !bank.bic
  const needed = {
    first_name: flat.first_name,
    last_name: flat.last_name,
    birth_date: flat.birth_date,
    email,
    'address.street': address?.street,
    'address.house_number': address?.house_number,
    'address.postal_code': address?.postal_code,
    'address.city': address?.city,
    'bank_account.iban': bank?.iban,
    ...(isGermanBankUnknown && { 'bank_account.bic': null, 'bank_account.institution': null }),
    'consents.terms': consents?.terms.given,
    'consents.privacy': consents?.privacy.given,
    'consents.data_sharing': consents?.data_sharing.given,
    ...(company && {
      'consents.representation_authorization': consents.representation_authorization.given,
    }),
  }
  return Object.keys(needed).filter((path) => !needed[path])
}

function renderSections({ bank_account, ...profile }) {
  return {
    ...profile,
    bank_account: bank_account && { ...bank_account, iban_masked: maskIban(bank_account.iban) },
  }
}

export function renderInvestor(investor) {
  const missing = missingProfileFields(investor)
  return {
    ...investor,
    profile: investor.profile && renderSections(investor.profile),
    is_profile_complete: missing.length === 0,
    missing_profile_fields: missing,
  }
}

export function renderProfile(investor) {
  const { profile, ...rest } = renderInvestor(investor)
  return { ...rest, ...profile }
}

/** A digest of what was sent, to recognize a replay. */
export function digestOf(request) {
  return createHash('sha256').update(canonical(request)).digest('base64')
}

/** Members in alphabetical order, without those that are null. */
function canonical(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .filter((name) => value[name] != null)
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
  return `{${members.join()}}`
}
