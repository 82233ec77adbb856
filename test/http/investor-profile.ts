import t from 'tap'
import {
  companySections,
  completeProfile,
  germanIban,
  givenConsents,
} from '../../fixtures/builders/investors.ts'
import { createCustomer } from '../../fixtures/world/customer.ts'

const now = '2026-11-20T10:00:00.000Z'
const givenAt = '2026-01-05T10:00:00.000Z'
const given = { given: true, given_at: givenAt }
const notGiven = { given: false, given_at: null }
const unavailable = {
  lookUp: async () => ({ bic: null, institution: null, isOutstanding: true }),
}

t.test(
  'the profile response mirrors the request section by section [S-investors-34]',
  async (t) => {
    const customer = await createCustomer()
    const { status, body } = await customer.putProfile({
      ...completeProfile(),
      ...companySections(),
    })
    t.equal(status, 200)
    t.strictSame(body, {
      investor_id: body.investor_id,
      email: 'frieda@mail.example',
      ...completeProfile(),
      bank_account: {
        iban_masked: 'DE12****9890',
        bic: 'INGDDEFFXXX',
        institution: 'ING-DiBa',
        account_holder: 'Windkraft Beispiel GmbH',
      },
      company: { name: 'Windkraft Beispiel GmbH', legal_form: 'GmbH', tax_id: 'DE000000000' },
      consents: {
        terms: given,
        privacy: given,
        data_sharing: given,
        representation_authorization: given,
      },
      is_profile_complete: true,
      missing_profile_fields: [],
    })
  },
)

t.test('an unset section is null, never an object of nulls [S-service-25]', async (t) => {
  const customer = await createCustomer()
  const { status, body } = await customer.putProfile({ consents: givenConsents() })
  t.equal(status, 200)
  for (const name of ['first_name', 'birth_date', 'tax_id', 'address', 'bank_account', 'company']) {
    t.equal(body[name], null, name)
  }
})

t.test('a PUT replaces the whole stored profile [S-profile-1]', async (t) => {
  const customer = await createCustomer()
  await customer.putProfile({ ...completeProfile(), ...companySections() })
  customer.clock.advance(60)
  const { body } = await customer.putProfile({ first_name: 'Otto', consents: givenConsents() })
  const read = await customer.read()
  const { investor_id, email, is_profile_complete, missing_profile_fields, ...sections } = body
  t.match(read.body, { investor_id, email, is_profile_complete, missing_profile_fields })
  t.strictSame(read.body.profile, sections)
  t.equal(sections.first_name, 'Otto')
  t.strictSame(
    [sections.last_name, sections.address, sections.bank_account, sections.company],
    [null, null, null, null],
  )
  t.strictSame(
    sections.consents.representation_authorization,
    notGiven,
    'an omitted consent is revoked',
  )
  t.equal(read.body.created_at, now)
  t.equal(read.body.updated_at, '2026-11-20T10:01:00.000Z')
})

t.test('a consent that is sent as not given is revoked, and its instant is erased', async (t) => {
  const customer = await createCustomer()
  await customer.putProfile(completeProfile())
  const consents = givenConsents({ terms: { given: false } })
  const { body } = await customer.putProfile(completeProfile({ consents }))
  t.strictSame(body.consents.terms, notGiven)
  t.strictSame([body.is_profile_complete, body.missing_profile_fields], [false, ['consents.terms']])
})

t.test(
  'a given consent without given_at gets the time of receipt [S-investors-25] [D12]',
  async (t) => {
    const customer = await createCustomer()
    const consents = givenConsents({ terms: { given: true } })
    const first = await customer.putProfile(completeProfile({ consents }))
    t.equal(first.body.consents.terms.given_at, now)
    customer.clock.advance(60)
    const second = await customer.putProfile(completeProfile({ consents }))
    t.equal(second.body.consents.terms.given_at, '2026-11-20T10:01:00.000Z', 'with every write')
    t.equal(
      second.body.consents.privacy.given_at,
      givenAt,
      'an instant that was sent does not change',
    )
  },
)

t.test('timestamps are written in UTC, and any offset is read [D17]', async (t) => {
  const customer = await createCustomer()
  const terms = { given: true, given_at: '2026-01-05T11:30:00.5+02:00' }
  const { body } = await customer.putProfile(
    completeProfile({ consents: givenConsents({ terms }) }),
  )
  t.equal(body.consents.terms.given_at, '2026-01-05T09:30:00.500Z')
})

t.test('Java writes one time in sixty without seconds, and it is read as such [D17]', async (t) => {
  const customer = await createCustomer()
  const terms = { given: true, given_at: '2026-01-05T11:30+02:00' }
  const profile = completeProfile({ consents: givenConsents({ terms }) })
  const { body } = await customer.putProfile(profile)
  t.equal(body.consents.terms.given_at, '2026-01-05T09:30:00.000Z')
})

t.test(
  'a PUT without an e-mail keeps the stored e-mail, and a PUT with an e-mail replaces it',
  async (t) => {
    const customer = await createCustomer()
    t.equal((await customer.putProfile(completeProfile())).body.email, 'frieda@mail.example')
    t.equal(
      (await customer.putProfile(completeProfile({ email: null }))).body.email,
      'frieda@mail.example',
    )
    const otto = completeProfile({ email: 'otto@mail.example' })
    t.equal((await customer.putProfile(otto)).body.email, 'otto@mail.example')
    t.equal((await customer.read()).body.email, 'otto@mail.example')
  },
)

t.test(
  'account_holder defaults to the name of the profile or of the company [S-investors-16]',
  async (t) => {
    const customer = await createCustomer()
    const sent = { iban: germanIban, account_holder: 'Familie Sonnenschein' }
    for (const [title, body, holder] of [
      ['name', completeProfile(), 'Frieda Sonnenschein'],
      ['only one part of a name', completeProfile({ first_name: null }), 'Sonnenschein'],
      ['no name', completeProfile({ first_name: null, last_name: null }), null],
      ['company', { ...completeProfile(), ...companySections() }, 'Windkraft Beispiel GmbH'],
      ['sent', completeProfile({ bank_account: sent }), 'Familie Sonnenschein'],
    ] as const) {
      t.equal((await customer.putProfile(body)).body.bank_account.account_holder, holder, title)
    }
  },
)

t.test('BIC and institution are derived from the IBAN when omitted [S-investors-14]', async (t) => {
  const asked: string[] = []
  const lookUp = async (iban: string) => {
    asked.push(iban)
    return { bic: 'INGDDEFFXXX', institution: 'ING-DiBa', isOutstanding: false }
  }
  const customer = await createCustomer({ bankDirectory: { lookUp } })
  const spaced = 'de12 5001 0517 0648 4898 90'
  const sent = { bic: 'cobadeff', institution: 'Andere Bank' }
  for (const [account, bic, institution] of [
    [{ iban: spaced }, 'INGDDEFFXXX', 'ING-DiBa'],
    [{ iban: spaced, bic: sent.bic }, 'COBADEFF', 'ING-DiBa'],
    [{ iban: spaced, institution: sent.institution }, 'INGDDEFFXXX', 'Andere Bank'],
    [{ iban: spaced, ...sent }, 'COBADEFF', 'Andere Bank'],
  ] as const) {
    const { body } = await customer.putProfile(completeProfile({ bank_account: account }))
    t.match(body.bank_account, { iban_masked: 'DE12****9890', bic, institution })
  }
  t.strictSame(asked, Array(3).fill(germanIban), 'a look-up is not needed if both are sent')
})

t.test(
  'when the look-up is unavailable, the write succeeds and the profile stays incomplete [S-investors-28] [D13]',
  async (t) => {
    const customer = await createCustomer({ bankDirectory: unavailable })
    const { status, body } = await customer.putProfile(completeProfile())
    t.equal(status, 200)
    t.match(body.bank_account, { bic: null, institution: null })
    t.strictSame(body.missing_profile_fields, ['bank_account.bic', 'bank_account.institution'])
    const bank_account = { iban: germanIban, bic: 'INGDDEFF', institution: 'ING-DiBa' }
    t.equal(
      (await customer.putProfile(completeProfile({ bank_account }))).body.is_profile_complete,
      true,
    )
  },
)
