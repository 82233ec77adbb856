import t from 'tap'
import {
  completeProfile,
  completeProvision,
  givenConsents,
} from '../../fixtures/builders/investors.ts'
import { createCustomer } from '../../fixtures/world/customer.ts'
import { collectionOf, createMarket, sharePurchaseBody } from '../../fixtures/world/market.ts'
import { createWorld } from '../../fixtures/world/world.ts'

const wrongIban = 'DE13500105170648489890'
const { city: _, ...addressWithoutCity } = completeProfile().address ?? {}

/**
 * A profile with three different faults: a missing member, a wrong checksum, and a day that does
 * not exist.
 */
const threeFaults = {
  ...completeProfile(),
  address: addressWithoutCity,
  bank_account: { iban: wrongIban },
  birth_date: '2027-01-01',
}
const threePaths = ['profile.address.city', 'profile.birth_date', 'profile.bank_account.iban']

t.test('a profile with faults of every kind gets all of them in one answer [D15]', async (t) => {
  const customer = await createCustomer()
  const put = await customer.putProfile(threeFaults)
  t.strictSame([put.status, put.body.code], [422, 'VALIDATION_ERROR'])
  t.strictSame(Object.keys(put.body.errors), threePaths)
  t.equal(put.body.errors['profile.address.city'], 'is required')
  t.match(put.body.errors['profile.bank_account.iban'], /checksum/)
  t.equal((await customer.read()).body.profile, null, 'nothing is stored')
})

t.test('a provision with faults of every kind gets all of them in one answer', async (t) => {
  const world = await createWorld()
  const body = { email: 'nobody', profile: threeFaults }
  const answer = await world.request('POST', '/v1/investors', { token: world.partner.token, body })
  t.equal(answer.status, 422)
  t.strictSame(Object.keys(answer.body.errors), [
    'partner_customer_ref',
    'profile.address.city',
    'email',
    'profile.birth_date',
    'profile.bank_account.iban',
  ])
})

t.test('an order with faults of every kind gets all of them in one answer [D15]', async (t) => {
  const market = await createMarket({ minimumShares: 5 })
  const { world } = market
  const place = (overrides: Record<string, unknown>, token = world.partner.token) =>
    world.request('POST', collectionOf(market), {
      token,
      body: sharePurchaseBody(market, overrides),
    })
  const mandate = { signed_at: 'yesterday', debtor_iban: wrongIban, reference: '/x/' }
  const first = await place({ sepa_mandate: mandate, share_count: 1, applicant_type: 'company' })
  t.equal(first.status, 422)
  t.strictSame(Object.keys(first.body.errors).sort(), [
    'applicant_type',
    'sepa_mandate.debtor_iban',
    'sepa_mandate.reference',
    'sepa_mandate.signed_at',
    'share_count',
  ])
  const later = '2030-01-01T00:00:00Z'
  const second = await place({ share_count: 1, statute_consent_given_at: later })
  t.strictSame(
    Object.keys(second.body.errors).sort(),
    ['share_count', 'statute_consent_given_at'],
    'the minimum of the cooperative is reported separately',
  )
  const unknown = '00000000-0000-4000-8000-000000000000'
  const third = await place({ cooperative_id: unknown, statute_consent_given_at: later })
  t.strictSame(Object.keys(third.body.errors), ['statute_consent_given_at'])
  const stranger = await place({ sepa_mandate: mandate }, world.otherPartner.token)
  t.equal(stranger.status, 404, 'a record of another partner is reported first')
  t.equal((await place({ sepa_mandate: mandate, price: 1 })).status, 400)
})

t.test('no fault hides or repeats another fault [D15]', async (t) => {
  const customer = await createCustomer()
  const representation = givenConsents({ representation_authorization: { given: true } })
  const path = 'profile.consents.representation_authorization.given'
  const rows: [title: string, overrides: Record<string, unknown>, paths: string[]][] = [
    [
      'a section that is not an object is one fault',
      { address: 'Sonnenallee', birth_date: '2027-01-01' },
      ['profile.address', 'profile.birth_date'],
    ],
    [
      'a list is also one fault',
      { address: [], bank_account: { iban: wrongIban } },
      ['profile.address', 'profile.bank_account.iban'],
    ],
    [
      'a company that cannot be read counts as present',
      { company: 'GmbH', consents: representation },
      ['profile.company'],
    ],
    [
      'a company without a name counts as present',
      { company: { legal_form: 'GmbH', tax_id: '1' }, consents: representation },
      ['profile.company.name'],
    ],
    [
      'no company and a missing member',
      { address: addressWithoutCity, consents: representation },
      ['profile.address.city', path],
    ],
    [
      'a consent of which only one member can be read',
      {
        consents: givenConsents({
          terms: { given: 'yes', given_at: '2030-01-01T00:00:00Z' } as never,
          privacy: { given: false, given_at: 'now' },
        }),
      },
      [
        'profile.consents.terms.given',
        'profile.consents.privacy.given_at',
        'profile.consents.terms.given_at',
      ],
    ],
    [
      'one path has one fault',
      { bank_account: { iban: 1, bic: 'INGDDEFFX' } },
      ['profile.bank_account.iban', 'profile.bank_account.bic'],
    ],
    ['omitted members are not reported', { consents: null }, ['profile.consents']],
  ]
  for (const [title, overrides, paths] of rows) {
    const { status, body } = await customer.putProfile({ ...completeProfile(), ...overrides })
    t.equal(status, 422, title)
    t.strictSame(Object.keys(body.errors), paths, title)
    const code = paths.includes(path)
      ? 'REPRESENTATION_CONSENT_REQUIRES_COMPANY'
      : 'VALIDATION_ERROR'
    t.equal(body.code, code, title)
  }
})

t.test('an unreadable e-mail does not count as omitted', async (t) => {
  const world = await createWorld()
  const { token } = world.partner
  for (const [email, inner, paths] of [
    [1, 'a@mail.example', ['email']],
    ['a@mail.example', 1, ['profile.email']],
    ['nobody', 'a@mail.example', ['email', 'profile.email']],
  ] as const) {
    const profile = completeProfile({ email: inner as never })
    const body = completeProvision({ email, profile })
    const answer = await world.request('POST', '/v1/investors', { token, body })
    t.equal(answer.status, 422)
    t.strictSame(Object.keys(answer.body.errors), paths)
  }
})
