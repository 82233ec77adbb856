import t from 'tap'
import {
  collectionOf,
  createMarket,
  get,
  type Market,
  placeAccepted,
  provision,
} from '../../fixtures/world/market.ts'
import {
  type DecideSharePurchase,
  decideSharePurchase,
} from '../../src/usecases/share-purchases/change-status.ts'

const unknownId = '0198c0de-0000-7000-8000-00000000ffff'

function decide({ world }: Market, sharePurchaseId: string, to: DecideSharePurchase['to']) {
  return decideSharePurchase(world.service, { sharePurchaseId, to })
}

function cancel(
  market: Market,
  id: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
) {
  const path = `${collectionOf(market)}/${id}/cancel`
  return market.world.request('POST', path, { token: market.world.partner.token, ...options })
}

t.test('a submitted order is cancelled, and the answer is the order [S-reading-6]', async (t) => {
  const market = await createMarket()
  const id = await placeAccepted(market)
  market.world.clock.advance(60)
  const { status, body } = await cancel(market, id)
  t.equal(status, 200)
  t.match(body, { share_purchase_id: id, status: 'cancelled', reason: null })
  t.equal(body.updated_at, market.world.clock.now())
  t.strictSame((await get(market, `${collectionOf(market)}/${id}`)).body, body)
})

t.test(
  'the cancellation of a settled or decided order gets 409 SHARE_PURCHASE_ILLEGAL_STATE [S-states-8]',
  async (t) => {
    const market = await createMarket()
    for (const [status, steps] of [
      ['approved', ['approved']],
      ['settled', ['approved', 'settled']],
      ['rejected', ['rejected']],
      ['cancelled', ['cancelled']],
    ] as const) {
      const id = await placeAccepted(market)
      for (const step of steps) await decide(market, id, step)
      const before = await get(market, `${collectionOf(market)}/${id}`)
      const { body } = await cancel(market, id)
      t.match(body, { status: 409, code: 'SHARE_PURCHASE_ILLEGAL_STATE' }, status)
      t.match(body.detail, `it is ${status}`)
      const after = await get(market, `${collectionOf(market)}/${id}`)
      t.equal(after.text, before.text, 'unchanged')
    }
  },
)

t.test(
  'an unknown order and an order of another investor get 404 SHARE_PURCHASE_NOT_FOUND [S-reading-4]',
  async (t) => {
    const market = await createMarket()
    const id = await placeAccepted(market)
    const other = {
      ...market,
      investorId: await provision(market.world, { partner_customer_ref: 'c-2' }),
    }
    const same = { 'x-request-id': 'same' }
    const texts: string[] = []
    for (const [where, purchaseId] of [
      [market, unknownId],
      [market, 'no-uuid'],
      [other, id],
      [{ ...market, investorId: unknownId }, id],
      [{ ...market, investorId: 'no-uuid' }, id],
    ] as const) {
      const path = `${collectionOf(where)}/${purchaseId}`
      const read = await market.world.request('GET', path, {
        token: market.world.partner.token,
        headers: same,
      })
      const cancelled = await cancel(where, purchaseId, { headers: same })
      t.match(read.body, { status: 404, code: 'SHARE_PURCHASE_NOT_FOUND' }, path)
      texts.push(read.text.replace(path, 'PATH'), cancelled.text.replace(`${path}/cancel`, 'PATH'))
    }
    t.equal(new Set(texts).size, 1, 'all answers have the same words')
  },
)

t.test('the id of an order is read without regard to case', async (t) => {
  const market = await createMarket()
  const id = await placeAccepted(market)
  const upper = { ...market, investorId: market.investorId.toUpperCase() }
  t.equal((await get(market, `${collectionOf(upper)}/${id.toUpperCase()}`)).status, 200)
  t.equal((await cancel(upper, id.toUpperCase())).status, 200)
})

t.test(
  'a cancellation may have an empty body or an empty object, and no field [S-reading-5]',
  async (t) => {
    const market = await createMarket()
    const id = await placeAccepted(market)
    const json = { 'content-type': 'application/json' }
    for (const [title, options, expected] of [
      ['a field', { body: { reason: 'x' } }, 400],
      ['an array', { body: [] }, 400],
      ['no JSON', { body: '{', headers: json }, 400],
      ['text', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415],
      ['an empty object', { body: {} }, 200],
      ['null', { body: 'null', headers: json }, 409],
      ['text that is null', { body: '"null"', headers: json }, 400],
      ['false', { body: 'false', headers: json }, 400],
    ] as const) {
      t.equal((await cancel(market, id, options)).status, expected, title)
    }
    const withNull = { body: ' null\n', headers: json }
    t.equal((await cancel(market, await placeAccepted(market), withNull)).status, 200, 'null')
    const announced = await cancel(market, await placeAccepted(market), { headers: json })
    t.equal(announced.status, 200, 'announced but not sent')
    const refused = await cancel(market, unknownId, { body: { reason: 'x' } })
    t.match(refused.body, { code: 'MALFORMED_REQUEST_BODY', detail: 'Unknown field: reason.' })
  },
)
