import t from 'tap'
import { completeProfile, givenConsents } from '../../../fixtures/builders/investors.ts'
import { profileErrors } from '../../../src/domain/investors/profile.ts'
import { toTimestamp } from '../../../src/domain/timestamp.ts'
import { readProfile, type WireProfile } from '../../../src/wire/investors.ts'

const now = toTimestamp(new Date('2026-11-20T12:00:00Z'))

function faultsOf(overrides: Partial<WireProfile>) {
  return profileErrors(readProfile(completeProfile(overrides)), now)
}

function consentsWith(terms: WireProfile['consents']['terms']): Partial<WireProfile> {
  return { consents: givenConsents({ terms }) }
}

const rows: [title: string, overrides: Partial<WireProfile>, paths: string[]][] = [
  ['a complete profile', {}, []],
  [
    'a profile with only consents',
    { address: null, bank_account: null, birth_date: null, first_name: null },
    [],
  ],
  [
    'IBAN checksum',
    { bank_account: { iban: 'DE00370400440532013000' } },
    ['profile.bankAccount.iban'],
  ],
  [
    'BIC format',
    { bank_account: { iban: 'DE89370400440532013000', bic: 'NOBIC' } },
    ['profile.bankAccount.bic'],
  ],
  ['birth date', { birth_date: '2027-01-01' }, ['profile.birthDate']],
  ['e-mail', { email: 'nobody' }, ['profile.email']],
  [
    'given_at must not be in the future',
    consentsWith({ given: true, given_at: '2026-11-20T12:01:00.001Z' }),
    ['profile.consents.terms.givenAt'],
  ],
  [
    'the clock of the sender may be a minute ahead [D17]',
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
    ['profile.consents.terms.givenAt'],
  ],
  ['given_at may be null when given is false', consentsWith({ given: false, given_at: null }), []],
  [
    'representation without a company',
    { consents: givenConsents({ representation_authorization: { given: true } }) },
    ['profile.consents.representationAuthorization.given'],
  ],
]

t.test('each domain check names the path that was sent [S-errors-3]', async (t) => {
  for (const [title, overrides, paths] of rows) {
    t.strictSame(Object.keys(faultsOf(overrides)), paths, title)
  }
})

t.test('an e-mail address may have combining marks', async (t) => {
  for (const [email, isValid] of [
    ['mu\u0308ller@example.org', true],
    ['Jose\u0301.Nun\u0303ez@example.org', true],
    ['\u0915\u094d\u0937\u092e\u093e@example.org', true],
    ['müller@mu\u0308ller.example', true],
    ['\u0308ller@example.org', false],
    ['@example.org', false],
    ['mu\u0308 ller@example.org', false],
    [`${'u\u0308'.repeat(32)}@example.org`, true],
    [`${'u\u0308'.repeat(32)}x@example.org`, false],
  ] as const) {
    t.strictSame(Object.keys(faultsOf({ email })), isValid ? [] : ['profile.email'], email)
  }
})

t.test('all faults of a profile are reported together [S-errors-1]', async (t) => {
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
    'profile.birthDate',
    'profile.bankAccount.iban',
    'profile.bankAccount.bic',
    'profile.consents.terms.givenAt',
    'profile.consents.privacy.givenAt',
    'profile.consents.dataSharing.givenAt',
    'profile.consents.representationAuthorization.givenAt',
    'profile.consents.representationAuthorization.given',
  ])
})
