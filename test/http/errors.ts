import t from 'tap'
import {
  companySections,
  completeProfile,
  completeProvision,
} from '../../fixtures/builders/investors.ts'
import { contract } from '../../fixtures/contract/contract.ts'
import {
  collectionOf,
  createMarket,
  get,
  type Market,
  place,
  placeAccepted,
  provision,
} from '../../fixtures/world/market.ts'
import { type Answer, createWorld, type World } from '../../fixtures/world/world.ts'
import type { Schema } from '../../src/contract/document.ts'
import type { ProblemCode } from '../../src/domain/problem-code.ts'
import { createClient } from '../../src/usecases/oauth/clients.ts'
import { issueTestToken } from '../../src/usecases/oauth/issue-token.ts'

type OperatorsOnly =
  | 'ORGANIZATION_NOT_FOUND'
  | 'CLIENT_NOT_FOUND'
  | 'OPERATOR_NOT_FOUND'
  | 'CLIENT_SECRET_NOT_FOUND'
  | 'SIGNING_KEY_NOT_FOUND'
  | 'NAME_TAKEN'
  | 'ORGANIZATION_NOT_EMPTY'
  | 'SECRET_LIMIT_REACHED'
  | 'LAST_SECRET'
  | 'INVESTOR_NOT_FOUND'
  | 'INVESTOR_HAS_OPEN_ORDERS'
  | 'INVESTOR_IS_MEMBER'
  | 'PAYMENT_NOT_FOUND'
  | 'PAYMENT_ILLEGAL_STATE'
  | 'PAYMENT_OUTSTANDING'
  | 'PAYMENT_UNDER_WAY'
  | 'PAYMENT_RECEIVED'
  | 'COLLECTION_NOT_FOUND'
  | 'COLLECTION_ILLEGAL_STATE'
  | 'STATEMENT_NOT_FOUND'
  | 'STATEMENT_REFUSED'
  | 'CLIENT_DISABLED'
  | 'WEBHOOK_ENDPOINT_NOT_FOUND'
  | 'WEBHOOK_URL_REFUSED'
  | 'ENDPOINT_LIMIT_REACHED'
  | 'EVENT_NOT_PENDING'
  | 'EVENT_NOT_FOUND'
  | 'ENVIRONMENT_MISMATCH'
  | 'TESTING_AID_IN_PRODUCTION'
  | 'STORE_NOT_EMPTY'
  | 'STORE_DAMAGED'
  | 'STORE_NEWER'
  | 'STORE_LOCKED'
  | 'STORE_NOT_FOUND'
  | 'DATA_DIRECTORY_NOT_PRIVATE'
  | 'STORE_MOVED'
  | 'LISTENER_RUNNING'
  | 'ENCRYPTION_KEY_REFUSED'
  | 'NOT_FOR_DATABASES'
  | 'BENCH_OFF'
  | 'FAULT_NOT_FOUND'
  | 'CLOCK_BACKWARDS'
  | 'CLOCK_BUSY'
  | 'AWAIT_TIMEOUT'

// No request gets this refusal, because an earlier check finds incomplete data first. A test of the
// use case covers it.
type Unreachable = 'PURCHASE_DEFAULTS_UNAVAILABLE'

type Row = readonly [status: number, code: string, ask: (market: Market) => Promise<Answer>]

const unknownId = '0b8f0b5c-6d0c-4b8e-9a55-0c3f5f5d2f11'

function post({ world }: Market, path: string, body?: unknown): Promise<Answer> {
  return world.request('POST', path, { token: world.partner.token, body })
}

async function internalToken({ service }: World): Promise<string> {
  const { client } = await createClient(service, { organization: 'Demo Bank', kind: 'internal' })
  return (await issueTestToken(service, client.clientId)).accessToken
}

const rows: Readonly<Record<Exclude<ProblemCode, OperatorsOnly | Unreachable>, Row>> = {
  INVALID_PARAMETER: [
    400,
    'VALIDATION_ERROR',
    (market) => get(market, '/v1/cooperatives?sort=random'),
  ],
  MALFORMED_REQUEST_BODY: [
    400,
    'MALFORMED_REQUEST_BODY',
    (market) => post(market, '/v1/investors', { unknown: 1 }),
  ],
  UNAUTHENTICATED: [401, 'UNAUTHENTICATED', ({ world }) => world.request('GET', '/v1/me')],
  INSUFFICIENT_SCOPE: [
    403,
    'INSUFFICIENT_SCOPE',
    async (market) =>
      get(market, '/v1/cooperatives', await market.world.tokenWith('investors:read')),
  ],
  FORBIDDEN: [
    403,
    'FORBIDDEN',
    async (market) => get(market, '/v1/me', await internalToken(market.world)),
  ],
  NOT_FOUND: [404, 'NOT_FOUND', (market) => get(market, '/v1/projects')],
  COOPERATIVE_NOT_FOUND: [
    404,
    'COOPERATIVE_NOT_FOUND',
    (market) => get(market, `/v1/cooperatives/${unknownId}`),
  ],
  MANAGED_INVESTOR_NOT_FOUND: [
    404,
    'MANAGED_INVESTOR_NOT_FOUND',
    (market) => get(market, `/v1/investors/${unknownId}`),
  ],
  SHARE_PURCHASE_NOT_FOUND: [
    404,
    'SHARE_PURCHASE_NOT_FOUND',
    (market) => get(market, `${collectionOf(market)}/${unknownId}`),
  ],
  METHOD_NOT_ALLOWED: [405, 'METHOD_NOT_ALLOWED', (market) => post(market, '/v1/me')],
  INVESTOR_PROFILE_INCOMPLETE: [
    409,
    'INVESTOR_PROFILE_INCOMPLETE',
    async (market) => {
      const bare = { partner_customer_ref: 'bare', profile: undefined }
      return place(market, {}, { investorId: await provision(market.world, bare) })
    },
  ],
  SHARE_PURCHASE_ILLEGAL_STATE: [
    409,
    'SHARE_PURCHASE_ILLEGAL_STATE',
    async (market) => {
      const path = `${collectionOf(market)}/${await placeAccepted(market)}/cancel`
      await post(market, path)
      return post(market, path)
    },
  ],
  IDEMPOTENCY_KEY_CONFLICT: [
    409,
    'IDEMPOTENCY_KEY_CONFLICT',
    async (market) => {
      const headers = { 'idempotency-key': 'key-1' }
      await place(market, {}, { headers })
      return place(market, { share_count: 6 }, { headers })
    },
  ],
  MANAGED_INVESTOR_PROFILE_CONFLICT: [
    409,
    'MANAGED_INVESTOR_PROFILE_CONFLICT',
    (market) => {
      const profile = completeProfile({ first_name: 'Other' })
      return post(market, '/v1/investors', completeProvision({ profile }))
    },
  ],
  PAYLOAD_TOO_LARGE: [
    413,
    'PAYLOAD_TOO_LARGE',
    (market) => post(market, '/v1/investors', ' '.repeat(64 * 1024 + 1)),
  ],
  UNSUPPORTED_MEDIA_TYPE: [
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    ({ world }) =>
      world.request('POST', '/v1/investors', {
        token: world.partner.token,
        body: 'partner_customer_ref=a',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
  ],
  VALIDATION_ERROR: [422, 'VALIDATION_ERROR', (market) => place(market, { share_count: 0 })],
  REPRESENTATION_CONSENT_REQUIRES_COMPANY: [
    422,
    'REPRESENTATION_CONSENT_REQUIRES_COMPANY',
    ({ world, investorId }) =>
      world.request('PUT', `/v1/investors/${investorId}/profile`, {
        token: world.partner.token,
        body: completeProfile({ consents: companySections().consents }),
      }),
  ],
  RATE_LIMITED: [
    429,
    'RATE_LIMITED',
    async (market) => {
      for (let spent = 0; spent < 600; spent++) await get(market, '/v1/me')
      return get(market, '/v1/me')
    },
  ],
  SERVICE_UNAVAILABLE: [
    503,
    'SERVICE_UNAVAILABLE',
    async (market) => {
      await market.world.service.store.close()
      return place(market)
    },
  ],
}

const optionalMembers: Readonly<Record<string, readonly string[]>> = {
  VALIDATION_ERROR: ['errors'],
  REPRESENTATION_CONSENT_REQUIRES_COMPANY: ['errors'],
  INSUFFICIENT_SCOPE: ['required_scopes'],
}
const members = ['type', 'title', 'status', 'detail', 'instance', 'code', 'trace_id']

t.test('every refusal is an RFC 9457 problem document [S-endpoints-4] [D20]', async (t) => {
  for (const [name, [status, code, ask]] of Object.entries(rows)) {
    const answer = await ask(await createMarket())
    const { headers, body } = answer
    const slug = code.toLowerCase().replaceAll('_', '-')
    t.equal(answer.status, status, name)
    t.equal(headers.get('content-type'), 'application/problem+json', name)
    t.match(body, { status, code, type: `https://partner-api.example/errors/${slug}` }, name)
    t.match(body.instance, /^\/v1\/[\w/-]+$/, name)
    t.equal(body.trace_id, headers.get('x-request-id'), name)
    t.ok(body.title.length > 10 && body.detail.length > 10, name)
    t.strictSame(Object.keys(body), [...members, ...(optionalMembers[name] ?? [])], name)
    t.equal(headers.get('cache-control'), 'no-store', name)
  }
})

t.test('the contract has exactly these codes', async (t) => {
  const codes = [...Object.values(rows).map(([, code]) => code), 'PURCHASE_DEFAULTS_UNAVAILABLE']
  const documented = contract.components.schemas['ProblemCode'] as Schema
  t.strictSame(documented['x-extensible-enum']?.toSorted(), [...new Set(codes)].sort())
})

t.test(
  'a 500 has no code and no internal details, which are only in the log [S-errors-5]',
  async (t) => {
    const broken = { lookUp: () => Promise.reject(new Error('inside 4711')) }
    const world = await createWorld({ bankDirectory: broken })
    const { token } = world.partner
    const { status, headers, body, text } = await world.request('POST', '/v1/investors', {
      token,
      body: completeProvision(),
    })
    t.equal(status, 500)
    t.equal(headers.get('content-type'), 'application/problem+json')
    t.equal(body.type, 'https://partner-api.example/errors/internal-server-error')
    t.strictSame(
      Object.keys(body),
      members.filter((member) => member !== 'code'),
    )
    t.notMatch(text, '4711')
    const [line] = world.logger.lines
    t.match(line, { level: 'error', fields: { requestId: body.trace_id } })
    t.match(line?.fields['error'], { message: 'inside 4711', stack: /errors\.[jt]s/ })
  },
)

t.test(
  'an unknown path gets 404 NOT_FOUND and a wrong method 405 METHOD_NOT_ALLOWED [D20]',
  async (t) => {
    const world = await createWorld()
    const { token } = world.partner
    for (const [method, path, status, allow] of [
      ['GET', '/', 404, null],
      ['GET', '/nothing-here', 404, null],
      ['GET', '/v1', 404, null],
      ['POST', '/v1/me', 405, 'GET, HEAD'],
      ['PATCH', `/v1/investors/${unknownId}/profile`, 405, 'PUT'],
      ['DELETE', '/v1/investors', 405, 'GET, HEAD, POST'],
      ['GET', '/oauth2/token', 405, 'POST'],
      ['HEAD', '/oauth2/token', 405, 'POST'],
      ['POST', '/oauth2/jwks', 405, 'GET, HEAD'],
      ['DELETE', '/livez', 405, 'GET, HEAD'],
    ] as const) {
      const { status: answered, headers, body } = await world.request(method, path, { token })
      t.equal(answered, status, `${method} ${path}`)
      t.equal(headers.get('allow'), allow, `${method} ${path}`)
      t.equal(headers.get('content-type'), 'application/problem+json', `${method} ${path}`)
      if (method !== 'HEAD') t.equal(body.instance, path)
    }
    const unknown = await world.request('GET', '/v1/nothing-here')
    t.equal(unknown.status, 401, 'only partners learn which paths exist below /v1')
  },
)
