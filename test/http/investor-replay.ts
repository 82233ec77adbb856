import t from 'tap'
import {
  companySections,
  completeProfile,
  completeProvision,
  germanIban,
  givenConsents,
} from '../../fixtures/builders/investors.ts'
import { createWorld, type World } from '../../fixtures/world/world.ts'

function provision(world: World, body: unknown, token = world.partner.token) {
  return world.request('POST', '/v1/investors', { token, body })
}

const stored = completeProvision()
const profile = completeProfile()
const replays: [title: string, body: Record<string, unknown>, status: number][] = [
  ['the same request', stored, 200],
  ['no e-mail and no profile', { partner_customer_ref: 'customer-1' }, 200],
  ['nulls in place of omitted members', { ...stored, email: null, profile: null }, 200],
  ['no e-mail', { ...stored, email: undefined }, 200],
  ['the e-mail inside the profile', replayed({ email: stored.email }, { email: undefined }), 200],
  ['the IBAN in groups of four', replayed({ bank_account: { iban: spaced(germanIban) } }), 200],
  ['the derived bank data', replayed({ bank_account: derived() }), 200],
  ['a BIC in lower case', replayed({ bank_account: derived({ bic: 'ingddeffxxx' }) }), 200],
  ['a BIC of 8 characters', replayed({ bank_account: derived({ bic: 'INGDDEFF' }) }), 200],
  ['a BIC of a branch', replayed({ bank_account: derived({ bic: 'INGDDEFF200' }) }), 409],
  ['given_at omitted', replayed({ consents: unstamped() }), 200],
  [
    'given_at with another offset',
    replayed({ consents: stampedAt('2026-01-05T11:00:00+01:00') }),
    200,
  ],
  ['an additional revocation', replayed({ consents: revoked() }), 409],
  ['another e-mail', { ...stored, email: 'otto@mail.example' }, 409],
  ['another first name', replayed({ first_name: 'Otto' }), 409],
  ['no first name', replayed({ first_name: null }), 409],
  ['another city', replayed({ address: { ...profile.address, city: 'Ulm' } as never }), 409],
  ['no address', replayed({ address: null }), 409],
  ['a company', replayed(companySections()), 409],
  ['no bank account', replayed({ bank_account: null }), 409],
  ['another IBAN', replayed({ bank_account: { iban: 'DE89370400440532013000' } }), 409],
  ['another BIC', replayed({ bank_account: derived({ bic: 'COBADEFF' }) }), 409],
  ['another holder', replayed({ bank_account: derived({ account_holder: 'Otto' }) }), 409],
  ['another given_at', replayed({ consents: stampedAt('2026-01-06T10:00:00Z') }), 409],
]

function replayed(changes: Partial<typeof profile>, top: Record<string, unknown> = {}) {
  return { ...stored, profile: { ...profile, ...changes }, ...top }
}
function spaced(iban: string) {
  return iban.toLowerCase().replaceAll(/.{4}/g, '$& ')
}
function derived(changes = {}) {
  const known = { bic: 'INGDDEFFXXX', institution: 'ING-DiBa' }
  return { iban: germanIban, ...known, account_holder: 'Frieda Sonnenschein', ...changes }
}
function stampedAt(given_at: string) {
  return givenConsents({ terms: { given: true, given_at } })
}
function unstamped() {
  const given = { given: true }
  return { terms: given, privacy: given, data_sharing: given }
}
function revoked() {
  return givenConsents({ privacy: { given: false } })
}

t.test(
  'the same reference with the same details returns the existing investor [S-service-2] [S-provision-1] [S-retry-2] [D11]',
  async (t) => {
    const world = await createWorld()
    const first = await provision(world, stored)
    t.equal(first.status, 201)
    world.clock.advance(600)
    for (const [title, body, status] of replays) {
      const answer = await provision(world, body)
      t.equal(answer.status, status, title)
      if (status === 200) t.strictSame(answer.body, first.body, title)
      else t.equal(answer.body.code, 'MANAGED_INVESTOR_PROFILE_CONFLICT', title)
    }
  },
)

t.test('a profile for an investor that has none is a conflict', async (t) => {
  const world = await createWorld()
  await provision(world, { partner_customer_ref: 'customer-1' })
  t.equal((await provision(world, stored)).status, 409)
})

t.test('a replay matches the first request or the stored profile', async (t) => {
  const world = await createWorld()
  const { body } = await provision(world, stored)
  const changed = { ...profile, first_name: 'Otto' }
  const path = `/v1/investors/${body.investor_id}/profile`
  await world.request('PUT', path, { token: world.partner.token, body: changed })
  t.equal((await provision(world, stored)).status, 200)
  t.equal((await provision(world, { ...stored, profile: changed })).status, 200)
  t.equal((await provision(world, replayed({ first_name: 'Anna' }))).status, 409)
})

t.test('a replay does not use the bank directory', async (t) => {
  let asked = 0
  const lookUp = async () => {
    asked += 1
    return { bic: null, institution: null, isOutstanding: true }
  }
  const world = await createWorld({ bankDirectory: { lookUp } })
  await provision(world, stored)
  t.equal((await provision(world, stored)).status, 200)
  t.equal(asked, 1)
})

t.test(
  'simultaneous provisions of one reference create one investor, and all get it [S-investors-2]',
  async (t) => {
    const world = await createWorld({
      bankDirectory: {
        // The look-up takes long enough for all requests to search for the reference before the
        // first one writes.
        lookUp: () =>
          new Promise((resolve) =>
            setImmediate(resolve, { bic: null, institution: null, isOutstanding: true }),
          ),
      },
    })
    const answers = await Promise.all(Array.from({ length: 20 }, () => provision(world, stored)))
    t.equal(new Set(answers.map(({ body }) => body.investor_id)).size, 1)
    t.strictSame(
      answers.map(({ status }) => status).sort(),
      [...Array(19).fill(200), 201],
      'one of them created it',
    )
  },
)

t.test(
  'simultaneous provisions of one reference with different details have one winner',
  async (t) => {
    const world = await createWorld()
    const answers = await Promise.all(
      ['a', 'b'].map((name) => provision(world, { ...stored, email: `${name}@mail.example` })),
    )
    t.strictSame(answers.map(({ status }) => status).sort(), [201, 409])
  },
)

t.test('two partners may use one reference for different customers', async (t) => {
  const world = await createWorld()
  const first = await provision(world, stored)
  const second = await provision(world, stored, world.otherPartner.token)
  t.equal(second.status, 201)
  t.not(second.body.investor_id, first.body.investor_id)
})

async function replaceProfile(world: World, investorId: string, body: unknown) {
  const { token } = world.partner
  const path = `/v1/investors/${investorId}/profile`
  const answer = await world.request('PUT', path, { token, body })
  if (answer.status !== 200) throw new Error(`The profile was not replaced: ${answer.text}`)
}

t.test('a repeated first request is a replay, even if the profile has changed [D11]', async (t) => {
  const world = await createWorld()
  const spelled = replayed({ bank_account: { iban: spaced(germanIban) }, consents: unstamped() })
  const first = await provision(world, spelled)
  const later = { ...profile, first_name: 'Otto', address: null, email: 'otto@mail.example' }
  await replaceProfile(world, first.body.investor_id, later)
  const read = await provision(world, { partner_customer_ref: 'customer-1' })
  for (const [title, body, status] of [
    ['the first request', spelled, 200],
    ['the first request with other spellings', replayed({ consents: unstamped() }), 200],
    ['the stored profile', { partner_customer_ref: 'customer-1', profile: later }, 200],
    ['a mixture of both', { ...spelled, email: 'otto@mail.example' }, 409],
    ['neither', replayed({ consents: unstamped(), last_name: 'Regen' }), 409],
  ] as const) {
    const answer = await provision(world, body)
    t.equal(answer.status, status, title)
    if (status === 200) t.strictSame(answer.body, read.body, 'the current investor')
  }
})

t.test('the store has no readable copy of the first request', async (t) => {
  const world = await createWorld()
  const { body } = await provision(world, stored)
  const { organizationId } = world.partner
  const record = await world.service.store.read(({ investors }) =>
    investors.get(organizationId, body.investor_id),
  )
  t.strictSame(Object.keys(record ?? {}).sort(), [
    'createdAt',
    'encryptedKey',
    'encryptedPersonalData',
    'investorId',
    'organizationId',
    'partnerCustomerRef',
    'searchTerms',
    'updatedAt',
  ])
  t.ok(record?.searchTerms?.length, 'terms that find the person')
  t.notMatch(JSON.stringify(record), /Frieda|Sonnenschein|mail\.example/i)
  t.notMatch(JSON.stringify(record), germanIban)
})

t.test('a conflict names the fields that differ, but no values [D11]', async (t) => {
  const world = await createWorld()
  await provision(world, stored)
  const detailOf = async (body: unknown) => (await provision(world, body)).body.detail
  const bodies: readonly [unknown, string][] = [
    [{ ...stored, email: 'otto@mail.example' }, 'email'],
    [replayed({ email: 'otto@mail.example' }, { email: undefined }), 'profile.email'],
    [
      replayed({ first_name: 'Otto', address: { ...profile.address, city: 'Ulm' } as never }),
      'profile.first_name, profile.address.city',
    ],
    [replayed({ address: null }), 'profile.address'],
    [
      replayed(companySections()),
      'profile.company, profile.consents.representation_authorization.given',
    ],
    [
      replayed({ bank_account: derived({ bic: 'COBADEFF', account_holder: 'Otto' }) }),
      'profile.bank_account.bic, profile.bank_account.account_holder',
    ],
    [replayed({ consents: stampedAt('2026-01-06T10:00:00Z') }), 'profile.consents.terms.given_at'],
  ]
  for (const [body, paths] of bodies) {
    t.equal(
      await detailOf(body),
      `An investor with this partner_customer_ref already exists with different details: ${paths}. To change them, replace the profile with PUT.`,
    )
  }
  const bare = { ...stored, partner_customer_ref: 'customer-2', profile: undefined }
  await provision(world, bare)
  t.match(await detailOf({ ...bare, profile }), 'different details: profile. To change')
})

const accented = {
  email: 'mu\u0308ller@mail.example',
  profile: completeProfile({
    first_name: 'Zoë',
    last_name: 'Mu\u0308ller',
    address: { ...profile.address, city: 'Mu\u0308nchen', street: 'Caf\u00e9weg' } as never,
    bank_account: { iban: germanIban, bic: 'INGDDEFF', account_holder: 'Zoe\u0308 Mu\u0308ller' },
  }),
}

/** The same request in another normal form of Unicode, with another spelling of the BIC. */
function respelled(form: 'NFC' | 'NFD') {
  const text = JSON.stringify(accented).normalize(form).replace('INGDDEFF', 'ingd de ff xxx')
  return { partner_customer_ref: 'customer-1', ...JSON.parse(text) }
}

t.test(
  'normal forms of Unicode and the branch XXX make no difference to a replay [D11]',
  async (t) => {
    const world = await createWorld()
    const sent = { partner_customer_ref: 'customer-1', ...accented }
    const first = await provision(world, sent)
    t.equal(first.status, 201)
    t.equal(first.body.email, accented.email, 'the text is stored as it was sent')
    for (const form of ['NFC', 'NFD'] as const) {
      t.equal((await provision(world, respelled(form))).status, 200, `${form}, as stored`)
    }
    await replaceProfile(world, first.body.investor_id, { ...profile, email: 'otto@mail.example' })
    for (const body of [sent, respelled('NFC'), respelled('NFD')]) {
      t.equal((await provision(world, body)).status, 200, 'as first sent')
    }
  },
)

t.test(
  'a part that the first request had need not be repeated, whatever has changed [D11]',
  async (t) => {
    const world = await createWorld()
    const first = await provision(world, stored)
    const later = { ...profile, first_name: 'Otto', email: 'otto@mail.example' }
    await replaceProfile(world, first.body.investor_id, later)
    const reference = { partner_customer_ref: 'customer-1' }
    for (const [title, body, status] of [
      ['no e-mail', { ...reference, profile }, 200],
      ['no profile', { ...reference, email: stored.email }, 200],
      ['no given_at', replayed({ consents: unstamped() }), 200],
      [
        'no given_at and no e-mail',
        { ...reference, profile: { ...profile, consents: unstamped() } },
        200,
      ],
      [
        'the e-mail in the profile',
        { ...reference, profile: { ...profile, email: stored.email } },
        200,
      ],
      ['another e-mail', { ...reference, email: 'anna@mail.example', profile }, 409],
      ['the first profile with the stored e-mail', { ...stored, email: later.email }, 409],
      ['another given_at', replayed({ consents: stampedAt('2026-01-06T10:00:00Z') }), 409],
      ['another name', { ...reference, profile: { ...profile, first_name: 'Anna' } }, 409],
      ['a consent less', replayed({ consents: revoked() }), 409],
    ] as const) {
      t.equal((await provision(world, body)).status, status, title)
    }
  },
)

t.test(
  'a first request without an e-mail is repeated with none, or the stored one [D11]',
  async (t) => {
    const world = await createWorld()
    const bare = { ...stored, email: undefined }
    const first = await provision(world, bare)
    await replaceProfile(world, first.body.investor_id, { ...profile, email: 'otto@mail.example' })
    t.equal((await provision(world, bare)).status, 200)
    t.equal((await provision(world, { ...bare, email: 'otto@mail.example' })).status, 200)
    t.equal((await provision(world, { ...bare, email: 'anna@mail.example' })).status, 409)
  },
)
