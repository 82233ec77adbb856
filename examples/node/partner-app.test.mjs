// Each test shows one of 25 situations that a partner meets. Run them with `node --test`.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startCoopshare } from 'coopshare/testing'
import { createPartnerApp } from './partner-app.mjs'
import { createVerifier } from './verify-token.mjs'

const fixtures = [fileURLToPath(new URL('../fixtures.yaml', import.meta.url))]
const settings = { fixtures, now: '2026-11-20T10:00:00Z', seed: 7 }
const ada = '7b000000-0000-4000-8000-0000000000ad'
const sun = '7b000000-0000-4000-8000-0000000005a1'
const ofBea = '7b000000-0000-4000-8000-00000000b001'
const secret = 'whsec_ci'

let coop, app, hooks, receiver

before(async () => {
  coop = await startCoopshare({ ...settings, args: ['--rate-limit', '100000'] })
})
after(async () => {
  receiver?.close()
  await coop?.close()
})

beforeEach(async () => {
  receiver?.close()
  await coop.reset()
  app = createPartnerApp({ ...coop, signingSecret: secret })
  receiver = await app.listen()
  hooks = await register()
})

const register = () => coop.webhooks({ organization: 'Neobank', to: receiver.url, secret })
const order = async (shares = 5, key = undefined) =>
  app.order(ada, await app.quote(sun, shares), key)
const statusOf = async (id) => (await coop.orders.show(id)).status
/** Fixtures of investors who have the profile of an existing investor, and settled orders. */
async function like(investorId, refs, { orders }) {
  const [, { investors }] = await coop.operation('fixtures.export')
  const { email, profile } = investors.find(({ investor_id }) => investor_id === investorId)
  const order = { cooperative: 'sun', share_count: 1, status: 'settled' }
  const share_purchases = Array(orders).fill(order)
  return refs.map((ref) => ({ partner_customer_ref: ref, email, profile, share_purchases }))
}

/** Waits until all due events have been delivered. */
const delivered = () => coop.clock.advance('0s')

test('each test file starts its own service on a free port, and stops it', async () => {
  const own = await startCoopshare({ fixtures })
  assert.equal((await fetch(`${own.url}/readyz`)).status, 200)
  assert.notEqual(own.url, coop.url)
  await own.close()
  await assert.rejects(fetch(`${own.url}/readyz`))
})

test('parallel workers do not see each other', async () => {
  const workers = await Promise.all([startCoopshare(settings), startCoopshare(settings)])
  const [one, other] = workers.map((worker) => createPartnerApp({ ...worker }))
  await one.order(ada, await one.quote(sun, 2))
  assert.equal((await one.list(ada)).length, 1)
  assert.equal((await other.list(ada)).length, 0)
  await Promise.all(workers.map((worker) => worker.close()))
})

test('the ids of fixtures are known, and with a seed also the ids of new orders', async () => {
  assert.equal(await statusOf(ofBea), 'approved')
  const own = [hooks.id, await order()]
  await coop.reset()
  assert.deepEqual([(await register()).id, await order()], own)
})

test('the service shows what the app did', async () => {
  const id = await order(4)
  const [placed] = await coop.orders.list({ status: 'submitted' })
  assert.equal(placed.share_purchase_id, id)
  assert.deepEqual([placed.share_count, placed.total], [4, '410.00'])
  const [{ contract }] = await coop.journal('placeSharePurchase')
  assert.equal(contract.verdict, 'conforms')
})

test('an order is approved, then settled', async () => {
  const id = await order()
  await coop.approve(id)
  await delivered()
  assert.equal(app.statusOf(id), 'approved')
  await coop.settle(id)
  await delivered()
  assert.equal(app.statusOf(id), 'settled')
})

test('the bank returns the debit three days after the approval', async () => {
  const id = await order()
  await coop.approve(id)
  await coop.clock.advance('3d')
  await coop.bankReturn(id)
  await delivered()
  assert.equal(app.statusOf(id), 'rejected')
  assert.equal((await coop.orders.show(id)).updated_at, '2026-11-23T10:00:00.000Z')
})

test('an order is rejected with a reason', async () => {
  const id = await order()
  await coop.reject(id, 'Membership refused.')
  const [{ reason }] = await app.list(ada)
  assert.equal(reason, 'Membership refused.')
})

test('if a cancellation and an approval come at the same time, you choose which one wins', async () => {
  const [first, second] = [await order(), await order()]
  await coop.fault({ on: 'cancelSharePurchase', times: 1, delay: '200ms' })
  const cancelling = app.cancel(ada, first)
  await coop.approve(first)
  await assert.rejects(cancelling, { code: 'SHARE_PURCHASE_ILLEGAL_STATE' })
  await app.cancel(ada, second)
  await assert.rejects(coop.approve(second), { code: 'SHARE_PURCHASE_ILLEGAL_STATE' })
})

test('a receiver that answers 500 gets the event again after 30 and 60 seconds', async () => {
  app.failing = true
  const id = await order()
  await coop.clock.advance('40s')
  app.failing = false
  await coop.clock.advance('90s')
  const [event] = await coop.events.list({ state: 'delivered' })
  const { attempts, share_purchase_id } = await coop.events.show(event.event_id)
  const [first, second, third] = attempts.map(({ at }) => Date.parse(at))
  assert.equal(share_purchase_id, id)
  assert.ok(second - first >= 30_000 && third - second >= 60_000)
})

test('an event is dead after six attempts, and arrives when it is replayed', async () => {
  app.failing = true
  await order()
  await coop.clock.advance('1d')
  assert.equal((await coop.events.list({ state: 'dead' })).length, 1)
  app.failing = false
  await coop.events.replay({ dead: true })
  await delivered()
  assert.equal(app.processed.size, 1)
})

test('events that come out of order or twice or have an unknown type do no harm', async () => {
  await coop.fault({ on: 'delivery', status: 503 })
  const id = await order()
  for (const decide of [coop.approve, coop.settle]) {
    await coop.clock.advance('1m')
    await decide(id)
  }
  const ids = (await coop.events.list({ state: 'pending' })).map(({ event_id }) => event_id)
  for (const order of ['given', 'reversed']) await coop.events.deliver(ids, { order, times: 2 })
  const [unknown] = await coop.events.deliver(ids[0], { type: 'fund.closed' })
  assert.equal(unknown.status, 204)
  assert.deepEqual([app.statusOf(id), app.processed.size], ['settled', 3])
})

test('an old signature and a forged one are refused', async () => {
  await order()
  const [{ event_id }] = await coop.events.list()
  const at = new Date(Date.now() - 10 * 60_000).toISOString()
  const [stale] = await coop.events.deliver(event_id, { at })
  const [forged] = await coop.events.deliver(event_id, { secret: 'whsec_other' })
  assert.deepEqual([stale.status, forged.status], [401, 401])
})

test('a secret that is rotated while an event waits signs its next attempt', async () => {
  app.failing = true
  await order()
  await delivered()
  app.signingSecret = await hooks.rotateSecret()
  app.failing = false
  await coop.clock.advance('1m')
  assert.equal(app.processed.size, 1)
})

test('an answer that is lost after the order was placed leaves one order', async () => {
  await coop.fault({ on: 'placeSharePurchase', times: 1, reset: 'after-commit' })
  await order()
  const [first, again] = await coop.journal('placeSharePurchase')
  assert.equal(first.headers['idempotency-key'], again.headers['idempotency-key'])
  assert.equal(first.body, again.body)
  assert.equal(again.response_headers['idempotent-replayed'], 'true')
  assert.equal((await app.list(ada)).length, 1)
})

test('a request is repeated when its connection is cut in the middle of the answer', async () => {
  const id = await order()
  await coop.fault({ on: 'listSharePurchases', times: 1, reset: 'mid-body' })
  const [listed] = await app.list(ada)
  assert.equal(listed.share_purchase_id, id)
  assert.equal((await coop.journal('listSharePurchases')).length, 2)
})

test('after 429 the app waits as long as Retry-After says', async () => {
  await coop.fault({ on: 'listSharePurchases', times: 1, status: 429, retryAfter: 2 })
  const began = performance.now()
  await app.list(ada)
  assert.ok(performance.now() - began >= 2000)
})

test('an app gives up on 503 after three attempts, and works again after the maintenance', async () => {
  const quote = await app.quote(sun, 1)
  await coop.maintenance(true, { retryAfter: 1 })
  await assert.rejects(app.order(ada, quote), /503/)
  assert.equal((await coop.journal('placeSharePurchase')).length, 3)
  await coop.maintenance(false)
  assert.equal(await statusOf(await app.order(ada, quote)), 'submitted')
})

test('an app whose token has expired gets another one', async () => {
  await app.client.GET('/v1/me')
  await coop.clock.advance('16m')
  await app.client.GET('/v1/me')
  const statuses = (await coop.journal('readClient')).map(({ status }) => status)
  assert.deepEqual(statuses, [200, 401, 200])
  assert.equal((await coop.journal('issueToken')).length, 2)
})

test('a client that the operator disables loses access immediately', async () => {
  await app.client.GET('/v1/me')
  await coop.operation('client.disable', { client_id: coop.clientId })
  await assert.rejects(app.client.GET('/v1/me'), { name: 'TokenError', code: 'invalid_client' })
})

test('an app that caches the key set finds a rotated key, and the old key leaves the set', async () => {
  const verify = createVerifier(coop.url)
  const getToken = async () =>
    (await coop.operation('token.issue', { client_id: coop.clientId })).access_token
  const former = await getToken()
  assert.equal((await verify(former)).client_id, coop.clientId)
  await coop.operation('key.rotate', { now: true })
  assert.ok(await verify(await getToken()))
  await coop.clock.advance('16m')
  assert.equal(await createVerifier(coop.url)(former), undefined)
})

test('an Idempotency-Key places a new order after 24 hours', async () => {
  const first = await order(5, 'key-of-ada')
  await coop.clock.advance('23h')
  assert.equal(await order(5, 'key-of-ada'), first)
  await coop.clock.advance('3601s')
  assert.notEqual(await order(5, 'key-of-ada'), first)
})

test('an order that costs more than its quote is cancelled', async () => {
  const quote = await app.quote(sun, 5)
  await coop.operation('cooperative.set_price', { cooperative: 'sun', share_price: '120.00' })
  await assert.rejects(app.order(ada, quote), /price has changed/)
  const [placed] = await app.list(ada)
  assert.deepEqual([placed.status, placed.total], ['cancelled', '610.00'])
})

test('a cooperative that is unpublished after the quote takes no orders', async () => {
  const quote = await app.quote(sun, 5)
  await coop.operation('cooperative.unpublish', { cooperative: 'sun' })
  await assert.rejects(app.order(ada, quote), { code: 'COOPERATIVE_NOT_FOUND' })
})

test('pages that shift while they are read show each order once', async () => {
  const orderLater = async () => (await coop.clock.advance('1s')) && order()
  for (let placed = 0; placed < 4; placed += 1) await orderLater()
  let read = 0
  const onOrder = async () => ++read === 2 && orderLater()
  const ids = (await app.list(ada, { size: 2, onOrder })).map((each) => each.share_purchase_id)
  assert.equal(ids.length, 4)
  assert.equal((await app.list(ada)).length, 5)
})

test('5,000 orders at the end of a month are all accounted for', async () => {
  const customers = Array.from({ length: 50 }, (_, index) => `customer-${index}`)
  const investors = await like(ada, customers, { orders: 100 })
  await coop.operation('fixtures.apply', { organizations: [{ name: 'Neobank', investors }] })
  let [count, sum] = [0, 0]
  for (const customer of customers) {
    const params = { query: { partner_customer_ref: customer } }
    const { investor_id } = await app.answer(app.client.GET('/v1/investors', { params }))
    const listed = await app.list(investor_id)
    count += listed.length
    for (const { total } of listed) sum += Number(total)
  }
  assert.deepEqual([count, sum], [5000, 5000 * 100 + 50 * 10])
})
