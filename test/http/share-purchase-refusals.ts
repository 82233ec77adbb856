import t from 'tap'
import { buildCooperative, storeCooperatives } from '../../fixtures/builders/cooperatives.ts'
import { completeProfile, givenConsents } from '../../fixtures/builders/investors.ts'
import {
  collectionOf,
  createMarket,
  get,
  type Market,
  place,
  provision,
} from '../../fixtures/world/market.ts'

const unknownId = '0198c0de-0000-7000-8000-00000000ffff'
const signed_at = '2026-01-10T09:30:00+01:00'
const late = '2099-01-01T00:00:00Z'

/** Whether neither an order nor a pending share exists. */
async function isUntouched(market: Market): Promise<boolean> {
  const orders = await get(market, collectionOf(market))
  const holdings = await get(market, `/v1/investors/${market.investorId}/holdings`)
  return orders.body.total_items === 0 && holdings.body.total_items === 0
}

t.test('an unknown field is refused with its path [S-service-23]', async (t) => {
  const market = await createMarket()
  for (const [field, overrides] of [
    ['price_per_share', { price_per_share: '1.00' }],
    ['total', { total: '1.00' }],
    ['consents', { consents: givenConsents() }],
    ['sepa_mandate.iban', { sepa_mandate: { signed_at, iban: 'x' } }],
    ['price', { price: 1, share_count: 0 }],
  ] as const) {
    const { status, body } = await place(market, overrides)
    t.match({ status, ...body }, { status: 400, code: 'MALFORMED_REQUEST_BODY' }, field)
    t.equal(body.detail, `Unknown field: ${field}.`)
    t.notOk('errors' in body, 'no errors map')
  }
  t.ok(await isUntouched(market))
})

const invalid: [string, Record<string, unknown>, string[]][] = [
  ['share_count missing', { share_count: undefined }, ['share_count']],
  ['share_count is below 1 [S-orders-3]', { share_count: 0 }, ['share_count']],
  ['share_count negative', { share_count: -3 }, ['share_count']],
  ['share_count is not whole [S-orders-2]', { share_count: 1.5 }, ['share_count']],
  ['share_count as text', { share_count: '5' }, ['share_count']],
  ['share_count is above its upper bound [S-orders-4]', { share_count: 10_001 }, ['share_count']],
  ['share_count absurd', { share_count: 1e300 }, ['share_count']],
  ['cooperative_id is missing [S-orders-1]', { cooperative_id: undefined }, ['cooperative_id']],
  ['cooperative_id is not a UUID', { cooperative_id: 'solar' }, ['cooperative_id']],
  ['applicant_type is in capitals [S-orders-5]', { applicant_type: 'Private' }, ['applicant_type']],
  ['applicant_type is unknown', { applicant_type: 'club' }, ['applicant_type']],
  [
    'applicant_type is company without a company [D9]',
    { applicant_type: 'company' },
    ['applicant_type'],
  ],
  ['sepa_mandate is missing [S-orders-7]', { sepa_mandate: undefined }, ['sepa_mandate']],
  ['signed_at is missing [S-orders-8]', { sepa_mandate: {} }, ['sepa_mandate.signed_at']],
  [
    'signed_at without an offset',
    { sepa_mandate: { signed_at: '2026-01-10T09:30:00' } },
    ['sepa_mandate.signed_at'],
  ],
  ['signed_at in the future', { sepa_mandate: { signed_at: late } }, ['sepa_mandate.signed_at']],
  [
    'debtor_iban with a wrong checksum',
    { sepa_mandate: { signed_at, debtor_iban: 'DE13500105170648489890' } },
    ['sepa_mandate.debtor_iban'],
  ],
  [
    'reference with forbidden characters',
    { sepa_mandate: { signed_at, reference: 'Größe_1' } },
    ['sepa_mandate.reference'],
  ],
  [
    'reference with a space at its end',
    { sepa_mandate: { signed_at, reference: 'x ' } },
    ['sepa_mandate.reference'],
  ],
  [
    'the consent to the statute is missing [S-orders-12]',
    { statute_consent_given_at: null },
    ['statute_consent_given_at'],
  ],
  [
    'statute consent in the future',
    { statute_consent_given_at: late },
    ['statute_consent_given_at'],
  ],
  [
    'two faults together',
    { share_count: 10_001, statute_consent_given_at: late },
    ['share_count', 'statute_consent_given_at'],
  ],
]

t.test(
  'an invalid order gets 422 VALIDATION_ERROR with the path that was sent [S-placing-9] [D3]',
  async (t) => {
    const market = await createMarket()
    for (const [title, overrides, paths] of invalid) {
      const { status, body, text } = await place(market, overrides)
      t.match({ status, ...body }, { status: 422, code: 'VALIDATION_ERROR' }, title)
      t.strictSame(Object.keys(body.errors ?? {}), paths, title)
      t.notMatch(text, /DE13500105170648489890/, 'no IBAN in an error')
    }
    const sepa_mandate = { signed_at, reference: 'x ' }
    const { body } = await place(market, { sepa_mandate })
    t.match(body.errors['sepa_mandate.reference'], /no slash or space at either end/)
    t.ok(await isUntouched(market))
  },
)

t.test(
  'settled, pending and requested shares together must reach minimum_shares [D3]',
  async (t) => {
    const market = await createMarket({ minimumShares: 3 })
    const { status, body } = await place(market, { share_count: 2 })
    t.match({ status, ...body }, { status: 422, code: 'VALIDATION_ERROR' })
    t.strictSame(body.errors, {
      share_count: 'must be at least 3, to reach the minimum of 3 shares',
    })
    t.equal((await place(market, { share_count: 3 })).status, 201)
    t.equal(
      (await place(market, { share_count: 1 })).status,
      201,
      'an owner of enough shares may order fewer',
    )
  },
)

t.test('an investor cannot hold more shares than every store can count [D3]', async (t) => {
  const market = await createMarket({}, { settings: { maximumShareCount: 600_000_000 } })
  t.equal((await place(market, { share_count: 600_000_000 })).status, 201)
  const { status, body } = await place(market, { share_count: 400_000_001 })
  t.match({ status, ...body }, { status: 422, code: 'VALIDATION_ERROR' })
  t.match(body.errors, { share_count: /^must be at most 400000000, because/ })
  t.equal((await place(market, { share_count: 400_000_000 })).status, 201)
})

t.test(
  'an order for an unknown or unpublished cooperative gets 404 COOPERATIVE_NOT_FOUND [S-errors-2] [D7]',
  async (t) => {
    const market = await createMarket()
    const hidden = buildCooperative({ key: 'hidden', published: false })
    await storeCooperatives(market.world.service.store, hidden)
    for (const cooperative_id of [unknownId, hidden.id]) {
      const { status, body } = await place(market, { cooperative_id })
      t.match({ status, ...body }, { status: 404, code: 'COOPERATIVE_NOT_FOUND' })
    }
    const { status } = await place(market, { cooperative_id: unknownId, share_count: 0 })
    t.equal(status, 422, 'it is checked after 422')
  },
)

t.test(
  "an order for another partner's investor gets 404 MANAGED_INVESTOR_NOT_FOUND [S-states-2]",
  async (t) => {
    const market = await createMarket()
    const { otherPartner } = market.world
    for (const [title, options] of [
      ['unknown', { investorId: unknownId }],
      ['no UUID', { investorId: 'x' }],
      ['of another partner', { token: otherPartner.token }],
    ] as const) {
      for (const overrides of [{}, { share_count: 0 }, { share_count: 10_001 }]) {
        const { status, body } = await place(market, overrides, options)
        t.match({ status, ...body }, { status: 404, code: 'MANAGED_INVESTOR_NOT_FOUND' }, title)
      }
      const { status } = await place(market, { extra: 1 }, options)
      t.equal(status, 400, `${title}: an unknown field is reported first`)
    }
  },
)

t.test('another partner gets the same answer as for an unknown id [S-service-10]', async (t) => {
  const market = await createMarket()
  const order = (await place(market)).body.share_purchase_id
  const own = `/v1/investors/${market.investorId}`
  const none = `/v1/investors/${unknownId}`
  for (const [method, path] of [
    ['GET', '/share-purchases'],
    ['POST', '/share-purchases'],
    ['GET', `/share-purchases/${order}`],
    ['POST', `/share-purchases/${order}/cancel`],
    ['GET', '/holdings'],
  ] as const) {
    const ask = async (base: string) => {
      const { token } = market.world.otherPartner
      const headers = { 'x-request-id': 'same' }
      const body = path === '/share-purchases' && method === 'POST' ? {} : undefined
      const answer = await market.world.request(method, base + path, { token, headers, body })
      return [answer.status, answer.text.replace(base + path, 'PATH')]
    }
    const [status, text] = await ask(own)
    t.strictSame([status, text], await ask(none), `${method} ${path}`)
    t.equal(status, 404)
  }
})

t.test(
  'an order before the profile is complete gets 409 INVESTOR_PROFILE_INCOMPLETE [S-states-3]',
  async (t) => {
    const market = await createMarket()
    const investorId = await provision(market.world, {
      partner_customer_ref: 'customer-2',
      email: undefined,
      profile: completeProfile({ address: null }),
    })
    const { status, body } = await place(market, {}, { investorId })
    t.match({ status, ...body }, { status: 409, code: 'INVESTOR_PROFILE_INCOMPLETE' })
    t.match(body.detail, 'email, address.street')
    const bare = await provision(market.world, { partner_customer_ref: 'bare', profile: undefined })
    const refused = await place({ ...market, investorId: bare })
    t.match(refused.body, { code: 'INVESTOR_PROFILE_INCOMPLETE' })
    t.ok(await isUntouched({ ...market, investorId }))
  },
)

t.test('a missing cooperative is reported before an incomplete profile', async (t) => {
  const market = await createMarket()
  const bare = await provision(market.world, { partner_customer_ref: 'bare', profile: undefined })
  const { status } = await place(market, { cooperative_id: unknownId }, { investorId: bare })
  t.equal(status, 404)
})
