import t from 'tap'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { answerWith } from '../../fixtures/servers/receiver.ts'
import {
  collectionOf,
  createMarket,
  get,
  type Market,
  placeAccepted,
} from '../../fixtures/world/market.ts'
import {
  createWebhookMarket,
  decide,
  deliveriesOf,
  exhaustAttempts,
  findEvent,
} from '../../fixtures/world/webhook-market.ts'
import type { RequestOptions, WorldOptions } from '../../fixtures/world/world.ts'
import { updateOrganization } from '../../src/usecases/organizations/organizations.ts'
import { removeWebhookEndpoint } from '../../src/usecases/webhooks/webhook-endpoints.ts'

const unknownId = '0198c0de-0000-7000-8000-00000000ffff'

async function allow({ world }: Market, selfService = true): Promise<void> {
  for (const { organizationId: organization } of [world.partner, world.otherPartner]) {
    await updateOrganization(world.service, { organization, selfService })
  }
}

async function createSandbox(options: WorldOptions = {}): Promise<Market> {
  const market = await createMarket({}, options)
  await allow(market)
  return market
}

function post({ world }: Market, path: string, options: RequestOptions = {}) {
  return world.request('POST', `/sandbox${path}`, { token: world.partner.token, ...options })
}

function step(market: Market, id: string, name: string, options?: RequestOptions) {
  return post(market, `/share-purchases/${id}/${name}`, options)
}

t.test('a partner approves and settles its own order with its own token [D60]', async (t) => {
  const market = await createSandbox()
  const id = await placeAccepted(market)
  const token = await market.world.tokenWith('cooperatives:read')
  for (const [name, status] of [
    ['approve', 'approved'],
    ['settle', 'settled'],
  ] as const) {
    const answer = await step(market, id.toUpperCase(), name, { token, body: {} })
    t.strictSame([answer.status, answer.body.status], [200, status])
    t.strictSame((await get(market, `${collectionOf(market)}/${id}`)).body, answer.body)
  }
})

t.test('a rejection has the reason that the partner sent, or no reason', async (t) => {
  const market = await createSandbox()
  for (const [body, reason] of [
    [undefined, null],
    [{}, null],
    [{ reason: null }, null],
    [{ reason: 'Not a member.' }, 'Not a member.'],
  ] as const) {
    const { body: order } = await step(market, await placeAccepted(market), 'reject', { body })
    t.match(order, { status: 'rejected', reason })
  }
})

t.test('the bank returns the payment of an approved order, which is then rejected', async (t) => {
  const market = await createSandbox()
  const id = await placeAccepted(market)
  const early = await step(market, id, 'bank-return')
  t.match(early.body, {
    status: 409,
    code: 'SHARE_PURCHASE_ILLEGAL_STATE',
    detail: /it is submitted/,
  })
  await step(market, id, 'approve')
  const { body } = await step(market, id, 'bank-return')
  t.match(body, { status: 'rejected', reason: 'Direct debit returned (AC04).' })

  const other = await placeAccepted(market)
  await step(market, other, 'approve')
  const reason = 'Direct debit returned (AM04).'
  t.match((await step(market, other, 'bank-return', { body: { reason } })).body, { reason })
  t.equal((await findEvent(market, other, 'rejected')).type, 'share_purchase.rejected')
})

t.test('a step that the status does not allow gets 409 and changes nothing', async (t) => {
  const market = await createSandbox()
  const id = await placeAccepted(market)
  await step(market, id, 'reject')
  for (const name of ['approve', 'settle', 'reject', 'bank-return']) {
    const { body } = await step(market, id, name)
    t.match(body, { status: 409, code: 'SHARE_PURCHASE_ILLEGAL_STATE' }, name)
  }
  const submitted = await placeAccepted(market)
  t.equal((await step(market, submitted, 'settle')).status, 409)
  t.match((await get(market, `${collectionOf(market)}/${submitted}`)).body, { status: 'submitted' })
})

t.test('an order of another organization gets 404, as if it did not exist', async (t) => {
  const market = await createSandbox()
  const id = await placeAccepted(market)
  const { token } = market.world.otherPartner
  const withoutId = (text: string) => text.replaceAll(/[0-9a-f-]{36}|nobody/g, '')
  for (const name of ['approve', 'settle', 'reject', 'bank-return']) {
    const foreign = await step(market, id, name, { token })
    t.match(foreign.body, { status: 404, code: 'SHARE_PURCHASE_NOT_FOUND' }, name)
    for (const unknown of [unknownId, 'nobody']) {
      const missing = await step(market, unknown, name, { token })
      t.equal(withoutId(missing.text), withoutId(foreign.text), `${name} ${unknown}`)
    }
  }
  const invalid = { body: { reason: '' }, token }
  t.equal(
    (await step(market, id, 'reject', invalid)).status,
    404,
    'the owner is checked before 422',
  )
  t.match((await get(market, `${collectionOf(market)}/${id}`)).body, { status: 'submitted' })
})

t.test('a body that is not allowed gets the same refusal as below /v1', async (t) => {
  const market = await createSandbox()
  const id = await placeAccepted(market)
  const text = { 'content-type': 'text/plain' }
  for (const [name, options, status, code] of [
    ['approve', { body: { reason: 'x' } }, 400, 'MALFORMED_REQUEST_BODY'],
    ['reject', { body: { cause: 'x' } }, 400, 'MALFORMED_REQUEST_BODY'],
    ['reject', { body: '{' }, 400, 'MALFORMED_REQUEST_BODY'],
    ['reject', { body: 'reason', headers: text }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['reject', { body: 'x'.repeat(70_000) }, 413, 'PAYLOAD_TOO_LARGE'],
    ['reject', { body: { reason: ' ' } }, 422, 'VALIDATION_ERROR'],
    ['bank-return', { body: { reason: 1 } }, 422, 'VALIDATION_ERROR'],
  ] as const) {
    const { body } = await step(market, id, name, options)
    t.match(body, { status, code }, `${name} ${JSON.stringify(options).slice(0, 40)}`)
  }
})

t.test('without self-service every path of the sandbox gets 403 [D60]', async (t) => {
  const market = await createMarket()
  const { token } = market.world.partner
  const id = await placeAccepted(market)
  for (const [method, path] of [
    ['POST', `/sandbox/share-purchases/${id}/approve`],
    ['POST', '/sandbox/tokens/expire'],
    ['GET', '/sandbox/events'],
    ['GET', '/sandbox'],
    ['GET', '/sandbox/unknown'],
  ] as const) {
    const { headers, body } = await market.world.request(method, path, { token })
    t.match(
      body,
      { status: 403, code: 'FORBIDDEN', detail: /`coopshare organization update --self-service`/ },
      path,
    )
    t.equal(headers.get('www-authenticate'), null)
  }
  await allow(market)
  t.equal((await step(market, id, 'approve')).status, 200)
  await allow(market, false)
  t.equal((await step(market, id, 'settle')).status, 403, 'after self-service was turned off again')
})

t.test('requests to the sandbox count against the limits of /v1 and need a token', async (t) => {
  const limits = { requests: 3, requestsPerAddress: 100 }
  const market = await createSandbox({ app: { limits } })
  market.world.clock.advance(60)
  const anonymous = await market.world.request('GET', '/sandbox/events')
  t.match(anonymous.body, { status: 401, code: 'UNAUTHENTICATED' })
  t.equal((await get(market, '/v1/me')).headers.get('ratelimit-remaining'), '2')
  t.equal((await get(market, '/sandbox/events')).headers.get('ratelimit-remaining'), '1')
  t.equal((await get(market, '/sandbox/events')).status, 200)
  const refused = await get(market, '/sandbox/events')
  t.match(refused.body, { status: 429, code: 'RATE_LIMITED' })
  t.ok(refused.headers.get('retry-after'))
})

t.test('an unknown path gets 404, and another method gets 405', async (t) => {
  const market = await createSandbox()
  t.match((await get(market, '/sandbox')).body, { status: 404, code: 'NOT_FOUND' })
  t.match((await get(market, '/sandbox/orders')).body, { status: 404, code: 'NOT_FOUND' })
  const { status, headers } = await post(market, '/events')
  t.strictSame([status, headers.get('allow')], [405, 'GET, HEAD'])
})

t.test('production answers the sandbox like any unknown path [D60]', async (t) => {
  const { world } = await createMarket({}, { settings: { environment: 'production' } })
  const headers = { authorization: `Bearer ${world.partner.token}`, 'x-request-id': 'one' }
  const ask = async (method: string, path: string) => {
    const request = new Request(`http://localhost${path}`, { method, headers })
    const answer = await world.app.request(request)
    const text = (await answer.text()).replace(path, '/path')
    return { status: answer.status, headers: [...answer.headers], text }
  }
  const unknown = await ask('GET', '/nowhere')
  t.equal(unknown.status, 404)
  for (const [method, path] of [
    ['GET', '/sandbox/events'],
    ['POST', `/sandbox/share-purchases/${unknownId}/approve`],
    ['POST', '/sandbox/tokens/expire'],
    ['GET', '/openapi/sandbox.json'],
  ] as const) {
    t.strictSame(await ask(method, path), unknown, path)
  }
})

t.test('a partner ends the tokens of its own clients', async (t) => {
  const market = await createSandbox()
  const { world } = market
  const { status, body } = await post(market, '/tokens/expire')
  t.strictSame([status, body], [200, { clients: 1 }])
  t.equal((await get(market, '/v1/me')).status, 401)
  t.equal((await get(market, '/v1/me', world.otherPartner.token)).status, 200)
  t.equal((await get(market, '/v1/me', await world.tokenWith('projects:read'))).status, 200)
})

t.test('a partner lists its own events, filters them and continues a list', async (t) => {
  const market = await createSandbox()
  const id = await placeAccepted(market)
  market.world.clock.advance(60)
  await decide(market, id, 'approved')
  market.world.clock.advance(60)
  await decide(market, id, 'settled')

  const first = await get(market, '/sandbox/events?limit=2')
  t.match(first.body.items[0], {
    type: 'share_purchase.submitted',
    share_purchase_id: id,
    status: 'none',
    attempts: 0,
  })
  t.equal(first.body.next_after, first.body.items[1].event_id)
  const rest = await get(market, `/sandbox/events?after=${first.body.next_after.toUpperCase()}`)
  t.strictSame(
    rest.body.items.map(({ type }: { type: string }) => type),
    ['share_purchase.settled'],
  )
  t.equal(rest.body.next_after, null)
  const exact = await get(market, '/sandbox/events?limit=3&status=none')
  t.strictSame([exact.body.items.length, exact.body.next_after], [3, null])
  t.strictSame((await get(market, '/sandbox/events?status=dead')).body.items, [])
  t.equal((await get(market, '/sandbox/events?limit=0')).body.items.length, 1, 'clamped')

  const { token } = market.world.otherPartner
  t.strictSame((await get(market, '/sandbox/events', token)).body.items, [])
  const after = `/sandbox/events?after=${first.body.next_after}`
  t.match((await get(market, after, token)).body, { status: 404, code: 'EVENT_NOT_FOUND' })
  for (const bad of ['status=lost', 'limit=many', 'limit=1&limit=2']) {
    const { body } = await get(market, `/sandbox/events?${bad}`)
    t.match(body, { status: 400, code: 'VALIDATION_ERROR' }, bad)
  }
})

t.test('a partner sees the attempts of an event and replays it', async (t) => {
  const market = await createWebhookMarket(t)
  await allow(market)
  const { receiver, dispatcher, webhookEndpointId, secret } = market
  receiver.answer = answerWith(503)
  const { eventId, body: sent } = await findEvent(market, await placeAccepted(market))
  const path = `/sandbox/events/${eventId}`
  const due = (await get(market, path)).body.deliveries
  t.match(due, exactArrays([{ status: 'pending', due_since: String, attempts: [] }]))
  const early = await post(market, `/events/${eventId}/replay`)
  t.match(early.body, { replayed: 0, left_alone: 'under_way' })

  await dispatcher.dispatchDue()
  const { body: pending } = await get(market, path)
  const later = { status: 'pending', due_since: null, next_attempt_at: String }
  t.match(pending.deliveries, exactArrays([later]))
  await exhaustAttempts(market)
  const token = await market.world.tokenWith('projects:read')
  const { body: event, text } = await get(market, `/sandbox/events/${eventId.toUpperCase()}`, token)
  t.match(event, {
    event_id: eventId,
    type: 'share_purchase.submitted',
    status: 'dead',
    body: sent,
  })
  const reason = 'attempts_used_up'
  const dead = { webhook_endpoint_id: webhookEndpointId, url: receiver.url, dead_because: reason }
  t.match(event.deliveries, exactArrays([{ ...dead, status: 'dead' }]))
  const [{ attempts }] = event.deliveries
  t.equal(attempts.length, 6)
  t.match(attempts[0], { delivered: false, response_status: 503, failure: 'status' })
  t.notOk(text.includes(secret), 'the signing secret stays hidden')

  receiver.answer = answerWith(204)
  const replayed = await post(market, `/events/${eventId}/replay`, { token })
  t.match(replayed.body, { status: 'pending', attempts: 6, replayed: 1, left_alone: null })
  await dispatcher.dispatchDue()
  t.match((await get(market, path, token)).body, { status: 'delivered' })
  t.equal((await get(market, '/sandbox/events?status=delivered', token)).body.items[0].attempts, 7)

  await removeWebhookEndpoint(market.world.service, webhookEndpointId)
  const gone = await post(market, `/events/${eventId}/replay`, { token })
  t.match(gone.body, { replayed: 0, left_alone: 'endpoint_removed' })
  t.match((await get(market, path, token)).body.deliveries, exactArrays([{ url: null }]))
})

t.test('the sandbox shows when a later event of an order is waiting', async (t) => {
  const market = await createWebhookMarket(t)
  await allow(market)
  const id = await placeAccepted(market)
  await step(market, id, 'approve')
  const { eventId } = await findEvent(market, id, 'approved')
  const { body } = await get(market, `/sandbox/events/${eventId}`)
  const waiting = { status: 'waiting', due_since: null, next_attempt_at: null }
  t.match(body.deliveries, exactArrays([waiting]))
})

t.test("a replay by a partner does not send the investor's e-mail again", async (t) => {
  const market = await createWebhookMarket(t)
  await allow(market)
  const { service, partner } = market.world
  const event = await findEvent(market, await placeAccepted(market))
  const organization = partner.organizationId
  await updateOrganization(service, { organization, investorMail: false })
  await market.dispatcher.dispatchDue()
  const { body } = await post(market, `/events/${event.eventId}/replay`)
  t.match(body, { status: 'pending', replayed: 1 })
  t.match(await deliveriesOf(market, event, 'mail'), exactArrays([{ state: 'dead' }]))
})

t.test('an event of another organization gets 404, as if it did not exist', async (t) => {
  const market = await createSandbox()
  const { eventId } = await findEvent(market, await placeAccepted(market))
  const { token } = market.world.otherPartner
  const withoutId = (text: string) => text.replaceAll(/[0-9a-f-]{36}|nobody/g, '')
  for (const [method, rest] of [
    ['GET', ''],
    ['POST', '/replay'],
  ] as const) {
    const ask = (id: string) =>
      market.world.request(method, `/sandbox/events/${id}${rest}`, { token })
    const foreign = await ask(eventId)
    t.match(foreign.body, { status: 404, code: 'EVENT_NOT_FOUND' })
    for (const unknown of [unknownId, 'nobody']) {
      t.equal(withoutId((await ask(unknown)).text), withoutId(foreign.text), `${method} ${unknown}`)
    }
  }
})

t.test('the document of the sandbox is public, and names the address of the service', async (t) => {
  const { world } = await createMarket()
  const { status, headers, body, text } = await world.request('GET', '/openapi/sandbox.json')
  t.strictSame([status, headers.get('content-type')], [200, 'application/json'])
  t.equal(body.servers[0].url, 'https://partner-api.example')
  t.notMatch(text, 'https://partners.example')
  const etag = headers.get('etag') ?? ''
  const again = await world.request('GET', '/openapi/sandbox.json', {
    headers: { 'if-none-match': etag },
  })
  t.strictSame([again.status, again.text], [304, ''])
  const refs = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)]
  for (const [ref, kind = '', name = ''] of refs) t.ok(body.components[kind]?.[name], ref)
  const manifest = await world.request('GET', '/openapi/manifest.json')
  t.notMatch(manifest.text, 'sandbox', 'the versions of the contract do not list the document')
})
