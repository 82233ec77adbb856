import t from 'tap'
import { completeProfile, givenConsents } from '../../../fixtures/investors.ts'
import { profileFaults } from '../../../src/domain/investors/profile-faults.ts'
import { timestampOf } from '../../../src/domain/timestamp.ts'
import { readProfile, type WireProfile } from '../../../src/operations/shapes/profile.ts'

const now = timestampOf(new Date('2026-11-20T12:00:00Z'))

function faultsOf(overrides: Partial<WireProfile>) {
  return profileFaults(readProfile(completeProfile(overrides)), now)
}

function consentsWith(terms: WireProfile['consents']['terms']): Partial<WireProfile> {
  return { consents: givenConsents({ terms }) }
}

const rows: [title: string, overrides: Partial<WireProfile>, paths: string[]][] = [
  ['a complete profile', {}, []],
  [
    'a profile of nothing but consents',
    { address: null, bank_account: null, birth_date: null, first_name: null },
    [],
  ],
  [
    'IBAN checksum',
    { bank_account: { iban: 'DE00370400440532013000' } },
    ['profile.bank_account.iban'],
  ],
  [
    'BIC format',
    { bank_account: { iban: 'DE89370400440532013000', bic: 'NOBIC' } },
    ['profile.bank_account.bic'],
  ],
  ['birth date', { birth_date: '2027-01-01' }, ['profile.birth_date']],
  ['e-mail', { email: 'nobody' }, ['profile.email']],
  [
    'given_at must not be in the future',
    consentsWith({ given: true, given_at: '2026-11-20T12:01:00.001Z' }),
    ['profile.consents.terms.given_at'],
  ],
  [
    'the clock of the sender may be a minute ahead',
    consentsWith({ given: true, given_at: '2026-11-20T12:01:00Z' }),
    [],
  ],
  [
    'given_at is an instant, whatever its offset',
    consentsWith({ given: true, given_at: '2026-11-20T14:00:00+02:00' }),
    [],
  ],
  [
    'given_at must be omitted when given is false',
    consentsWith({ given: false, given_at: '2026-01-01T00:00:00Z' }),
    ['profile.consents.terms.given_at'],
  ],
  ['given_at may be null when given is false', consentsWith({ given: false, given_at: null }), []],
  [
    'representation without a company',
    { consents: givenConsents({ representation_authorization: { given: true } }) },
    ['profile.consents.representation_authorization.given'],
  ],
]

t.test('each domain check names the path that was sent', async (t) => {
  for (const [title, overrides, paths] of rows) {
    t.strictSame(Object.keys(faultsOf(overrides)), paths, title)
  }
})

t.test('all that is wrong is told at once', async (t) => {
  const faults = faultsOf({
    email: 'nobody',
    birth_date: 'yesterday',
    bank_account: { iban: 'none', bic: 'none' },
    consents: {
      terms: { given: true, given_at: '2027-01-01T00:00:00Z' },
      privacy: { given: false, given_at: '2026-01-01T00:00:00Z' },
      data_sharing: { given: true, given_at: '2027-01-01T00:00:00Z' },
      representation_authorization: { given: true, given_at: '2027-01-01T00:00:00Z' },
    },
  })
  t.strictSame(Object.keys(faults), [
    'profile.email',
    'profile.birth_date',
    'profile.bank_account.iban',
    'profile.bank_account.bic',
    'profile.consents.terms.given_at',
    'profile.consents.privacy.given_at',
    'profile.consents.data_sharing.given_at',
    'profile.consents.representation_authorization.given_at',
    'profile.consents.representation_authorization.given',
  ])
})
