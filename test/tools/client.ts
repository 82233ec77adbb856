import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import t, { type Test } from 'tap'
import type * as Client from '../../src/tools/client.ts'
import type * as Testing from '../../src/tools/testing.ts'
import { listSignatureVectors } from '../../src/wire/signature-vectors.ts'

const built = (name: string) =>
  pathToFileURL(join(import.meta.dirname, '..', '..', 'dist', name)).href
const clientModule: typeof Client = await import(built('client.js'))
const { createClient, verifyWebhook, isKnownWebhookEvent, CallError, WebhookVerificationError } =
  clientModule
const { startCoopshare }: typeof Testing = await import(built('testing.js'))

const fixtures = [join(import.meta.dirname, '..', '..', 'examples', 'fixtures.yaml')]
const ada = '7b000000-0000-4000-8000-0000000000ad'
const sun = '7b000000-0000-4000-8000-0000000005a1'
const orders = '/v1/investors/{investorId}/share-purchases'
const order = {
  params: { path: { investorId: ada } },
  body: {
    cooperative_id: sun,
    share_count: 1,
    sepa_mandate: { signed_at: '2026-11-20T09:00:00Z' },
    statute_consent_given_at: '2026-11-20T09:00:00Z',
  },
} as const

async function start(t: Test, args: readonly string[] = []) {
  const coop = await startCoopshare({ fixtures, now: '2026-11-20T10:00:00Z', args: [...args] })
  t.teardown(() => coop.close())
  const { url: baseUrl, clientId, clientSecret } = coop
  return { coop, client: createClient({ baseUrl, clientId, clientSecret }) }
}

/** The result of a call that is expected to throw. */
async function errorOf(call: Promise<unknown>): Promise<Client.CallError> {
  const error = await call.then(
    () => undefined,
    (thrown) => thrown,
  )
  if (!(error instanceof CallError)) throw new Error(`no CallError: ${inspect(error)}`)
  return error
}

t.test('concurrent calls share one token, which is replaced when it has expired', async (t) => {
  const { coop, client } = await start(t)
  const answers = await Promise.all([1, 2, 3].map(() => client.GET('/v1/me')))
  t.strictSame(
    answers.map(({ data }) => data?.client_id),
    Array(3).fill(coop.clientId),
  )
  t.equal((await coop.journal('issueToken')).length, 1)
  await coop.clock.advance('16m')
  const again = await Promise.all([1, 2, 3].map(() => client.GET('/v1/me')))
  t.strictSame(
    again.map(({ response }) => response.status),
    [200, 200, 200],
    'the service refused the token, and nobody noticed',
  )
  t.equal((await coop.journal('issueToken')).length, 2)
})

t.test('a token that expires early or whose signing key is removed is replaced', async (t) => {
  const { coop, client } = await start(t)
  await client.GET('/v1/me')
  await coop.tokens.expire()
  const answers = await Promise.all([1, 2, 3].map(() => client.GET('/v1/me')))
  t.strictSame(
    answers.map(({ response }) => response.status),
    [200, 200, 200],
  )
  t.equal((await coop.journal('issueToken')).length, 2, 'the refused calls share a new token')
  await coop.operation('key.rotate', { now: true })
  await coop.clock.advance('16m')
  t.equal((await client.GET('/v1/me')).response.status, 200)
  t.equal((await coop.journal('issueToken')).length, 3)
})

t.test('a client secret is replaced without an outage', async (t) => {
  const { coop, client: former } = await start(t)
  await former.GET('/v1/me')
  const { client_secret: clientSecret } = await coop.operation<{ client_secret: string }>(
    'client.rotate_secret',
    { client_id: coop.clientId },
  )
  const { url: baseUrl, clientId } = coop
  const next = createClient({ baseUrl, clientId, clientSecret })
  await coop.tokens.expire()
  for (const client of [former, next])
    t.equal((await client.GET('/v1/me')).response.status, 200, 'both secrets are valid')
})

t.test('a token is replaced before it expires, and no request is refused', async (t) => {
  const { coop } = await start(t)
  const lifetimes = [0, 900]
  const { url: baseUrl, clientId, clientSecret } = coop
  const shortened = async (request: Request) => {
    // biome-ignore lint/style/noRestrictedGlobals: the client checks the answers.
    const answer = await fetch(request)
    if (!request.url.endsWith('/oauth2/token')) return answer
    return Response.json({ ...Object(await answer.json()), expires_in: lifetimes.shift() })
  }
  const client = createClient({ baseUrl, clientId, clientSecret, fetch: shortened })
  for (const _ of [1, 2, 3]) await client.GET('/v1/me')
  t.strictSame(
    (await coop.journal('readClient')).map(({ status }) => status),
    [200, 200, 200],
  )
  t.equal((await coop.journal('issueToken')).length, 2)
})

t.test('without an address or credentials there is no client', (t) => {
  const given = { baseUrl: 'http://127.0.0.1:1', clientId: 'id', clientSecret: 'secret' }
  for (const name of Object.keys(given))
    t.throws(() => createClient({ ...given, [name]: undefined as unknown as string }), {
      message: `createClient needs ${name}, which is empty.`,
    })
  for (const baseUrl of ['localhost:8080', '/v1', 'ftp://127.0.0.1'])
    t.throws(() => createClient({ ...given, baseUrl }), {
      message:
        'createClient needs a baseUrl with https:// or http://, such as https://partners.example.',
    })
  t.end()
})

t.test('an answer of a proxy without JSON is an error with the key of the order', async (t) => {
  const coop = { baseUrl: 'http://127.0.0.1:1', clientId: 'id', clientSecret: 'secret' }
  const answers: Response[] = []
  const fetch = async ({ url }: Request) =>
    url.endsWith('/oauth2/token')
      ? Response.json({ access_token: 'token', expires_in: 900 })
      : (answers.shift() ?? Response.error())
  const client = createClient({ ...coop, fetch })
  answers.push(new Response('<html>Please sign in.</html>'))
  const error = await errorOf(client.POST(orders, { ...order, idempotencyKey: 'my-key-0002' }))
  t.match(error, { name: 'AnswerError', idempotencyKey: 'my-key-0002' })
  answers.push(new Response(null, { status: 413, headers: { 'content-length': '0' } }))
  const refused = await client.POST(orders, order)
  t.match(refused.error, { status: 413 })
  t.type(refused.idempotencyKey, 'string')
})

t.test('a token that is refused twice is an answer and no loop', async (t) => {
  const { coop, client } = await start(t)
  await coop.fault({ on: 'readClient', status: 401, code: 'UNAUTHENTICATED' })
  const { error } = await client.GET('/v1/me')
  t.match(error, { status: 401, code: 'UNAUTHENTICATED' })
  t.equal((await coop.journal('readClient')).length, 2)
})

t.test('an address with /v1 is named, because it has no token endpoint', async (t) => {
  const { coop } = await start(t)
  const { clientId, clientSecret } = coop
  const client = createClient({ baseUrl: `${coop.url}/v1`, clientId, clientSecret })
  t.match(await errorOf(client.GET('/v1/me')), {
    name: 'TokenError',
    status: 401,
    message: /\(401\)\. Check baseUrl: it is the address of the service without \/v1\./,
  })
})

t.test('wrong credentials are named, and the secret is in no error', async (t) => {
  const { coop, client } = await start(t)
  const clientSecret = 'a-secret-that-is-wrong'
  const wrong = createClient({ baseUrl: coop.url, clientId: coop.clientId, clientSecret })
  const error = await errorOf(wrong.GET('/v1/me'))
  t.match(error, { name: 'TokenError', status: 401, code: 'invalid_client' })
  t.equal((await coop.journal('issueToken')).length, 1, 'a 401 is not repeated')
  await client.GET('/v1/me')
  for (const shown of [wrong, client, error].map((it) => inspect(it, { depth: 9 }))) {
    t.notMatch(shown, clientSecret)
    t.notMatch(shown, coop.clientSecret)
  }
})

t.test(
  'an order whose answer was lost is placed once, with a key that the client made',
  async (t) => {
    const { coop, client } = await start(t)
    await coop.fault({ on: 'placeSharePurchase', reset: 'after-commit', times: 2 })
    const { data, idempotencyKey } = await client.POST(orders, order)
    t.equal(data?.status, 'submitted')
    const sent = await coop.journal('placeSharePurchase')
    t.strictSame(
      sent.map(({ headers }) => headers['idempotency-key']),
      Array(3).fill(idempotencyKey),
    )
    t.equal((await coop.orders.list()).filter((it) => it.investor_id === ada).length, 1)
  },
)

t.test('your own key is sent, and a thrown error has it', async (t) => {
  const { coop, client } = await start(t)
  await coop.fault({ on: 'placeSharePurchase', reset: 'before' })
  const error = await errorOf(client.POST(orders, { ...order, idempotencyKey: 'my-key-0001' }))
  t.match(error, { name: 'ConnectionError', idempotencyKey: 'my-key-0001' })
  t.equal((await coop.journal('placeSharePurchase')).length, 3)
  await coop.faults.clear()
  const header = { 'Idempotency-Key': 'my-key-0001' }
  const params = { ...order.params, header }
  const { idempotencyKey } = await client.POST(orders, { ...order, params })
  t.equal(idempotencyKey, 'my-key-0001', 'a key in the headers is one, too')
})

t.test(
  '503 and a lost connection are repeated after 1 and 2 seconds, and not before',
  async (t) => {
    const { coop, client } = await start(t)
    await client.GET('/v1/me')
    await coop.fault({ on: 'listCooperatives', status: 503, times: 1 })
    await coop.fault({ on: 'listCooperatives', reset: 'mid-body', times: 1 })
    const began = performance.now()
    t.equal((await client.GET('/v1/cooperatives')).response.status, 200)
    t.ok(performance.now() - began >= 3000)
    t.equal((await coop.journal('listCooperatives')).length, 3)
  },
)

t.test('after three attempts the last answer is the result', async (t) => {
  const { coop, client } = await start(t)
  await coop.fault({ on: 'listCooperatives', status: 503, retryAfter: 1 })
  const { error } = await client.GET('/v1/cooperatives')
  t.match(error, { status: 503, code: 'SERVICE_UNAVAILABLE' })
  t.equal((await coop.journal('listCooperatives')).length, 3)
})

t.test('429 is repeated after Retry-After', async (t) => {
  const { coop, client } = await start(t)
  await coop.fault({ on: 'readClient', status: 429, retryAfter: 2, times: 1 })
  const began = performance.now()
  t.equal((await client.GET('/v1/me')).response.status, 200)
  t.ok(performance.now() - began >= 2000)
})

t.test('other errors are never repeated', async (t) => {
  const { coop, client } = await start(t)
  for (const [status, code] of [
    [409, 'IDEMPOTENCY_KEY_CONFLICT'],
    [404, 'MANAGED_INVESTOR_NOT_FOUND'],
    [422, 'VALIDATION_ERROR'],
  ] as const) {
    await coop.journal.clear()
    await coop.fault({ on: 'placeSharePurchase', status, code, times: 1 })
    const { error, idempotencyKey } = await client.POST(orders, order)
    t.match(error, { code })
    t.type(idempotencyKey, 'string')
    t.equal((await coop.journal('placeSharePurchase')).length, 1)
  }
})

t.test('an answer that asks for a longer wait than the call has is returned at once', async (t) => {
  const { coop, client } = await start(t)
  await coop.fault({ on: 'readClient', status: 503, retryAfter: 3600, times: 1 })
  const { response } = await client.GET('/v1/me')
  t.equal(response.headers.get('retry-after'), '3600')
})

t.test('a call ends when its time is over, or its signal is aborted', async (t) => {
  const { coop, client } = await start(t)
  await client.GET('/v1/me')
  await coop.fault({ on: 'placeSharePurchase', delay: '1h' })
  const late = await errorOf(
    client.POST(orders, { ...order, timeoutMs: 200, idempotencyKey: 'late-order-1' }),
  )
  t.match(late, { name: 'TimeoutError', idempotencyKey: 'late-order-1' })
  const controller = new AbortController()
  const call = client.POST(orders, { ...order, signal: controller.signal })
  controller.abort(new Error('the customer has left'))
  const aborted = await errorOf(call)
  t.match(aborted, { name: 'AbortError', cause: { message: 'the customer has left' } })
  t.equal((await errorOf(client.GET('/v1/me', { signal: controller.signal }))).name, 'AbortError')
})

t.test('pages gives all items of a list, and an error ends it', async (t) => {
  const coop = await startCoopshare({ now: '2026-11-20T10:00:00Z' })
  t.teardown(() => coop.close())
  const { url: baseUrl, clientId, clientSecret } = coop
  const client = createClient({ baseUrl, clientId, clientSecret })
  const names: string[] = []
  for await (const { name } of client.pages('/v1/cooperatives', { params: { query: { size: 5 } } }))
    names.push(name)
  const { data } = await client.GET('/v1/cooperatives', { params: { query: { size: 100 } } })
  t.strictSame(
    names,
    data?.items.map(({ name }) => name),
  )
  t.equal(new Set(names).size, data?.total_items)
  const params = { path: { investorId: ada } }
  const error = await errorOf(client.pages(orders, { params }).next())
  t.match(error, { name: 'ProblemError', status: 404, code: 'MANAGED_INVESTOR_NOT_FOUND' })
})

t.test('a webhook of the service is verified, also while its secret is replaced', async (t) => {
  const { coop, client } = await start(t)
  const received: Client.WebhookEvent[] = []
  const secrets: string[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    try {
      received.push(verifyWebhook({ body, headers: request.headers, secrets }))
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end()
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const receiver = await coop.webhooks({ organization: 'Neobank', to })
  secrets.push('whsec_not-this-one', receiver.secret)
  const { data } = await client.POST(orders, order)
  await coop.clock.advance('0s')
  const [event] = received
  t.equal(event?.type, 'share_purchase.submitted')
  if (event && isKnownWebhookEvent(event) && event.type === 'share_purchase.submitted')
    t.equal(event.data.share_purchase_id, data?.share_purchase_id)
})

t.test('the published vectors are accepted and refused for their reasons', async (t) => {
  for (const vector of listSignatureVectors()) {
    const verify = () =>
      verifyWebhook({
        body: vector.body,
        headers: new Headers({ 'X-Service-Webhook-Signature': vector.header }),
        secrets: [undefined, vector.secret],
        toleranceSeconds: vector.tolerance_seconds,
        now: new Date(vector.now * 1000),
      })
    if (vector.verdict === 'valid') t.doesNotThrow(verify, vector.name)
    // Without the body that was signed, an altered body looks like one signed with another secret.
    else if (vector.name === 'altered_body') t.throws(verify, { code: 'wrong_secret' })
    else t.throws(verify, { code: vector.reason }, vector.name)
  }
})

t.test('a parsed body and missing secrets are mistakes of the caller', async (t) => {
  const headers = { 'x-service-webhook-signature': 't=1,v1=00' }
  const body = { id: 'parsed' } as unknown as string
  t.throws(() => verifyWebhook({ body, headers, secrets: ['s'] }), /needs the raw body/)
  t.throws(() => verifyWebhook({ body: '{}', headers, secrets: [undefined] }), /signing secret/)
})
