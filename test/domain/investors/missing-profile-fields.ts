import t from 'tap'
import {
  companySections,
  completeProfile,
  givenConsents,
} from '../../../fixtures/builders/investors.ts'
import {
  createProfile,
  type DerivedBankData,
  missingProfileFields,
} from '../../../src/domain/investors/profile.ts'
import { toTimestamp } from '../../../src/domain/timestamp.ts'
import { readProfile, type WireProfile } from '../../../src/wire/investors.ts'

const receivedAt = toTimestamp(new Date('2026-11-20T12:00:00Z'))
const bank: DerivedBankData = { bic: 'INGDDEFFXXX', institution: 'ING-DiBa', isOutstanding: false }
const nothingDerived: DerivedBankData = { bic: null, institution: null, isOutstanding: true }
const nobodyKnows: DerivedBankData = { ...nothingDerived, isOutstanding: false }

function profileOf(overrides: Partial<WireProfile>, derived = bank) {
  return createProfile(readProfile(completeProfile(overrides)), { derived, receivedAt })
}

function missingOf(overrides: Partial<WireProfile>, derived?: DerivedBankData) {
  return missingProfileFields({
    email: 'frieda@mail.example',
    profile: profileOf(overrides, derived),
  })
}

const notGiven = { given: false }
const address = ['address.street', 'address.houseNumber', 'address.postalCode', 'address.city']

const rows: [title: string, overrides: Partial<WireProfile>, missing: string[]][] = [
  ['no field is missing', {}, []],
  ['tax_id and phone are optional [S-investors-8]', { tax_id: null, phone: null }, []],
  ['first_name', { first_name: null }, ['firstName']],
  ['last_name', { last_name: null }, ['lastName']],
  ['birth_date', { birth_date: null }, ['birthDate']],
  ['the four address members', { address: null }, address],
  ['bank_account.iban', { bank_account: null }, ['bankAccount.iban']],
  ['terms', { consents: givenConsents({ terms: notGiven }) }, ['consents.terms']],
  ['privacy', { consents: givenConsents({ privacy: notGiven }) }, ['consents.privacy']],
  [
    'data_sharing',
    { consents: givenConsents({ data_sharing: notGiven }) },
    ['consents.dataSharing'],
  ],
  ['a company with everything', companySections(), []],
  [
    'a company needs its representation authorization [S-investors-32]',
    { ...companySections(), consents: givenConsents() },
    ['consents.representationAuthorization'],
  ],
]

t.test('a profile is complete when all required fields exist [S-investors-30]', async (t) => {
  for (const [title, overrides, missing] of rows) {
    t.strictSame(missingOf(overrides), missing, title)
  }
})

t.test('a complete profile needs the e-mail [S-investors-31]', async (t) => {
  t.strictSame(missingProfileFields({ email: null, profile: profileOf({}) }), ['email'])
})

t.test('bank data that could not be derived is missing until it is sent', async (t) => {
  const { iban } = completeProfile().bank_account ?? { iban: '' }
  t.strictSame(missingOf({}, nothingDerived), ['bankAccount.bic', 'bankAccount.institution'])
  const half = { ...bank, institution: null, isOutstanding: true }
  t.strictSame(missingOf({}, half), ['bankAccount.institution'])
  const sent = { iban, bic: bank.bic, institution: bank.institution }
  t.strictSame(missingOf({ bank_account: sent }, nothingDerived), [])
  t.strictSame(missingOf({}, nobodyKnows), [], 'not if nobody can know the bank data')
})

t.test('without a profile every field is missing, each by its own path', async (t) => {
  t.strictSame(missingProfileFields({ email: null, profile: null }), [
    'firstName',
    'lastName',
    'birthDate',
    'email',
    ...address,
    'bankAccount.iban',
    'consents.terms',
    'consents.privacy',
    'consents.dataSharing',
  ])
})
