import t from 'tap'
import {
  completeProfile,
  completeProvision,
  givenConsents,
} from '../../fixtures/builders/investors.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createCustomer } from '../../fixtures/world/customer.ts'
import { applyFixtureFile, createEmptyService } from '../../fixtures/world/fixture-files.ts'
import { createMarket, place } from '../../fixtures/world/market.ts'
import { createWorld } from '../../fixtures/world/world.ts'
import { runOperation } from '../../src/operations/operations.ts'

const range = 'must be between 1900-01-01 and 9999-12-31'
const noSuchDay = 'must be on an existing day'
const form = 'must be a timestamp with an offset, such as 2026-03-31T09:30:00+02:00'

const leapSecond = 'must not be in a leap second (60): use the second before or after it'

const instants: [text: string, fault: string | undefined][] = [
  ['1900-01-01T00:00:00Z', undefined],
  ['1900-01-01T00:00:00+00:01', range],
  ['1899-12-31T23:59:59Z', range],
  ['0001-01-01T00:00:00Z', range],
  ['9999-12-31T23:59:59-00:01', range],
  ['2026-02-29T00:00:00Z', noSuchDay],
  ['2026-04-31T10:00:00+02:00', noSuchDay],
  ['2026-13-01T00:00:00Z', noSuchDay],
  ['2026-02-28T24:00:00Z', form],
  ['2026-02-28', form],
  ['2016-12-31T23:59:60Z', leapSecond],
  ['2017-01-01T00:59:60.5+01:00', leapSecond],
  ['2026-02-28T10:60:00Z', form],
  ['2016-12-31T23:60:60Z', form],
  ['2026-02-28T10:00', form],
  ['2026-02-28T10Z', form],
  ['2026-02-28T10:00Z', undefined],
  ['2026-02-28T10:00+01:00', undefined],
  ['2026-02-28T10:00:00+0100', undefined],
  ['2026-02-28T10:00:00,5+01', undefined],
]

t.test('every field reads the same times, and refuses impossible ones [D17]', async (t) => {
  const market = await createMarket()
  const { world, investorId } = market
  const path = `/v1/investors/${investorId}/profile`
  const service = await createEmptyService()
  for (const [text, fault] of instants) {
    const body = completeProfile({
      consents: givenConsents({ terms: { given: true, given_at: text } }),
    })
    const put = await world.request('PUT', path, { token: world.partner.token, body })
    t.equal(put.body.errors?.['profile.consents.terms.given_at'], fault, text)
    const order = await place(market, {
      sepa_mandate: { signed_at: text },
      statute_consent_given_at: text,
    })
    const signature = order.body.errors?.['sepa_mandate.signed_at']
    if (text.startsWith('1900-01-01T00:00:00Z')) t.match(signature, /^must not be more than 36/)
    else t.equal(signature, fault, text)
    t.equal(order.body.errors?.['statute_consent_given_at'], fault, text)
    const investors = [{ partner_customer_ref: 'customer-1', profile: body }]
    const applied = await applyFixtureFile(service, {
      organizations: [{ name: 'Bank', investors }],
    }).then(
      () => undefined,
      (error) => Object.values(error.extra.errors)[0],
    )
    t.equal(applied, fault, text)
    const listed = await runOperation(service, 'event.list', { since: text }).then(
      () => undefined,
      (error) => error.extra.errors.since,
    )
    t.equal(listed, fault, text)
  }
})

t.test('a birth date is at least a day ago [D17]', async (t) => {
  const customer = await createCustomer()
  for (const [birth_date, status] of [
    ['2026-11-20', 422],
    ['2026-11-19', 200],
    ['1906-11-20', 200],
    ['1906-11-19', 422],
  ] as const) {
    const answer = await customer.putProfile(completeProfile({ birth_date }))
    t.equal(answer.status, status, birth_date)
  }
})

const invisible = [
  ' ',
  '\u00a0\u2003',
  '\u200b',
  '\u200b \u2060',
  '\ufeff',
  '\u00ad',
  '\u3164',
  '\u2800',
  '\ufe0f',
]

t.test('a text needs a visible character', async (t) => {
  const world = await createWorld()
  const { token } = world.partner
  for (const text of invisible) {
    const profile = completeProfile({
      first_name: text,
      company: { name: text, legal_form: text, tax_id: text },
    })
    const body = completeProvision({ partner_customer_ref: text, profile })
    const { status, body: problem } = await world.request('POST', '/v1/investors', { token, body })
    t.equal(status, 422, JSON.stringify(text))
    t.strictSame(
      problem.errors,
      {
        partner_customer_ref: 'must not be blank',
        'profile.first_name': 'must not be blank',
        'profile.company.name': 'must not be blank',
        'profile.company.legal_form': 'must not be blank',
        'profile.company.tax_id': 'must not be blank',
      },
      JSON.stringify(text),
    )
    const created = runOperation(world.service, 'organization.create', { name: text })
    await t.rejects(created, { code: 'VALIDATION_ERROR' }, JSON.stringify(text))
  }
  for (const text of ['محمد\u200cرضا', '👩\u200d🚀', 'e\u0301', '.']) {
    const profile = completeProfile({ first_name: text })
    const body = completeProvision({ partner_customer_ref: `with ${text}`, profile })
    t.equal((await world.request('POST', '/v1/investors', { token, body })).status, 201, text)
  }
})

const spaces = ['\u00a0', '\u202f', '\u2007', '\u2009', '\u3000', '\u2060', '\u200b', '\ufeff']

t.test('IBAN and BIC may have the spaces that banks and documents print', async (t) => {
  const market = await createMarket()
  const { world, investorId } = market
  const path = `/v1/investors/${investorId}/profile`
  const { token } = world.partner
  for (const space of spaces) {
    const iban = `${space}DE89 3704${space}0044${space}0532${space}0130${space}00${space}`
    const bic = `COBA${space}DE${space}FF`
    const body = completeProfile({ bank_account: { iban, bic } })
    const put = await world.request('PUT', path, { token, body })
    const title = JSON.stringify(space)
    t.match(
      { status: put.status, ...put.body.bank_account },
      { status: 200, iban_masked: 'DE89****3000', bic: 'COBADEFF' },
      title,
    )
    const sepa_mandate = { signed_at: '2026-01-10T09:30:00Z', debtor_iban: iban }
    const placed = await place(market, { sepa_mandate })
    t.equal(placed.body.sepa_mandate?.debtor_iban_masked, 'DE89****3000', title)
    const found = await runOperation(world.service, 'find', { text: iban.trim() })
    t.match(found, exactArrays({ found: [{ investor_id: investorId }] }), title)
  }
  for (const iban of ['DE89\t3704\t0044\t0532\t0130\t00', 'DE89 3704 0044 0532 0130 00\n']) {
    const body = completeProfile({ bank_account: { iban } })
    t.equal((await world.request('PUT', path, { token, body })).status, 200, 'from a table')
  }
  for (const iban of ['DE89-3704-0044-0532-0130-00', '\u00a0', 'DE89\u00ad3704', 'DE89.3704']) {
    const body = completeProfile({ bank_account: { iban } })
    const { errors } = (await world.request('PUT', path, { token, body })).body
    t.match(errors, { 'profile.bank_account.iban': /only letters, digits and spaces/ })
  }
})

t.test('a BIC may have spaces and any case', async (t) => {
  const customer = await createCustomer()
  const account = (bic: string) =>
    completeProfile({ bank_account: { iban: 'de12 5001 0517 0648 4898 90', bic } })
  for (const [bic, stored] of [
    ['INGD DE FF XXX', 'INGDDEFFXXX'],
    [' ingd de ff ', 'INGDDEFF'],
    ['INGD-DE-FF', undefined],
    ['INGD DE F', undefined],
    ['ıngddeff', undefined],
    ['INGDXXFF', undefined],
  ] as const) {
    const { body } = await customer.putProfile(account(bic))
    t.equal(body.bank_account?.bic, stored, bic)
    if (stored === undefined) {
      const fault = 'must be a BIC: 8 or 11 characters, with a country code as the fifth and sixth'
      t.strictSame(body.errors, { 'profile.bank_account.bic': fault }, bic)
      continue
    }
    const spaced = completeProvision({ partner_customer_ref: bic.trim(), profile: account(bic) })
    const plain = { ...spaced, profile: account(stored) }
    const { token } = customer.partner
    const send = (body: unknown) => customer.request('POST', '/v1/investors', { token, body })
    t.equal((await send(spaced)).status, 201)
    t.equal((await send(plain)).status, 200, 'both spellings are the same BIC')
    t.equal((await send(spaced)).status, 200)
  }
})

t.test(
  'a refused IBAN says whether characters, country, length or checksum are wrong',
  async (t) => {
    const market = await createMarket()
    const path = `/v1/investors/${market.investorId}/profile`
    const { world } = market
    for (const [iban, fault] of [
      ['DE13500105170648489890', 'must be an IBAN with a correct checksum'],
      ['DE1250010517064848989', 'must have 22 characters, like every IBAN from DE, but has 21'],
      [
        'DE12 5001 0517 0648 4898 901',
        'must have 22 characters, like every IBAN from DE, but has 23',
      ],
      [
        'XX12500105170648489890',
        'must be an IBAN that begins with the code of a country that uses IBANs',
      ],
      [
        '12DE500105170648489890',
        'must be an IBAN that begins with the code of a country that uses IBANs',
      ],
      ['DE1250010517064848989X', 'must be an IBAN in the format of DE'],
      ['DE12-5001-0517', 'must be an IBAN: only letters, digits and spaces'],
      ['', 'must be an IBAN: only letters, digits and spaces'],
    ] as const) {
      const body = completeProfile({ bank_account: { iban } })
      const put = await world.request('PUT', path, { token: world.partner.token, body })
      t.strictSame(put.body.errors, { 'profile.bank_account.iban': fault }, iban)
      if (iban === '') continue
      const mandate = { signed_at: '2026-01-10T09:30:00Z', debtor_iban: iban }
      const order = await place(market, { sepa_mandate: mandate })
      t.strictSame(order.body.errors, { 'sepa_mandate.debtor_iban': fault }, iban)
    }
  },
)

t.test(
  'a wrapped profile is refused with the hint that the body is the profile itself',
  async (t) => {
    const customer = await createCustomer()
    const { status, body } = await customer.putProfile({ profile: completeProfile() })
    t.strictSame([status, body.code], [400, 'MALFORMED_REQUEST_BODY'])
    t.equal(
      body.detail,
      'Unknown field: profile.profile. The body of this request is the profile itself. Do not wrap it in "profile".',
    )
    const other = await customer.putProfile({ ...completeProfile(), street: 'Sonnenallee' })
    t.equal(other.body.detail, 'Unknown field: profile.street.')
  },
)
