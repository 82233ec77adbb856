import t from 'tap'
import {
  companySections,
  completeProfile,
  completeProvision,
  givenConsents,
} from '../../fixtures/builders/investors.ts'
import { createCustomer } from '../../fixtures/world/customer.ts'
import { createMarket, place, sharePurchaseBody } from '../../fixtures/world/market.ts'
import { basic, requestToken } from '../../fixtures/world/token-request.ts'
import { problems } from '../../src/domain/problem-code.ts'

t.test('a managed investor has no login, no password and no session [S-service-3]', async (t) => {
  const { world, investorId } = await createMarket()
  for (const clientId of [investorId, 'customer-1', 'frieda.sonnenschein@mail.example']) {
    const { status, body } = await requestToken(world, { headers: basic(clientId, 'secret') })
    t.strictSame([status, body.error], [401, 'invalid_client'], clientId)
  }
  const { token } = world.partner
  const body = { partner_customer_ref: 'customer-2', password: 'secret' }
  const refused = await world.request('POST', '/v1/investors', { token, body })
  t.match(refused.body, { status: 400, detail: 'Unknown field: password.' })
})

t.test('retired request keys are refused as unknown [S-service-8] [S-investors-7]', async (t) => {
  const market = await createMarket()
  const { token } = market.world.partner
  const investor = `/v1/investors/${market.investorId}`
  const order = sharePurchaseBody(market)
  for (const [method, path, body, retired] of [
    ['POST', '/v1/investors', completeProvision(), 'kyc_attested kyc_attestation id'],
    ['POST', '/v1/investors', completeProvision(), 'investor_account_id first_name'],
    ['PUT', `${investor}/profile`, completeProfile(), 'birth_day birth_month birth_year'],
    ['PUT', `${investor}/profile`, completeProfile(), 'street house_number postal_code city'],
    ['PUT', `${investor}/profile`, completeProfile(), 'iban bic company_name terms kyc_attested'],
    ['POST', `${investor}/share-purchases`, order, 'kyc_attested signed_at debtor_iban id'],
  ] as const) {
    for (const key of retired.split(' ')) {
      const options = { token, body: { ...body, [key]: 'x' } }
      const answer = await market.world.request(method, path, options)
      const prefix = method === 'PUT' ? 'profile.' : ''
      t.match(answer.body, { status: 400, code: 'MALFORMED_REQUEST_BODY' }, key)
      t.equal(answer.body.detail, `Unknown field: ${prefix}${key}.`)
    }
  }
  t.notOk('KYC_ATTESTATION_REQUIRED' in problems, 'their errors have the same paths')
})

t.test(
  'is_profile_complete is true exactly when missing_profile_fields is empty [S-investors-5]',
  async (t) => {
    const customer = await createCustomer()
    const company = { ...completeProfile(), ...companySections() }
    const address = ['street', 'house_number', 'postal_code', 'city'].map(
      (name) => `address.${name}`,
    )
    const notGiven = { given: false }
    for (const [body, missing] of [
      [completeProfile(), []],
      [completeProfile({ tax_id: null, phone: null }), []],
      [completeProfile({ first_name: null }), ['first_name']],
      [completeProfile({ last_name: null }), ['last_name']],
      [completeProfile({ birth_date: null }), ['birth_date']],
      [completeProfile({ address: null }), address],
      [completeProfile({ bank_account: null }), ['bank_account.iban']],
      [completeProfile({ consents: givenConsents({ terms: notGiven }) }), ['consents.terms']],
      [completeProfile({ consents: givenConsents({ privacy: notGiven }) }), ['consents.privacy']],
      [
        completeProfile({ consents: givenConsents({ data_sharing: notGiven }) }),
        ['consents.data_sharing'],
      ],
      [company, []],
      [{ ...company, consents: givenConsents() }, ['consents.representation_authorization']],
    ] as const) {
      for (const answer of [await customer.putProfile(body), await customer.read()]) {
        t.strictSame(answer.body.missing_profile_fields, missing)
        t.equal(answer.body.is_profile_complete, missing.length === 0, missing.join())
      }
    }
  },
)

t.test(
  'if address, bank_account or company is omitted, the section is unset [S-states-12]',
  async (t) => {
    const customer = await createCustomer()
    for (const [section, isComplete] of [
      ['address', false],
      ['bank_account', false],
      // A profile without a company section lacks no company data, because the investor represents
      // no company.
      ['company', true],
    ] as const) {
      await customer.putProfile({ ...completeProfile(), ...companySections() })
      const consents = section === 'company' ? givenConsents() : companySections().consents
      const whole = { ...completeProfile(), ...companySections(), consents }
      const { body } = await customer.putProfile({ ...whole, [section]: undefined })
      t.equal(body[section], null, section)
      t.equal(body.is_profile_complete, isComplete, section)
    }
  },
)

t.test(
  'a revoked consent stops further orders until it is given again [S-states-11]',
  async (t) => {
    const market = await createMarket()
    const { world, investorId } = market
    const put = async (body: unknown) => {
      const path = `/v1/investors/${investorId}/profile`
      return (await world.request('PUT', path, { token: world.partner.token, body })).body
    }
    for (const name of ['terms', 'privacy', 'data_sharing'] as const) {
      const consents = givenConsents({ [name]: { given: false } })
      const revoked = await put(completeProfile({ consents }))
      t.strictSame(
        revoked.consents[name],
        { given: false, given_at: null },
        'the instant is erased',
      )
      const refused = await place(market)
      t.match(refused.body, { status: 409, code: 'INVESTOR_PROFILE_INCOMPLETE' }, name)
      world.clock.advance(1)
      const again = await put(
        completeProfile({ consents: givenConsents({ [name]: { given: true } }) }),
      )
      t.equal(again.consents[name].given_at, world.clock.now(), 'there is no history to restore')
      t.equal((await place(market)).status, 201, name)
    }
  },
)

t.test(
  'a PUT that omits representation_authorization revokes it [S-states-10] [D12]',
  async (t) => {
    const customer = await createCustomer()
    const company = { ...completeProfile(), ...companySections() }
    t.equal((await customer.putProfile(company)).body.is_profile_complete, true)
    const { body } = await customer.putProfile({ ...company, consents: givenConsents() })
    t.strictSame(body.consents.representation_authorization, { given: false, given_at: null })
    t.equal(body.is_profile_complete, false)
  },
)

t.test('an e-mail inside the profile is accepted when none is at the top', async (t) => {
  const { world } = await createMarket()
  const { token } = world.partner
  const body = {
    partner_customer_ref: 'customer-2',
    profile: completeProfile({ email: 'otto@mail.example' }),
  }
  const made = await world.request('POST', '/v1/investors', { token, body })
  t.match(made, { status: 201, body: { email: 'otto@mail.example', is_profile_complete: true } })
  t.notOk('email' in made.body.profile, 'the answer has the e-mail at the top')
})
