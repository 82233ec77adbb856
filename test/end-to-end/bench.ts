import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { connectBench } from '../../fixtures/program/bench-client.ts'
import { signIn } from '../../fixtures/program/partner-client.ts'
import { createServedMarket } from '../../fixtures/program/served-market.ts'
import { answerWith, verifySignature } from '../../fixtures/servers/receiver.ts'
import { orderFor } from '../../fixtures/world/seed-orders.ts'
import type { CoverageReport, ExchangeRow } from '../../src/wire/bench.ts'

/** Starts a service with testing aids, and returns them with a partner and a receiver. */
async function startBench(t: Test, ...argv: string[]) {
  const market = await createServedMarket(t)
  const running = await market.startHere('--bench', ...argv)
  const bench = await connectBench(market.dataDirectory)
  const advance = async (text: string) => {
    const { status, body } = await bench('POST', 'clock', { advance: text })
    t.equal(status, 200, `advanced ${text}`)
    return body.now
  }
  return { ...market, ...running, bench, advance }
}

t.test('the clock stands still until a command moves it', async (t) => {
  const { bench, advance } = await startBench(t, '--now', '2030-03-01T10:00:00+01:00')
  t.same((await bench('GET', 'clock')).body, { now: '2030-03-01T09:00:00.000Z' })
  t.equal(await advance('36h'), '2030-03-02T21:00:00.000Z')
  t.same((await bench('GET', 'clock')).body, { now: '2030-03-02T21:00:00.000Z' })
  const { body } = await bench('POST', 'clock', { to: '2030-04-01T00:00:00Z' })
  t.same(body, { now: '2030-04-01T00:00:00.000Z' })
  const back = await bench('POST', 'clock', { to: '2030-03-31T00:00:00Z' })
  t.match(back, { status: 409, body: { code: 'CLOCK_BACKWARDS' } })
  const both = { advance: '1s', to: '2031-01-01T00:00:00Z' }
  t.match(await bench('POST', 'clock', both), {
    status: 422,
    body: { errors: { advance: /both/ } },
  })
  t.match(await bench('POST', 'clock', { advance: 'soon' }), { status: 422 })
  t.match(await bench('POST', 'clock', { advance: '1s', timeout: '25d' }), { status: 422 })
  t.match(await bench('POST', 'clock', { advance: '3000000d' }), {
    status: 422,
    body: { errors: { advance: /9999/ } },
  })
})

t.test('simultaneous advances of the clock add up', async (t) => {
  const { bench, advance } = await startBench(t, '--now', '2030-03-01T00:00:00Z')
  const shown = await Promise.all(['3h', '2h', '1h', '4h'].map(advance))
  t.equal(shown.sort().at(-1), '2030-03-01T10:00:00.000Z')
  t.equal(new Set(shown).size, 4, 'each call answers with its own time')
  t.same((await bench('GET', 'clock')).body, { now: '2030-03-01T10:00:00.000Z' })
})

t.test('a running clock continues from the time to which it was set', async (t) => {
  const { bench, advance } = await startBench(t, '--clock', 'running')
  const from = Date.parse(await advance('1d'))
  const to = Date.parse((await bench('GET', 'clock')).body.now)
  t.ok(to > from && to - from < 60_000)
})

t.test('a token expires by the test clock, and its iat and exp are real time', async (t) => {
  const { partner, advance } = await startBench(t, '--now', '2031-01-01T00:00:00Z')
  const [, payload = ''] = partner.accessToken.split('.')
  const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  t.ok(Math.abs(exp - Date.now() / 1000 - 900) < 60, 'other verifiers accept it')
  t.equal((await partner.send('GET', '/v1/me')).status, 200)
  await advance('899s')
  t.equal((await partner.send('GET', '/v1/me')).status, 200)
  await advance('1s')
  const { status, body } = await partner.send('GET', '/v1/me')
  t.match({ status, body }, { status: 401, body: { code: 'UNAUTHENTICATED', detail: /expired/ } })
})

t.test('with --token-time, iat and exp show the time of the test clock', async (t) => {
  const argv = ['--now', '2031-01-01T00:00:00Z', '--token-time', 'virtual']
  const { partner } = await startBench(t, ...argv)
  const [, payload = ''] = partner.accessToken.split('.')
  const { iat } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  t.equal(iat, Date.parse('2031-01-01T00:00:00Z') / 1000)
  t.equal((await partner.send('GET', '/v1/me')).status, 200)
})

t.test('an expired signing key leaves the key set as the clock advances', async (t) => {
  const { operator, partner, advance } = await startBench(t)
  const kids = async () => {
    const { body } = await partner.send('GET', '/.well-known/jwks.json')
    return body.keys.map(({ kid }: { readonly kid: string }) => kid)
  }
  const [former] = await kids()
  const { kid } = await operator.call('key.rotate', { now: true })
  t.same((await kids()).sort(), [former, kid].sort())
  await advance('16m')
  t.same(await kids(), [kid])
})

t.test('an Idempotency-Key places a new order after 24 hours', async (t) => {
  const { seed, advance, baseUrl } = await startBench(t)
  const credentials = { client_id: seed.clientId, client_secret: seed.clientSecret }
  const order = async () => {
    const partner = await signIn(baseUrl, credentials)
    const { body } = await partner.order(seed.investorId, seed.cooperativeId, 'key-1')
    return body.share_purchase_id
  }
  const first = await order()
  await advance('23h')
  t.equal(await order(), first)
  await advance('1h')
  await advance('1s')
  t.not(await order(), first)
})

t.test('a failing receiver gets its retries at the published times, without waiting', async (t) => {
  const { receiver, register, place, operator, advance, bench } = await startBench(t)
  await register()
  receiver.answer = answerWith(500)
  await place()
  await advance('0s')
  t.equal(receiver.received.length, 1, 'the first attempt is made')
  const began = Date.now()
  for (const [index, wait] of ['40s', '80s', '150s', '300s', '600s'].entries()) {
    await advance(wait)
    t.equal(receiver.received.length, index + 2, `attempt ${index + 2} within ${wait}`)
  }
  t.ok(Date.now() - began < 20_000)
  await advance('1d')
  t.equal(receiver.received.length, 6, 'six attempts are made')
  const [event] = await operator.call('event.list', {})
  t.match(event, { type: 'share_purchase.submitted', state: 'dead' })
  const { body } = await bench('GET', 'coverage')
  t.same(
    body.deliveries.filter(({ times }: { readonly times: number }) => times > 0),
    [{ outcome: 'status', times: 6 }],
  )
})

t.test('a long advance carries out all due work in order', async (t) => {
  const { receiver, register, place, advance, operator } = await startBench(t)
  await register()
  receiver.answer = answerWith(500)
  await place()
  await advance('3d')
  t.equal(receiver.received.length, 6)
  const [event] = await operator.call('event.list', {})
  const shown = await operator.call('event.show', { event_id: String(event?.event_id) })
  const times = shown.attempts.map(({ at }) => Date.parse(at))
  const gaps = times.slice(1).map((at, index) => (at - (times[index] ?? 0)) / 1000)
  for (const [index, least] of [30, 60, 120, 240, 480].entries()) {
    const gap = gaps[index] ?? 0
    t.ok(gap >= least && gap <= 1.3 * least, `${gap} s after attempt ${index + 1}`)
  }
})

for (const [time, what] of [
  ['wall', 'the real time'],
  ['virtual', 'the time of the test clock if you request it'],
] as const) {
  t.test(`signatures of webhooks have ${what}`, async (t) => {
    const argv = ['--now', '2028-01-01T00:00:00Z', '--webhook-time', time]
    const { receiver, register, place, advance } = await startBench(t, ...argv)
    const { signing_secret } = await register()
    await place()
    await advance('0s')
    const [received] = receiver.received
    if (!received) throw new Error('Nothing was received.')
    const at = time === 'wall' ? new Date() : new Date('2028-01-01T00:00:00Z')
    t.ok(verifySignature(received, signing_secret, at))
    t.match(received.event.created_at, /^2028-01-01T00:00:00/)
  })
}

t.test('an exhausted rate limit is full again after a minute on the test clock', async (t) => {
  const { partner, advance } = await startBench(t, '--rate-limit', '3')
  for (const _ of [1, 2, 3]) t.equal((await partner.send('GET', '/v1/me')).status, 200)
  t.equal((await partner.send('GET', '/v1/me')).status, 429)
  await advance('1m')
  t.equal((await partner.send('GET', '/v1/me')).status, 200)
})

t.test('an advance that times out reports the work that is still in progress', async (t) => {
  const { receiver, register, place, bench } = await startBench(t)
  const { webhook_endpoint_id } = await register()
  receiver.answer = () => {}
  await place()
  const { status, body } = await bench('POST', 'clock', { advance: '1d', timeout: '200ms' })
  t.match({ status, body }, { status: 503, body: { code: 'CLOCK_BUSY' } })
  t.match(body.detail, webhook_endpoint_id)
})

t.test('an order whose answer is lost after its commit is placed once', async (t) => {
  const { partner, seed, bench } = await startBench(t)
  const fault = { operation: 'placeSharePurchase', reset: 'after-commit', times: 1 }
  t.match(await bench('POST', 'faults', fault), { status: 201, body: { times_left: 1 } })
  const order = () => partner.order(seed.investorId, seed.cooperativeId, 'key-1')
  await t.rejects(order(), { cause: { code: /ECONNRESET|UND_ERR_SOCKET/ } })
  const { status, headers, body } = await order()
  t.equal(status, 201)
  t.equal(headers.get('idempotent-replayed'), 'true')
  const path = `/v1/investors/${seed.investorId}/share-purchases`
  t.equal((await partner.send('GET', path)).body.total_items, 1)
  const { body: exchanges } = await bench('GET', 'journal?operation=placeSharePurchase')
  t.match(
    exchanges,
    exactArrays([
      { status: null, fault: String },
      { status: 201, fault: null },
    ]),
  )
  t.equal(exchanges[0].headers['idempotency-key'], 'key-1')
  t.equal(exchanges[0].body, exchanges[1].body)
  t.match(JSON.parse(exchanges[1].response_body), { share_purchase_id: body.share_purchase_id })
  t.same(
    (await bench('GET', 'faults')).body,
    [],
    'the fault has happened the requested number of times',
  )
})

t.test(
  'connections can be cut before a request is handled and in the middle of an answer',
  async (t) => {
    const { partner, seed, bench } = await startBench(t)
    const path = `/v1/investors/${seed.investorId}/share-purchases`
    await bench('POST', 'faults', { operation: 'placeSharePurchase', reset: 'before', times: 1 })
    await t.rejects(partner.order(seed.investorId, seed.cooperativeId))
    t.equal((await partner.send('GET', path)).body.total_items, 0, 'no order was placed')
    await bench('POST', 'faults', { operation: 'listSharePurchases', reset: 'mid-body', times: 1 })
    await t.rejects(partner.send('GET', path), /terminated/)
    t.equal((await partner.send('GET', path)).status, 200)
  },
)

t.test('a fault delays an operation or gives the chosen answer', async (t) => {
  const { partner, seed, bench } = await startBench(t)
  const slow = { operation: 'readClient', delay: '300ms' }
  t.match((await bench('POST', 'faults', { ...slow, times: 1 })).body, slow)
  const began = Date.now()
  t.equal((await partner.send('GET', '/v1/me')).status, 200)
  t.ok(Date.now() - began >= 290)
  const rows: readonly [fault: object, status: number, answer: object][] = [
    [{ status: 503, retry_after: 5 }, 503, { code: 'SERVICE_UNAVAILABLE' }],
    [{ status: 429 }, 429, { code: 'RATE_LIMITED' }],
    [{ status: 409, code: 'IDEMPOTENCY_KEY_CONFLICT' }, 409, { code: 'IDEMPOTENCY_KEY_CONFLICT' }],
  ]
  for (const [fault, status, answer] of rows) {
    await bench('POST', 'faults', { operation: 'placeSharePurchase', times: 1, ...fault })
    const { status: got, headers, body } = await partner.order(seed.investorId, seed.cooperativeId)
    t.match({ status: got, body }, { status, body: answer })
    if (status !== 409) t.ok(Number(headers.get('retry-after')) >= 1)
  }
  const other = { operation: 'readClient', client: seed.investorId, status: 503 }
  await bench('POST', 'faults', other)
  t.equal((await partner.send('GET', '/v1/me')).status, 200, 'a request of another client')
})

t.test('a fault can give each documented error, and the error conforms', async (t) => {
  const { baseUrl, partner, seed, bench } = await startBench(t)
  const { investorId, cooperativeId } = seed
  const investor = `/v1/investors/${investorId}`
  const purchases = `${investor}/share-purchases`
  const calls: Readonly<Record<string, string>> = {
    issueToken: 'POST /oauth2/token',
    readClient: 'GET /v1/me',
    listCooperatives: 'GET /v1/cooperatives',
    readCooperative: `GET /v1/cooperatives/${cooperativeId}`,
    provisionInvestor: 'POST /v1/investors',
    findInvestor: 'GET /v1/investors?partner_customer_ref=x',
    readInvestor: `GET ${investor}`,
    replaceProfile: `PUT ${investor}/profile`,
    placeSharePurchase: `POST ${purchases}`,
    listSharePurchases: `GET ${purchases}`,
    readSharePurchase: `GET ${purchases}/${investorId}`,
    cancelSharePurchase: `POST ${purchases}/${investorId}/cancel`,
    listHoldings: `GET ${investor}/holdings`,
  }
  const rows = async (): Promise<readonly CoverageReport['answers'][number][]> =>
    (await bench('GET', 'coverage')).body.answers.filter(
      ({ status }: CoverageReport['answers'][number]) => status >= 400,
    )
  for (const { operation, status, code } of await rows()) {
    const fault = { operation, status, times: 1, ...(code !== null && { code }) }
    t.match(await bench('POST', 'faults', fault), { status: 201 }, JSON.stringify(fault))
    const [method = '', path = ''] = calls[operation]?.split(' ') ?? []
    const answer = await partner.send(method, path)
    t.equal(answer.status, status, JSON.stringify(fault))
    if (code !== null) t.equal(answer.body.code, code)
  }
  t.same(
    (await rows()).filter(({ times }) => times === 0),
    [],
  )
  const { body: exchanges } = await bench('GET', 'journal')
  const differing = exchanges.flatMap(({ contract, operation, status }: ExchangeRow) =>
    contract.problems
      .filter((problem) => problem.startsWith('response'))
      .map((problem) => [operation, status, problem]),
  )
  t.same(differing, [])
  await bench('POST', 'faults', { operation: 'issueToken', status: 502, times: 1 })
  t.equal((await ask({ baseUrl, partner }, '/oauth2/token', { method: 'POST' })).status, 502)
})

t.test('a fault gives the same answer as the service would', async (t) => {
  const { baseUrl, partner, seed, bench } = await startBench(t)
  const path = `/v1/investors/${seed.investorId}/holdings`
  const lacking = { operation: 'listHoldings', status: 403, code: 'INSUFFICIENT_SCOPE', times: 1 }
  await bench('POST', 'faults', lacking)
  const refused = await partner.send('GET', path)
  t.same(refused.body.required_scopes, ['portfolio:read'])
  t.match(refused.headers.get('www-authenticate'), /scope="portfolio:read"/)
  await bench('POST', 'faults', { operation: 'listHoldings', status: 500, times: 1 })
  const { status, body } = await partner.send('GET', path)
  t.equal(status, 500)
  t.match(body, { type: /internal-server-error$/, instance: path, trace_id: String })
  await bench('POST', 'faults', {
    operation: 'issueToken',
    client: seed.clientId,
    status: 503,
    times: 2,
  })
  const own = { client_id: seed.clientId, client_secret: seed.clientSecret }
  await t.rejects(signIn(baseUrl, own), /temporarily_unavailable/, 'credentials as form fields')
  const basic = Buffer.from(`${seed.clientId}:${seed.clientSecret}`).toString('base64')
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  const init = { method: 'POST', body: form, headers: { authorization: `Basic ${basic}` } }
  t.equal((await checkedFetch(`${baseUrl}/oauth2/token`, init)).status, 503)
  t.same((await bench('GET', 'faults')).body, [])
})

t.test('an impossible fault is refused with the names of its fields', async (t) => {
  const { bench } = await startBench(t)
  const rows: readonly [fault: object, field: string][] = [
    [{ operation: 'placeOrder', status: 503 }, 'operation'],
    [{ operation: 'readClient' }, 'delay'],
    [{ operation: 'readClient', status: 503, reset: 'before' }, 'reset'],
    [{ operation: 'readClient', status: 503, code: 'NO_SUCH_CODE' }, 'code'],
    [{ operation: 'readLiveness', status: 500 }, 'operation'],
    [{ operation: 'issueToken', status: 403 }, 'status'],
    [{ operation: 'issueToken', status: 401, code: 'UNAUTHENTICATED' }, 'code'],
    [{ operation: 'readClient', status: 200 }, 'status'],
    [{ operation: 'placeSharePurchase', status: 404 }, 'code'],
    [{ operation: 'placeSharePurchase', status: 409, code: 'NAME_TAKEN' }, 'code'],
    [{ operation: 'listOwnEvents', status: 204 }, 'status'],
    [{ operation: 'readClient', status: 503, retry_after: 0 }, 'retry_after'],
    [{ operation: 'readClient', delay: '6' }, 'delay'],
    [{ operation: 'readClient', delay: '25d' }, 'delay'],
    [{ operation: 'delivery', reset: 'mid-body' }, 'reset'],
    [{ operation: 'readClient', status: 503, receiver: 'x' }, 'receiver'],
  ]
  for (const [fault, field] of rows) {
    const { status, body } = await bench('POST', 'faults', fault)
    t.equal(status, 422, JSON.stringify(fault))
    t.same(Object.keys(body.errors), [field])
  }
  const never = { on: true, retry_after: 0 }
  t.match(await bench('POST', 'maintenance', never), { status: 422 })
  const details: readonly [fault: object, detail: string][] = [
    [
      { operation: 'readClient' },
      'delay is missing, and so are `reset` and `status`: say what happens.',
    ],
    [
      { operation: 'readClient', status: 503, reset: 'before' },
      'reset cannot be combined with `status`.',
    ],
    [
      { operation: 'listHolding', status: 500 },
      'operation must be an operation id of the contract or `delivery`; the most similar one is listHoldings.',
    ],
    [
      { operation: 'listHoldings', status: 410 },
      'status must be 400, 401, 403, 404, 429 or 500 to 599 for listHoldings.',
    ],
    [
      { operation: 'placeSharePurchase', status: 404 },
      'code must be MANAGED_INVESTOR_NOT_FOUND or COOPERATIVE_NOT_FOUND for placeSharePurchase with status 404.',
    ],
  ]
  for (const [fault, detail] of details) {
    t.equal((await bench('POST', 'faults', fault)).body.detail, detail)
  }
  t.match(await bench('DELETE', 'faults/none'), { status: 404, body: { code: 'FAULT_NOT_FOUND' } })
})

t.test('deliveries fail on command, and a lost acknowledgement causes a retry', async (t) => {
  const { receiver, register, place, bench, advance } = await startBench(t)
  const { webhook_endpoint_id: receiverId } = await register()
  await bench('POST', 'faults', {
    operation: 'delivery',
    receiver: receiverId,
    status: 500,
    times: 1,
  })
  await bench('POST', 'faults', { operation: 'delivery', reset: 'after-commit', times: 1 })
  await place()
  await advance('0s')
  t.equal(receiver.received.length, 0, 'the fault replaced the answer of the receiver')
  await advance('10m')
  const ids = receiver.received.map(({ event }) => event.id)
  t.equal(ids.length, 2)
  t.equal(new Set(ids).size, 1)
  const { body } = await bench('GET', 'journal?direction=delivery')
  t.match(
    body,
    exactArrays([
      { code: 'status', status: 500, webhook_endpoint_id: receiverId },
      { code: 'broken_answer', status: null },
      { code: null, status: 204, contract: { verdict: 'conforms' } },
    ]),
  )
})

t.test('during maintenance every request of a partner gets 503', async (t) => {
  const { partner, bench } = await startBench(t)
  await bench('POST', 'maintenance', { on: true, retry_after: 7 })
  const { status, headers } = await partner.send('GET', '/v1/cooperatives')
  t.equal(status, 503)
  t.equal(headers.get('retry-after'), '7')
  t.equal((await partner.send('GET', '/readyz')).status, 200, 'monitoring sees a healthy service')
  await bench('POST', 'maintenance', { on: false })
  t.equal((await partner.send('GET', '/v1/cooperatives')).status, 200)
})

t.test('the journal shows what a partner sent, without secrets and IBANs', async (t) => {
  const { partner, seed, bench } = await startBench(t)
  await partner.register({ partner_customer_ref: 'c-77' })
  await partner.order(seed.investorId, 'no uuid')
  const { body } = await bench('GET', 'journal')
  const text = JSON.stringify(body)
  t.notOk(text.includes(seed.clientSecret))
  t.notOk(text.includes(partner.accessToken))
  t.notMatch(text, /DE\d{20}/)
  t.match(text, /DE\d\d\*{4}\d{4}/)
  t.match(
    body,
    exactArrays([
      { operation: 'issueToken', contract: { verdict: 'conforms' } },
      { operation: 'provisionInvestor', status: 201, contract: { verdict: 'conforms' } },
      {
        operation: 'placeSharePurchase',
        client_id: seed.clientId,
        code: 'VALIDATION_ERROR',
        contract: { verdict: 'violates', problems: exactArrays([/request: .*cooperative_id/]) },
      },
    ]),
  )
  await bench('DELETE', 'journal')
  t.same((await bench('GET', 'journal')).body, [])
  t.match(await bench('GET', 'journal?operation=placeOrder'), {
    status: 400,
    body: { detail: /operation must be one of delivery, .*placeSharePurchase/ },
  })
  const query = `access_token=${partner.accessToken}&client_secret=hush`
  await partner.send('GET', `/v1/me?${query}`, {
    headers: { cookie: 'hush=1', 'x-account': 'DE89370400440532013000' },
  })
  const odd = JSON.stringify((await bench('GET', 'journal')).body)
  t.match(odd, /me\?access_token=\*{3}&client_secret=\*{3}"/)
  t.match(odd, /DE89\*{4}3000/)
  t.notMatch(odd, /hush|eyJ|DE\d{20}/)
})

t.test('the journal masks secrets and IBANs in any notation', async (t) => {
  const { baseUrl, partner, seed, bench } = await startBench(t)
  const { clientId, clientSecret } = seed
  const token = `grant_type=client_credentials&client_id=${clientId}&client%5Fsecret=${clientSecret}`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const init = { method: 'POST', body: token, headers }
  t.equal((await checkedFetch(`${baseUrl}/oauth2/token`, init)).status, 200)
  const body = String.raw`{"a": "\\u0044", "client\u005fsecret": "hu\"sh", "b": "\u0044E89370400440532013000"}`
  const path = `${baseUrl}/v1/investors/${seed.investorId}/share-purchases`
  const json = {
    authorization: `Bearer ${partner.accessToken}`,
    'content-type': 'application/json',
  }
  t.equal((await checkedFetch(path, { method: 'POST', body, headers: json })).status, 400)
  for (const iban of ['DE89%203704%200044%200532%200130%2000', '%44%4589370400440532013000']) {
    await partner.send('GET', `/v1/investors?partner_customer_ref=${iban}`)
    const { body: found } = await bench('GET', 'journal?operation=findInvestor&limit=1')
    t.match(found[0].path, /partner_customer_ref=\*{3}$/)
  }
  const { body: exchanges } = await bench('GET', 'journal')
  const text = JSON.stringify(exchanges)
  t.notOk(text.includes(clientSecret))
  t.match(exchanges.at(-3), {
    body: String.raw`{"a": "\\u0044", "client_secret": "***", "b": "DE89****3000"}`,
  })
})

t.test('the journal masks IBANs with every kind of space between their groups', async (t) => {
  const { baseUrl, partner, seed, bench } = await startBench(t)
  const path = `${baseUrl}/v1/investors/${seed.investorId}/share-purchases`
  const headers = {
    authorization: `Bearer ${partner.accessToken}`,
    'content-type': 'application/json',
  }
  const spaces = [' ', '  ', '\u00a0', '\u202f', '\u2009', '\u2060', '\u200b', '\ufeff']
  const escapes = spaces
    .slice(2)
    .map((space) => `\\u${space.charCodeAt(0).toString(16).padStart(4, '0')}`)
  for (const space of [...spaces, ...escapes, '\\t', '\\n']) {
    const body = `{"a": "${['DE89', '3704', '0044', '0532', '0130', '00'].join(space)}"}`
    t.equal((await checkedFetch(path, { method: 'POST', body, headers })).status, 400)
    const { body: found } = await bench('GET', 'journal?operation=placeSharePurchase&limit=1')
    t.equal(found[0].body, '{"a": "DE89****3000"}', JSON.stringify(space))
  }
})

t.test('a time without seconds conforms to the contract in the journal [D17]', async (t) => {
  const { partner, seed, bench } = await startBench(t)
  const order = {
    cooperative_id: seed.cooperativeId,
    share_count: 1,
    sepa_mandate: { signed_at: '2026-01-10T09:30Z' },
    statute_consent_given_at: '2026-01-10T10:30+0100',
  }
  const path = `/v1/investors/${seed.investorId}/share-purchases`
  t.equal((await partner.send('POST', path, { body: order })).status, 201)
  const { body } = await bench('GET', 'journal?operation=placeSharePurchase&limit=1')
  t.match(body[0], { contract: { verdict: 'conforms' } })
})

t.test('the journal masks credentials that are sent in a wrong form', async (t) => {
  const { baseUrl, partner, seed, bench } = await startBench(t)
  const { clientId, clientSecret } = seed
  const token = partner.accessToken
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const wrong: Record<string, string>[] = [
    ...[token, `Bearer${token}`, `Bearer:${token}`, `Bearer\t${token}`, `Token ${token}`],
    ...[basic, `Basic:${basic}`, `${clientId}:${clientSecret}`],
  ].map((authorization) => ({ authorization }))
  const others = ['proxy-authorization', 'x-access-token', 'x-api-key', 'x-client-secret']
  wrong.push(...others.map((name) => ({ [name]: `x ${clientSecret}` })))
  for (const headers of wrong) await checkedFetch(`${baseUrl}/v1/me`, { headers })
  await partner.send('GET', `/v1/investors?partner_customer_ref=${token}`)
  const names = ['Client_Secret', 'client-secret', 'clientSecret', 'CLIENT%2DSECRET', 'password']
  for (const name of names) {
    const form = `grant_type=client_credentials&client_id=${clientId}&${name}=${clientSecret}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await checkedFetch(`${baseUrl}/oauth2/token`, { method: 'POST', body: form, headers })
    const body = { [decodeURIComponent(name)]: clientSecret }
    await partner.send('POST', '/v1/investors', { body })
  }
  const { body: exchanges } = await bench('GET', 'journal')
  const text = JSON.stringify(exchanges)
  for (const secret of [token, clientSecret, basic]) {
    t.notOk(text.includes(secret), `the journal contains ${secret.slice(0, 8)}…`)
  }
  const shown = text.match(/"authorization":"[^"]*"/g)
  t.same(new Set(shown), new Set(['"authorization":"***"', '"authorization":"Bearer ***"']))
})

t.test('a body full of beginnings of tokens does not slow down the journal', async (t) => {
  const { partner, bench } = await startBench(t)
  const body = { note: '-eyJ'.repeat(16_000) }
  for (let sent = 0; sent < 8; sent += 1) await partner.send('POST', '/v1/investors', { body })
  const startedMs = performance.now()
  await bench('GET', 'journal')
  t.ok(performance.now() - startedMs < 3000)
})

t.test('a refused token request counts as covered, and HEAD conforms without a body', async (t) => {
  const { baseUrl, partner, seed, bench } = await startBench(t)
  const wrong = { client_id: seed.clientId, client_secret: 'wrong' }
  await t.rejects(signIn(baseUrl, wrong))
  await partner.send('DELETE', '/v1/me')
  const { body } = await bench('GET', 'coverage')
  const rows: readonly { operation: string; status: number; times: number }[] = body.answers
  t.match(
    rows.filter(({ operation, status }) => operation === 'issueToken' && status === 401),
    exactArrays([{ code: null, times: 1 }]),
  )
  t.notOk(
    rows.some(({ status }) => status === 405),
    'a request with a wrong method belongs to no operation',
  )
  const headers = { authorization: `Bearer ${partner.accessToken}` }
  t.equal((await checkedFetch(`${baseUrl}/v1/me`, { method: 'HEAD', headers })).status, 200)
  const { body: exchanges } = await bench('GET', 'journal?operation=readClient')
  t.match(exchanges, exactArrays([{ method: 'HEAD', contract: { verdict: 'conforms' } }]))
})

t.test('a test waits for requests instead of sleeping', async (t) => {
  const { partner, bench } = await startBench(t)
  const late = { operation: 'readClient', count: 1, timeout: '50ms' }
  t.match(await bench('POST', 'journal/await', late), {
    status: 408,
    body: { code: 'AWAIT_TIMEOUT' },
  })
  const awaiting = bench('POST', 'journal/await', { operation: 'readClient', count: 2 })
  await partner.send('GET', '/v1/me')
  await partner.send('GET', '/v1/me')
  const { status, body } = await awaiting
  t.equal(status, 200)
  t.equal(body.length, 2)
})

t.test(
  'requests that were removed from the journal do not count for a test that waits',
  async (t) => {
    const { partner, bench } = await startBench(t)
    await partner.send('GET', '/v1/me')
    const awaiting = bench('POST', 'journal/await', { operation: 'readClient', count: 2 })
    await bench('DELETE', 'journal')
    await partner.send('GET', '/v1/me')
    await partner.send('GET', '/v1/cooperatives')
    await partner.send('GET', '/v1/me')
    const { status, body } = await awaiting
    t.equal(status, 200)
    t.match(body, exactArrays([{ operation: 'readClient' }, { operation: 'readClient' }]))
  },
)

t.test('a reset restores the data, the time and the ids of the start', async (t) => {
  const argv = ['--now', '2028-01-01T00:00:00Z', '--seed', '7']
  const { partner, seed, bench, advance, place, register, receiver } = await startBench(t, ...argv)
  const path = `/v1/investors/${seed.investorId}/share-purchases`
  await register()
  const first = await place()
  await advance('10m')
  t.equal(receiver.received.length, 1)
  const { status, body } = await bench('POST', 'reset')
  t.match({ status, body }, { status: 200, body: { now: '2028-01-01T00:00:00.000Z' } })
  t.equal((await partner.send('GET', path)).body.total_items, 0)
  t.same((await bench('GET', 'faults')).body, [])
  await register()
  t.equal(await place(), first, 'the same id as in the first run')
  await advance('10m')
  t.equal(receiver.received.length, 2, 'events continue after the reset')
})

t.test('a contract preview removes a property', async (t) => {
  const removed = await startBench(t, '--contract-preview', 'removed:granted_scopes')
  const { body } = await ask(removed, '/v1/me')
  t.ok(body.token_scopes)
  t.notOk('granted_scopes' in body)
  const { body: exchanges } = await removed.bench('GET', 'journal?operation=readClient')
  t.equal(exchanges[0].contract.verdict, 'violates')
  t.match(exchanges[0].contract.problems.join(), /granted_scopes is missing/)
})

t.test('a contract preview adds fields, a value, and a type of events', async (t) => {
  const additive = await startBench(t, '--contract-preview', 'additive')
  const { body: client } = await ask(additive, '/v1/me')
  t.type(client.preview_field, 'string')
  t.ok(client.granted_scopes.includes('preview:read'))
  t.equal((await ask(additive, '/v1/cooperatives')).status, 200)
  const types: string[] = []
  const receiver = createServer(async (request, response) => {
    types.push(String(request.headers['x-service-webhook-event']))
    request.resume()
    response.writeHead(204).end()
  })
  t.teardown(() => receiver.close())
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  await additive.register(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`)
  const { investorId, cooperativeId } = additive.seed
  const body = JSON.stringify(orderFor(cooperativeId))
  const path = `/v1/investors/${investorId}/share-purchases`
  t.equal((await ask(additive, path, { method: 'POST', body })).status, 201)
  await additive.advance('0s')
  t.same(types, ['share_purchase.preview', 'share_purchase.submitted'])
  const { body: exchanges } = await additive.bench('GET', 'journal')
  const verdicts = exchanges
    .filter(({ direction }: { readonly direction: string }) => direction === 'partner')
    .map(({ contract }: { readonly contract: unknown }) => contract)
  t.ok(verdicts.length >= 3)
  for (const verdict of verdicts) t.match(verdict, { verdict: 'conforms' })
})

/** Asks without a check against the contract, because a preview violates the contract. */
async function ask(
  { baseUrl, partner }: Pick<Awaited<ReturnType<typeof startBench>>, 'baseUrl' | 'partner'>,
  path: string,
  init: RequestInit = {},
) {
  const headers = {
    authorization: `Bearer ${partner.accessToken}`,
    'content-type': 'application/json',
  }
  // biome-ignore lint/style/noRestrictedGlobals: a preview differs from the contract.
  const answer = await fetch(`${baseUrl}${path}`, { ...init, headers })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  const answered: any = await answer.json()
  return { status: answer.status, body: answered }
}

t.test('without --bench, every path of the testing aids says how to turn them on', async (t) => {
  const market = await createServedMarket(t)
  await market.start()
  const bench = await connectBench(market.dataDirectory)
  for (const path of ['clock', 'journal', 'faults', 'coverage']) {
    t.match(await bench('GET', path), {
      status: 409,
      body: { code: 'BENCH_OFF', detail: /--bench/ },
    })
  }
})
