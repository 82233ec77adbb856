import t from 'tap'
import { euro, storeCooperatives } from '../../fixtures/builders/cooperatives.ts'
import {
  companySections,
  completeProfile,
  givenConsents,
} from '../../fixtures/builders/investors.ts'
import { buildSharePurchase } from '../../fixtures/builders/share-purchases.ts'
import { anything } from '../../fixtures/builders/subject.ts'
import {
  collectionOf,
  createMarket,
  get,
  type Market,
  place,
  placeAccepted,
  provision,
} from '../../fixtures/world/market.ts'
import { scopes } from '../../src/domain/oauth/scope.ts'
import {
  type DecideSharePurchase,
  decideSharePurchase,
} from '../../src/usecases/share-purchases/change-status.ts'

const unknownId = '0198c0de-0000-7000-8000-00000000ffff'
const day = 24 * 60 * 60

function decide({ world }: Market, sharePurchaseId: string, to: DecideSharePurchase['to']) {
  return decideSharePurchase(world.service, { sharePurchaseId, to })
}

async function statusOf(market: Market, id: string, token?: string): Promise<string> {
  return (await get(market, `${collectionOf(market)}/${id}`, token)).body.status
}

/** Stores a draft order, because the service never leaves an order in draft. */
async function putDraft({ world, investorId, cooperative }: Market): Promise<string> {
  const { store, clock, random } = world.service
  const sharePurchaseId = random.id()
  const { organizationId } = world.partner
  const transitions = [{ to: 'draft', at: clock.now() }] as const
  const whose = { sharePurchaseId, organizationId, investorId, cooperativeId: cooperative.id }
  const draft = buildSharePurchase({ ...whose, status: 'draft', transitions })
  await store.write(anything, ({ sharePurchases }) => sharePurchases.put(draft))
  return sharePurchaseId
}

t.test('no request field lets the partner set a price, fee or total [S-service-5]', async (t) => {
  const market = await createMarket()
  const fields = ['price_per_share', 'price', 'share_price', 'entry_fee', 'fee', 'total']
  for (const field of [...fields, 'total_currency', 'currency', 'status']) {
    const { body } = await place(market, { [field]: '1.00' })
    t.match(body, { status: 400, code: 'MALFORMED_REQUEST_BODY' }, field)
    t.match(body.detail, field)
  }
})

t.test('price, fee and total stay frozen through every state [S-orders-14]', async (t) => {
  const market = await createMarket({ sharePrice: euro('100'), entryFee: euro('15') })
  const id = await placeAccepted(market)
  const dearer = { ...market.cooperative, sharePrice: euro('120'), entryFee: euro('30') }
  await storeCooperatives(market.world.service.store, dearer)
  const frozen = { price_per_share: '100.00', entry_fee: '15.00', total: '515.00' }
  for (const to of ['approved', 'settled'] as const) {
    await decide(market, id, to)
    const { body } = await get(market, collectionOf(market))
    t.equal(body.items.length, 1)
    t.match(body.items[0], { ...frozen, status: to })
  }
})

t.test('an order settles neither within the request nor automatically [S-service-7]', async (t) => {
  const market = await createMarket()
  const id = await placeAccepted(market)
  t.equal(await statusOf(market, id), 'submitted')
  market.world.clock.advance(30 * day)
  const token = await market.world.tokenWith(...scopes)
  t.equal(await statusOf(market, id, token), 'submitted')
  for (const to of ['approved', 'settled'] as const) {
    await decide(market, id, to)
    t.equal(await statusOf(market, id, token), to)
  }
})

t.test('the consents to terms and privacy come from the profile [S-orders-13]', async (t) => {
  const market = await createMarket()
  const stamped = { given: true, given_at: '2026-03-03T03:03:03.000Z' }
  const profile = completeProfile({ consents: givenConsents({ privacy: stamped }) })
  const investorId = await provision(market.world, { partner_customer_ref: 'c-2', profile })
  const { body } = await place(market, {}, { investorId })
  t.strictSame(body.consents, {
    terms: { given: true, given_at: '2026-01-05T10:00:00.000Z' },
    privacy: stamped,
    statute: { given: true, given_at: '2026-01-10T08:29:00.000Z' },
  })
  const sent = await place(market, { consents: givenConsents() }, { investorId })
  t.match(sent.body, { status: 400, detail: 'Unknown field: consents.' })
})

t.test('an order keeps its consents even if the profile changes [S-orders-17]', async (t) => {
  const market = await createMarket()
  const id = await placeAccepted(market)
  const path = `${collectionOf(market)}/${id}`
  const before = (await get(market, path)).body.consents
  const body = completeProfile({ consents: givenConsents({ terms: { given: false } }) })
  const { token } = market.world.partner
  await market.world.request('PUT', `/v1/investors/${market.investorId}/profile`, { token, body })
  t.strictSame((await get(market, path)).body.consents, before)
})

t.test('a draft order can be cancelled like a submitted order [S-states-7]', async (t) => {
  const market = await createMarket()
  for (const id of [await putDraft(market), await placeAccepted(market)]) {
    const path = `${collectionOf(market)}/${id}`
    const { token } = market.world.partner
    const { status, body } = await market.world.request('POST', `${path}/cancel`, { token })
    t.match({ status, ...body }, { status: 'cancelled', share_purchase_id: id })
    t.equal(await statusOf(market, id), 'cancelled')
  }
})

t.test(
  'an order can be rejected if it is draft, submitted or approved [S-states-6] [D5]',
  async (t) => {
    const market = await createMarket()
    const approved = await placeAccepted(market)
    await decide(market, approved, 'approved')
    for (const id of [await putDraft(market), await placeAccepted(market), approved]) {
      await decide(market, id, 'rejected')
      t.equal(await statusOf(market, id), 'rejected')
    }
    const holdings = await get(market, `/v1/investors/${market.investorId}/holdings`)
    t.equal(holdings.body.total_items, 0)
  },
)

t.test(
  'a 404 says which record is missing: the investor for lists, and the order otherwise [S-reading-3]',
  async (t) => {
    const market = await createMarket()
    const { world, investorId } = market
    const id = await placeAccepted(market)
    const stranger = world.otherPartner.token
    const second = await provision(world, { partner_customer_ref: 'customer-2' })
    const own = `/v1/investors/${investorId}`
    for (const [title, token, path, code] of [
      ['unknown investor', undefined, `/v1/investors/${unknownId}/share-purchases`, 'INVESTOR'],
      ['not owned', stranger, `${own}/share-purchases`, 'INVESTOR'],
      ['not owned', stranger, `${own}/holdings`, 'INVESTOR'],
      ['unknown investor', undefined, `/v1/investors/${unknownId}/holdings`, 'INVESTOR'],
      ['unknown purchase', undefined, `${own}/share-purchases/${unknownId}`, 'PURCHASE'],
      [
        'of another investor',
        undefined,
        `/v1/investors/${second}/share-purchases/${id}`,
        'PURCHASE',
      ],
      ['of another partner', stranger, `${own}/share-purchases/${id}`, 'PURCHASE'],
      ['cancelled by another partner', stranger, `${own}/share-purchases/${id}/cancel`, 'PURCHASE'],
    ] as const) {
      const method = path.endsWith('/cancel') ? 'POST' : 'GET'
      const { body } = await world.request(method, path, { token: token ?? world.partner.token })
      const codes = { INVESTOR: 'MANAGED_INVESTOR_NOT_FOUND', PURCHASE: 'SHARE_PURCHASE_NOT_FOUND' }
      t.match(body, { status: 404, code: codes[code] }, `${title}: ${path}`)
    }
    t.equal(await statusOf(market, id), 'submitted', 'the order has not changed')
  },
)

t.test(
  'a replay is answered before every 422 except for that of the key itself [D7]',
  async (t) => {
    const market = await createMarket()
    const { world } = market
    const { token } = world.partner
    const put = (body: unknown) =>
      world.request('PUT', `/v1/investors/${market.investorId}/profile`, { token, body })
    await put({ ...completeProfile(), ...companySections() })
    const order = { applicant_type: 'company' }
    const headers = { 'idempotency-key': 'key-1' }
    const first = await place(market, order, { headers })
    t.equal(first.status, 201)
    await put(completeProfile())
    t.equal((await place(market, order)).status, 422, 'the profile has no company any more')
    t.strictSame((await place(market, order, { headers })).body, first.body)
    const blank = { 'idempotency-key': 'two words' }
    t.equal((await place(market, order, { headers: blank })).status, 422)
  },
)
