import t from 'tap'
import {
  completeProfile,
  completeProvision,
  germanIban,
  givenConsents,
} from '../../fixtures/builders/investors.ts'
import { createWorld, type World } from '../../fixtures/world/world.ts'

function provision(world: World, body: unknown, token = world.partner.token) {
  return world.request('POST', '/v1/investors', { token, body })
}

t.test(
  'a new investor gets 201 with every field, and null for fields without a value [S-investors-33]',
  async (t) => {
    const world = await createWorld()
    const { status, body } = await provision(world, { partner_customer_ref: 'customer-1' })
    t.equal(status, 201)
    t.match(body.investor_id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    t.strictSame(body, {
      investor_id: body.investor_id,
      partner_customer_ref: 'customer-1',
      email: null,
      profile: null,
      is_profile_complete: false,
      missing_profile_fields: [
        'first_name',
        'last_name',
        'birth_date',
        'email',
        'address.street',
        'address.house_number',
        'address.postal_code',
        'address.city',
        'bank_account.iban',
        'consents.terms',
        'consents.privacy',
        'consents.data_sharing',
      ],
      created_at: '2026-11-20T10:00:00.000Z',
      updated_at: '2026-11-20T10:00:00.000Z',
    })
  },
)

t.test('a profile in the same call completes the investor [S-investors-3]', async (t) => {
  const world = await createWorld()
  const { status, body } = await provision(world, completeProvision())
  t.equal(status, 201)
  const given = { given: true, given_at: '2026-01-05T10:00:00.000Z' }
  t.strictSame(body, {
    investor_id: body.investor_id,
    partner_customer_ref: 'customer-1',
    email: 'frieda.sonnenschein@mail.example',
    profile: {
      ...completeProfile(),
      bank_account: {
        iban_masked: 'DE12****9890',
        bic: 'INGDDEFFXXX',
        institution: 'ING-DiBa',
        account_holder: 'Frieda Sonnenschein',
      },
      company: null,
      consents: {
        terms: given,
        privacy: given,
        data_sharing: given,
        representation_authorization: { given: false, given_at: null },
      },
    },
    is_profile_complete: true,
    missing_profile_fields: [],
    created_at: '2026-11-20T10:00:00.000Z',
    updated_at: '2026-11-20T10:00:00.000Z',
  })
  const path = `/v1/investors/${body.investor_id}`
  const read = await world.request('GET', path, { token: world.partner.token })
  t.strictSame([read.status, read.body], [200, body], 'GET by id returns the same')
  const byRef = '/v1/investors?partner_customer_ref=customer-1'
  const found = await world.request('GET', byRef, { token: world.partner.token })
  t.strictSame([found.status, found.body], [200, body], 'GET by reference returns the same')
})

t.test('the full IBAN is never returned [S-investors-35]', async (t) => {
  const world = await createWorld()
  const { text } = await provision(world, completeProvision())
  t.notOk(text.includes(germanIban))
  t.notOk(text.includes(germanIban.slice(4, -4)))
})

t.test('an investor is found by its reference [S-lookup-1]', async (t) => {
  const world = await createWorld()
  const refs = ['a b', 'Größe/1?x=1&y=2', '%2F', 'A', 'a']
  for (const ref of refs) {
    const { body } = await provision(world, { partner_customer_ref: ref })
    const path = `/v1/investors?partner_customer_ref=${encodeURIComponent(ref)}`
    const found = await world.request('GET', path, { token: world.partner.token })
    t.equal(found.body.investor_id, body.investor_id, ref)
  }
})

t.test('the search for an investor needs a reference [S-lookup-2]', async (t) => {
  const world = await createWorld()
  for (const [query, status, code] of [
    ['', 400, 'VALIDATION_ERROR'],
    ['?partner_customer_ref=', 400, 'VALIDATION_ERROR'],
    ['?partner_customer_ref=a&partner_customer_ref=b', 400, 'VALIDATION_ERROR'],
    ['?other=1', 400, 'VALIDATION_ERROR'],
    ['?partner_customer_ref=a', 404, 'MANAGED_INVESTOR_NOT_FOUND'],
    [`?partner_customer_ref=${'a'.repeat(2000)}`, 404, 'MANAGED_INVESTOR_NOT_FOUND'],
    ['?partner_customer_ref=a%00', 404, 'MANAGED_INVESTOR_NOT_FOUND'],
  ] as const) {
    const answer = await world.request('GET', `/v1/investors${query}`, {
      token: world.partner.token,
    })
    t.strictSame([answer.status, answer.body.code], [status, code], query.slice(0, 60))
    t.notOk('errors' in answer.body, 'an error about a parameter has no errors map')
  }
})

t.test('an unknown field is refused with its path [S-service-21]', async (t) => {
  const world = await createWorld()
  const profile = completeProfile()
  for (const [body, path] of [
    [{ partner_customer_ref: 'c', kyc_attested: true }, 'kyc_attested'],
    [{ partner_customer_ref: 'c', investor_account_id: 'x' }, 'investor_account_id'],
    [{ partner_customer_ref: 'c', profile: { ...profile, birth_day: 1 } }, 'profile.birth_day'],
    [
      { profile: { ...profile, address: { ...profile.address, country: 'DE' } } },
      'profile.address.country',
    ],
    ['{"partner_customer_ref":"c","__proto__":{"email":"x"}}', '__proto__'],
  ] as const) {
    const { status, body: problem } = await provision(world, body)
    t.strictSame([status, problem.code], [400, 'MALFORMED_REQUEST_BODY'], path)
    t.equal(problem.detail, `Unknown field: ${path}.`)
    t.notOk('errors' in problem)
  }
})

const invalid: [title: string, body: unknown, paths: string[]][] = [
  ['nothing', {}, ['partner_customer_ref']],
  ['no object', '"text"', ['body']],
  ['a blank reference', { partner_customer_ref: ' ' }, ['partner_customer_ref']],
  ['a number', { partner_customer_ref: 1 }, ['partner_customer_ref']],
  ['too long', { partner_customer_ref: 'x'.repeat(256) }, ['partner_customer_ref']],
  ['control characters', { partner_customer_ref: 'a\u0000' }, ['partner_customer_ref']],
  ['no e-mail address', completeProvision({ email: 'nobody' }), ['email']],
  [
    'consents are missing in an inline profile [S-investors-19]',
    completeProvision({ profile: {} }),
    ['profile.consents'],
  ],
  [
    'the e-mail is in both places [S-investors-9]',
    completeProvision({ profile: completeProfile({ email: 'frieda@mail.example' }) }),
    ['profile.email'],
  ],
  [
    'a wrong e-mail at the top and a wrong IBAN',
    completeProvision({
      email: 'nobody',
      profile: completeProfile({ bank_account: { iban: 'DE00' } }),
    }),
    ['email', 'profile.bank_account.iban'],
  ],
  [
    'a partial section and a missing consent',
    {
      profile: {
        address: { street: 'Sonnenallee', house_number: '1' },
        consents: { ...givenConsents(), terms: { given_at: '2026-01-05T10:00:00Z' } },
      },
    },
    [
      'partner_customer_ref',
      'profile.address.postal_code',
      'profile.address.city',
      'profile.consents.terms.given',
    ],
  ],
]

t.test(
  'an invalid provision gets 422 with the paths that were sent [S-investors-1] [D14]',
  async (t) => {
    const world = await createWorld()
    for (const [title, body, paths] of invalid) {
      const { status, body: problem } = await provision(world, body)
      t.strictSame([status, problem.code], [422, 'VALIDATION_ERROR'], title)
      t.strictSame(Object.keys(problem.errors), paths, title)
    }
  },
)

t.test('no error repeats personal data', async (t) => {
  const world = await createWorld()
  const secrets = ['DE00370400440532013000', 'secret.person', '99.99.1999', 'NOBIC']
  const { text } = await provision(world, {
    partner_customer_ref: 'c',
    email: secrets[1],
    profile: completeProfile({
      birth_date: '99.99.1999',
      bank_account: { iban: 'DE00370400440532013000', bic: 'NOBIC' },
    }),
  })
  for (const secret of secrets) t.notOk(text.includes(secret), secret)
})
