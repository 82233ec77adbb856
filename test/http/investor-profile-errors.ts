import t from 'tap'
import { completeProfile, germanIban, givenConsents } from '../../fixtures/builders/investors.ts'
import { createCustomer } from '../../fixtures/world/customer.ts'

const invalid: [title: string, body: Record<string, unknown>, paths: string[]][] = [
  ['consents are missing [S-investors-18] [D12]', {}, ['profile.consents']],
  ['consents of null', { consents: null }, ['profile.consents']],
  [
    'consents lack each of the three required ones [S-investors-20]',
    { consents: {} },
    ['profile.consents.terms', 'profile.consents.privacy', 'profile.consents.data_sharing'],
  ],
  ['a consent lacks given [S-investors-22]', consentOf({}), ['profile.consents.terms.given']],
  [
    'given is not a boolean [S-investors-23]',
    consentOf({ given: 'true' }),
    ['profile.consents.terms.given'],
  ],
  [
    'given_at lacks an offset [S-investors-24]',
    consentOf({ given: true, given_at: '2026-01-05T10:00:00' }),
    ['profile.consents.terms.given_at'],
  ],
  [
    'given_at is in the future [S-investors-26]',
    consentOf({ given: true, given_at: '2026-11-20T10:01:01Z' }),
    ['profile.consents.terms.given_at'],
  ],
  [
    'given_at is sent with given=false [S-investors-27]',
    consentOf({ given: false, given_at: '2026-01-05T10:00:00Z' }),
    ['profile.consents.terms.given_at'],
  ],
  [
    'an address lacks members [S-investors-10]',
    completeProfile({ address: { street: 'Sonnenallee', city: 'Kempten' } as never }),
    ['profile.address.house_number', 'profile.address.postal_code'],
  ],
  [
    'an address with an empty member',
    completeProfile({ address: { ...completeProfile().address, city: ' ' } as never }),
    ['profile.address.city'],
  ],
  [
    'a bank account lacks its IBAN [S-investors-11]',
    completeProfile({ bank_account: { bic: 'INGDDEFF' } as never }),
    ['profile.bank_account.iban'],
  ],
  [
    'a company lacks members [S-investors-17]',
    completeProfile({ company: { name: 'Windkraft' } as never }),
    ['profile.company.legal_form', 'profile.company.tax_id'],
  ],
  [
    'the IBAN has a wrong checksum [S-investors-12]',
    completeProfile({ bank_account: { iban: 'DE13500105170648489890' } }),
    ['profile.bank_account.iban'],
  ],
  [
    'the BIC has a wrong format [S-investors-13]',
    completeProfile({ bank_account: { iban: germanIban, bic: 'INGDDEFFX' } }),
    ['profile.bank_account.bic'],
  ],
  ['birth date', completeProfile({ birth_date: '2026-11-21' }), ['profile.birth_date']],
  [
    'a birth date that is not in the calendar',
    completeProfile({ birth_date: '1983-02-29' }),
    ['profile.birth_date'],
  ],
  [
    'a name that is too long',
    completeProfile({ last_name: 'x'.repeat(201) }),
    ['profile.last_name'],
  ],
]

function consentOf(terms: unknown) {
  return completeProfile({ consents: givenConsents({ terms: terms as never }) })
}

t.test(
  'an invalid profile gets 422 with the paths of the faults, and changes nothing [S-profile-2] [D14]',
  async (t) => {
    const customer = await createCustomer()
    await customer.putProfile(completeProfile())
    const before = (await customer.read()).body
    for (const [title, body, paths] of invalid) {
      const { status, body: problem } = await customer.putProfile(body)
      t.strictSame([status, problem.code], [422, 'VALIDATION_ERROR'], title)
      t.strictSame(Object.keys(problem.errors), paths, title)
    }
    t.strictSame((await customer.read()).body, before)
  },
)

t.test('a representation authorization without a company gets 422 [S-investors-21]', async (t) => {
  const customer = await createCustomer()
  const consents = givenConsents({ representation_authorization: { given: true } })
  const path = 'profile.consents.representation_authorization.given'
  const { status, body } = await customer.putProfile(completeProfile({ consents }))
  t.strictSame([status, body.code], [422, 'REPRESENTATION_CONSENT_REQUIRES_COMPANY'])
  t.strictSame(body.errors, { [path]: 'must not be true without a company section' })
  const worse = await customer.putProfile(completeProfile({ consents, birth_date: '2027-01-01' }))
  t.equal(worse.body.code, 'REPRESENTATION_CONSENT_REQUIRES_COMPANY')
  t.strictSame(Object.keys(worse.body.errors), ['profile.birth_date', path])
})

t.test(
  'retired and unknown keys get 400, even beside invalid values [S-service-22] [S-investors-4] [D20]',
  async (t) => {
    const customer = await createCustomer()
    for (const [body, path] of [
      [{ birth_day: 1, consents: null }, 'profile.birth_day'],
      [{ street: 'Sonnenallee' }, 'profile.street'],
      [
        completeProfile({ bank_account: { iban_masked: 'x' } as never }),
        'profile.bank_account.iban_masked',
      ],
    ] as const) {
      const { status, body: problem } = await customer.putProfile(body)
      t.strictSame([status, problem.code], [400, 'MALFORMED_REQUEST_BODY'], path)
      t.equal(problem.detail, `Unknown field: ${path}.`)
    }
  },
)
