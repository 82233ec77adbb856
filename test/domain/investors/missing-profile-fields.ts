import t from 'tap'
import { companySections, completeProfile, givenConsents } from '../../../fixtures/investors.ts'
import {
  createProfile,
  type DerivedBankData,
} from '../../../src/domain/investors/create-profile.ts'
import { missingProfileFields } from '../../../src/domain/investors/missing-profile-fields.ts'
import { timestampOf } from '../../../src/domain/timestamp.ts'
import { readProfile, type WireProfile } from '../../../src/operations/shapes/profile.ts'

const receivedAt = timestampOf(new Date('2026-11-20T12:00:00Z'))
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
const address = ['address.street', 'address.house_number', 'address.postal_code', 'address.city']

const rows: [title: string, overrides: Partial<WireProfile>, missing: string[]][] = [
  ['nothing is outstanding', {}, []],
  ['tax_id and phone are optional', { tax_id: null, phone: null }, []],
  ['first_name', { first_name: null }, ['first_name']],
  ['last_name', { last_name: null }, ['last_name']],
  ['birth_date', { birth_date: null }, ['birth_date']],
  ['the four address members', { address: null }, address],
  ['bank_account.iban', { bank_account: null }, ['bank_account.iban']],
  ['terms', { consents: givenConsents({ terms: notGiven }) }, ['consents.terms']],
  ['privacy', { consents: givenConsents({ privacy: notGiven }) }, ['consents.privacy']],
  [
    'data_sharing',
    { consents: givenConsents({ data_sharing: notGiven }) },
    ['consents.data_sharing'],
  ],
  ['a company with everything', companySections(), []],
  [
    'a company without the representation authorization',
    { ...companySections(), consents: givenConsents() },
    ['consents.representation_authorization'],
  ],
]

t.test('a profile is complete when all of these exist', async (t) => {
  for (const [title, overrides, missing] of rows) {
    t.strictSame(missingOf(overrides), missing, title)
  }
})

t.test('the e-mail is asked for', async (t) => {
  t.strictSame(missingProfileFields({ email: null, profile: profileOf({}) }), ['email'])
})

t.test('bank data that could not be derived is asked for until it is sent', async (t) => {
  const { iban } = completeProfile().bank_account ?? { iban: '' }
  t.strictSame(missingOf({}, nothingDerived), ['bank_account.bic', 'bank_account.institution'])
  const half = { ...bank, institution: null, isOutstanding: true }
  t.strictSame(missingOf({}, half), ['bank_account.institution'])
  const sent = { iban, bic: bank.bic, institution: bank.institution }
  t.strictSame(missingOf({ bank_account: sent }, nothingDerived), [])
  t.strictSame(missingOf({}, nobodyKnows), [], 'not where nobody can be expected to know it')
})

t.test('without a profile everything is asked for, as leaves', async (t) => {
  t.strictSame(missingProfileFields({ email: null, profile: null }), [
    'first_name',
    'last_name',
    'birth_date',
    'email',
    ...address,
    'bank_account.iban',
    'consents.terms',
    'consents.privacy',
    'consents.data_sharing',
  ])
})
