import t from 'tap'
import { euro } from '../../fixtures/builders/cooperatives.ts'
import { companySections, completeProfile, germanIban } from '../../fixtures/builders/investors.ts'
import {
  collectionOf,
  createMarket,
  get,
  place,
  placeAccepted,
  provision,
} from '../../fixtures/world/market.ts'
import { setSharePrice } from '../../src/usecases/cooperatives/cooperatives.ts'
import { decideSharePurchase } from '../../src/usecases/share-purchases/change-status.ts'

t.test(
  'a placed order gets 201 and is submitted, with all documented fields [S-orders-11] [D2] [D17]',
  async (t) => {
    const market = await createMarket({ sharePrice: euro('250'), entryFee: euro('15') })
    const { status, body } = await place(market)
    t.equal(status, 201)
    t.match(body.share_purchase_id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    const now = market.world.clock.now()
    const given = { given: true, given_at: '2026-01-05T10:00:00.000Z' }
    t.strictSame(body, {
      share_purchase_id: body.share_purchase_id,
      investor_id: market.investorId,
      cooperative_id: market.cooperative.id,
      status: 'submitted',
      applicant_type: 'private',
      share_count: 5,
      price_per_share: '250.00',
      price_per_share_currency: 'EUR',
      entry_fee: '15.00',
      entry_fee_currency: 'EUR',
      total: '1265.00',
      total_currency: 'EUR',
      sepa_mandate: {
        reference: body.share_purchase_id.replaceAll('-', '').toUpperCase(),
        signed_at: '2026-01-10T08:30:00.000Z',
        debtor_iban_masked: 'DE12****9890',
      },
      consents: {
        terms: given,
        privacy: given,
        statute: { given: true, given_at: '2026-01-10T08:29:00.000Z' },
      },
      reason: null,
      created_at: now,
      updated_at: now,
    })
  },
)

t.test(
  'the terms are computed from the current pricing and frozen at submission [S-service-6]',
  async (t) => {
    const market = await createMarket({ sharePrice: euro('100') })
    const before = await place(market)
    await setSharePrice(market.world.service, market.cooperative.id, euro('120'))
    const path = `${collectionOf(market)}/${before.body.share_purchase_id}`
    t.strictSame((await get(market, path)).body, before.body)
    const after = await place(market)
    t.match(after.body, { price_per_share: '120.00', total: '600.00' })
  },
)

t.test('the entry fee is due once for each investor and cooperative [D2]', async (t) => {
  const market = await createMarket({ sharePrice: euro('100'), entryFee: euro('25') })
  const first = await place(market, { share_count: 1 })
  t.match(first.body, { entry_fee: '25.00', total: '125.00' })
  t.match((await place(market, { share_count: 1 })).body, { entry_fee: '0.00', total: '100.00' })
  const other = await provision(market.world, { partner_customer_ref: 'customer-2' })
  t.equal((await place({ ...market, investorId: other })).body.entry_fee, '25.00')
})

t.test('the entry fee is due again when no share is held or pending [D2]', async (t) => {
  const market = await createMarket({ entryFee: euro('25') })
  const sharePurchaseId = await placeAccepted(market)
  await decideSharePurchase(market.world.service, { sharePurchaseId, to: 'rejected' })
  t.equal((await place(market)).body.entry_fee, '25.00')
})

t.test(
  'applicant_type follows the company affiliation when omitted [S-orders-6] [D9]',
  async (t) => {
    const market = await createMarket()
    const profile = completeProfile(companySections())
    const investorId = await provision(market.world, { partner_customer_ref: 'company', profile })
    for (const [title, id, overrides, expected] of [
      ['no company', market.investorId, {}, 'private'],
      ['null counts as omitted', market.investorId, { applicant_type: null }, 'private'],
      ['company', investorId, {}, 'company'],
      ['private is always allowed', investorId, { applicant_type: 'private' }, 'private'],
      ['company is stored as sent', investorId, { applicant_type: 'company' }, 'company'],
    ] as const) {
      const { body } = await place({ ...market, investorId: id }, overrides)
      t.equal(body.applicant_type, expected, title)
    }
  },
)

t.test('debtor_iban and reference are stored as sent [S-orders-10]', async (t) => {
  const market = await createMarket()
  const sepa_mandate = {
    signed_at: '2026-01-10T09:30:00Z',
    debtor_iban: 'AT61 1904 3002 3457 3201',
    reference: 'M-2026/17',
  }
  t.strictSame((await place(market, { sepa_mandate })).body.sepa_mandate, {
    reference: 'M-2026/17',
    signed_at: '2026-01-10T09:30:00.000Z',
    debtor_iban_masked: 'AT61****3201',
  })
})

t.test('the full IBAN is never returned [S-orders-16]', async (t) => {
  const market = await createMarket()
  const { text } = await place(market)
  t.notMatch(text, germanIban)
  t.notMatch((await get(market, collectionOf(market))).text, germanIban)
})

t.test('the orders of an investor are listed in pages, newest first [S-reading-1]', async (t) => {
  const market = await createMarket()
  const ids: string[] = []
  for (let count = 1; count <= 3; count++)
    ids.unshift(await placeAccepted(market, { share_count: count }))
  const { status, body } = await get(market, `${collectionOf(market)}?page=1&size=2`)
  t.equal(status, 200)
  t.strictSame(
    {
      ...body,
      items: body.items.map((item: { share_purchase_id: string }) => item.share_purchase_id),
    },
    {
      items: ids.slice(0, 2),
      page: 1,
      size: 2,
      total_items: 3,
      total_pages: 2,
      has_next: true,
      has_previous: false,
    },
  )
  const single = await get(market, `${collectionOf(market)}/${ids[0]}`)
  t.strictSame(body.items[0], single.body, 'a row is the same as the answer for the single order')
})

t.test('the list has only the orders of this investor [S-reading-2]', async (t) => {
  const market = await createMarket()
  await placeAccepted(market)
  const other = await provision(market.world, { partner_customer_ref: 'customer-2' })
  const { body } = await get(market, collectionOf({ ...market, investorId: other }))
  t.match(body, { total_items: 0, total_pages: 0, has_next: false })
  t.strictSame(body.items, [])
})

t.test(
  'a size above 100 counts as 100, a page past the end is empty, and text gets 400',
  async (t) => {
    const market = await createMarket()
    await placeAccepted(market)
    const list = (query: string) => get(market, `${collectionOf(market)}?${query}`)
    t.match((await list('size=1000&page=0')).body, { size: 100, page: 1 })
    const { body } = await list('page=7')
    t.match(body, { page: 7, total_items: 1, has_previous: true })
    t.strictSame(body.items, [])
    t.match((await list('page=x')).body, { status: 400, code: 'VALIDATION_ERROR' })
  },
)

t.test('every path of an order needs its scope', async (t) => {
  const market = await createMarket()
  const single = `${collectionOf(market)}/${await placeAccepted(market)}`
  const token = await market.world.tokenWith('investors:read')
  for (const [method, path, scope] of [
    ['POST', collectionOf(market), 'applications:write'],
    ['GET', collectionOf(market), 'applications:read'],
    ['GET', single, 'applications:read'],
    ['POST', `${single}/cancel`, 'applications:write'],
    ['GET', `/v1/investors/${market.investorId}/holdings`, 'portfolio:read'],
  ] as const) {
    const { status, body } = await market.world.request(method, path, { token })
    t.match({ status, ...body }, { status: 403, code: 'INSUFFICIENT_SCOPE' }, path)
    t.strictSame(body.required_scopes, [scope], path)
  }
})
