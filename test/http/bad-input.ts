import fc from 'fast-check'
import t from 'tap'
import { completeProfile, completeProvision } from '../../fixtures/builders/investors.ts'
import { unlimited } from '../../fixtures/builders/rate-limits.ts'
import {
  collectionOf,
  createMarket,
  type Market,
  sharePurchaseBody,
} from '../../fixtures/world/market.ts'
import { basic, postForm } from '../../fixtures/world/token-request.ts'
import type { Answer } from '../../fixtures/world/world.ts'

const market = await createMarket({}, { app: { limits: unlimited } })
const { world } = market

interface Endpoint {
  readonly method: string
  readonly path: string
  /** A valid body, which the test makes invalid. */
  readonly good: object
}

async function endpointsOf(market: Market): Promise<readonly Endpoint[]> {
  const investor = `/v1/investors/${market.investorId}`
  return [
    { method: 'POST', path: '/v1/investors', good: completeProvision() },
    { method: 'PUT', path: `${investor}/profile`, good: completeProfile() },
    { method: 'POST', path: collectionOf(market), good: sharePurchaseBody(market) },
    { method: 'POST', path: `${collectionOf(market)}/${market.investorId}/cancel`, good: {} },
  ]
}

const endpoints = await endpointsOf(market)

function send({ method, path }: Endpoint, body: unknown, headers = {}): Promise<Answer> {
  return world.request(method, path, { token: world.partner.token, body, headers })
}

/** Whether the answer is one of the API, successful or not, and not a crash. */
function isAnswered({ status, body, headers }: Answer): boolean {
  if (status < 400) return true
  const isProblem = headers.get('content-type') === 'application/problem+json'
  return status < 500 && isProblem && typeof body.code === 'string'
}

const hostileKey = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'length')
const hostileValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(null, 0, -1, 1e308, Number.MAX_SAFE_INTEGER, '', ' ', '\u0000', '\ud800', [], {}),
  fc.dictionary(hostileKey, fc.jsonValue()),
)

/** Makes `good` with a replaced value at any depth or with an added hostile key. */
function mutated(good: object): fc.Arbitrary<unknown> {
  return fc
    .record({ path: fc.constantFrom(...pathsIn(good)), value: hostileValue, key: hostileKey })
    .map(({ path, value, key }) => {
      const copy: unknown = structuredClone(good)
      return replaceAt(copy, path.length > 0 ? path : [key], value)
    })
}

function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const below = Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))
  return [path, ...below]
}

function replaceAt(root: unknown, path: readonly string[], value: unknown): unknown {
  const [key = '', ...rest] = path
  const object = root as Record<string, unknown>
  const inner = rest.length === 0 ? value : replaceAt(object[key], rest, value)
  // defineProperty is needed, because an assignment to __proto__ would not create a key.
  return Object.defineProperty(object, key, { value: inner, enumerable: true })
}

for (const endpoint of endpoints) {
  const title = `${endpoint.method} ${endpoint.path.replace(market.investorId, 'ID')}`

  t.test(`random JSON never causes a 500: ${title}`, async (t) => {
    const body = fc.oneof(fc.jsonValue(), mutated(endpoint.good))
    const property = fc.asyncProperty(body, async (json) =>
      isAnswered(await send(endpoint, JSON.stringify(json))),
    )
    await t.resolves(fc.assert(property, { numRuns: 150 }))
  })

  t.test(`random bytes never cause a 500: ${title}`, async (t) => {
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) =>
      isAnswered(await send(endpoint, bytes)),
    )
    await t.resolves(fc.assert(property, { numRuns: 50 }))
  })
}

t.test('random forms and bytes at the token endpoint never cause a 500', async (t) => {
  const { clientId, clientSecret } = world.partner
  const names = fc.constantFrom('grant_type', 'scope', 'client_id', 'client_secret', '__proto__')
  const pairs = fc.array(fc.tuple(names, fc.string({ unit: 'binary' })), { maxLength: 5 })
  const form = pairs.map((each) => new URLSearchParams(each).toString())
  const body = fc.oneof(form, fc.uint8Array({ maxLength: 300 }), fc.string())
  const authorization = fc.oneof(
    fc.constant(basic(clientId, clientSecret).authorization),
    fc.base64String().map((text) => `Basic ${text}`),
    fc.stringMatching(/^[\x21-\x7e]{0,40}$/),
  )
  const property = fc.asyncProperty(body, authorization, async (sent, authorization) => {
    const answer = await postForm(world, sent, { headers: { authorization } })
    const isOAuth = typeof answer.body?.error === 'string' && !('code' in answer.body)
    return answer.status === 200 || (answer.status < 500 && isOAuth)
  })
  await t.resolves(fc.assert(property, { numRuns: 200 }))
})

t.test('random tokens and paths never cause a 500', async (t) => {
  const tokenParts = fc.array(
    fc.base64String().map((text) => text.replaceAll('=', '')),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  const claims = fc
    .jsonValue()
    .map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'))
  const token = fc.oneof(
    tokenParts.map((parts) => parts.join('.')),
    fc.tuple(claims, claims).map(([header, payload]) => `${header}.${payload}.AAAA`),
  )
  await t.resolves(
    fc.assert(
      fc.asyncProperty(token, async (text) => {
        const { status } = await world.request('GET', '/v1/me', { token: text })
        return status === 401
      }),
      { numRuns: 200 },
    ),
  )
  const segment = fc.oneof(fc.string(), fc.constantFrom('..', '%00', '%2e', '__proto__', '%zz'))
  await t.resolves(
    fc.assert(
      fc.asyncProperty(segment, segment, async (first, second) => {
        const clean = [first, second].map((part) => part.replace(/[\s#?\\]/g, ''))
        const path = `/v1/investors/${clean.join('/')}`
        return isAnswered(await world.request('GET', path, { token: world.partner.token }))
      }),
      { numRuns: 100 },
    ),
  )
})

t.test(
  'broken JSON, invalid UTF-8 and a wrong kind of body get 400 MALFORMED_REQUEST_BODY',
  async (t) => {
    for (const endpoint of endpoints) {
      for (const body of [
        '{',
        '{"a":1,}',
        "{'a':1}",
        'NaN',
        '\ufeff',
        Buffer.from([0x22, 0xff, 0x22]),
      ]) {
        const answer = await send(endpoint, body)
        t.equal(answer.status, 400, `${endpoint.path} ${body}`)
        t.equal(answer.body.code, 'MALFORMED_REQUEST_BODY')
      }
    }
  },
)

t.test('__proto__ is an unknown field and changes no prototype', async (t) => {
  for (const endpoint of endpoints) {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const text = JSON.stringify(endpoint.good)
      const separator = text === '{}' ? '' : ','
      const body = `{"${key}":{"polluted":true}${separator}${text.slice(1)}`
      const answer = await send(endpoint, body)
      t.equal(answer.body.code, 'MALFORMED_REQUEST_BODY', `${endpoint.path} ${key}`)
      t.match(answer.body.detail, key)
    }
  }
  t.equal(Reflect.get({}, 'polluted'), undefined)
})

t.test('a huge body gets 413 before it is read completely', async (t) => {
  for (const endpoint of endpoints) {
    const answer = await send(endpoint, JSON.stringify({ a: 'x'.repeat(64 * 1024) }))
    t.equal(answer.status, 413, endpoint.path)
    t.equal(answer.body.code, 'PAYLOAD_TOO_LARGE')
  }
})

t.test('deeply nested JSON is refused', async (t) => {
  for (const endpoint of endpoints) {
    const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    t.ok(isAnswered(await send(endpoint, nested)), endpoint.path)
    t.ok(isAnswered(await send(endpoint, `{"profile":${nested}}`)), endpoint.path)
  }
})

t.test('a request with a type other than application/json gets 415 [S-endpoints-3]', async (t) => {
  for (const endpoint of endpoints) {
    const statusOf = async (type: string) =>
      (await send(endpoint, endpoint.good, { 'content-type': type })).status
    for (const type of ['', 'text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
      t.equal(await statusOf(type), 415, `${endpoint.path} ${type}`)
    }
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON']) {
      t.not(await statusOf(type), 415, `${endpoint.path} ${type}`)
    }
  }
})

t.test('a body with a Content-Encoding other than identity gets 415', async (t) => {
  for (const endpoint of endpoints) {
    const encoded = (encoding: string) =>
      send(endpoint, endpoint.good, { 'content-encoding': encoding })
    for (const encoding of ['gzip', 'br', 'identity, gzip']) {
      const { status, body } = await encoded(encoding)
      t.equal(status, 415, `${endpoint.path} ${encoding}`)
      t.match(body, { code: 'UNSUPPORTED_MEDIA_TYPE', detail: /without Content-Encoding/ })
    }
    t.not((await encoded('Identity')).status, 415, endpoint.path)
  }
})
