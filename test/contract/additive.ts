import t from 'tap'
import { checkAnswer } from '../../fixtures/contract/check-answer.ts'
import { contractCheck } from '../../fixtures/contract/contract.ts'
import { createContractCheck } from '../../src/contract/check.ts'
import { documents, newestVersion } from '../../src/contract/documents.ts'

const published = createContractCheck(JSON.parse(documents[`${newestVersion}.json`]), {
  requiresRfc3339: true,
})

function fitsPublished(pointer: string, value: unknown): boolean {
  return faultsOf(pointer, value, published).length === 0
}

function faultsOf(pointer: string, value: unknown, check = contractCheck): readonly string[] {
  const place = pointer.split('/').map((key) => key.replaceAll('~1', '/'))
  return check.findFaults(place, value)
}

const at = '2026-03-31T07:30:00.000Z'
const holding = {
  id: '0197a1de-6c1e-7a4b-9d0e-2f1f1d6b7c10',
  investor_id: '0197a1de-6c1e-7a4b-9d0e-2f1f1d6b7c12',
  created_at: at,
  updated_at: at,
  cooperative_id: '0197a1de-6c1e-7a4b-9d0e-2f1f1d6b7c11',
  shares: 4,
  pending_shares: 0,
  first_acquired_at: at,
}

const forbidden = 'components/responses/Forbidden/content/application~1problem+json/schema'
const problem = {
  type: 'http://localhost/errors/forbidden',
  title: 'A title.',
  status: 403,
  detail: 'A sentence.',
  instance: '/v1/me',
  code: 'FORBIDDEN',
  trace_id: 'a',
}
const unknownCode = { ...problem, type: 'http://localhost/errors/too-young', code: 'TOO_YOUNG' }

const clientInfo = {
  client_id: holding.id,
  organization_id: holding.investor_id,
  token_scopes: [],
  granted_scopes: ['cooperatives:read'],
}

const invalidClient = 'paths/~1oauth2~1token/post/responses/401/content/application~1json/schema'
const oauthError = { error: 'invalid_client', error_description: 'A sentence.' }

const server = {
  issuer: 'http://localhost',
  token_endpoint: 'http://localhost/oauth2/token',
  jwks_uri: 'http://localhost/oauth2/jwks',
  scopes_supported: ['cooperatives:read'],
  response_types_supported: [],
  grant_types_supported: ['client_credentials'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
}
const laterServer = {
  ...server,
  scopes_supported: ['tax:read'],
  grant_types_supported: ['urn:ietf:params:oauth:grant-type:token-exchange'],
  token_endpoint_auth_methods_supported: ['private_key_jwt'],
}

const page = {
  items: [],
  page: 1,
  size: 20,
  total_items: 0,
  total_pages: 0,
  has_next: false,
  has_previous: false,
  sort: 'name_asc',
}

const contractAsJson = 'components/responses/ContractAsJson/content/application~1json/schema'
const document = { openapi: '3.1.0', info: {}, paths: {}, webhooks: {}, components: {} }

const growing: readonly (readonly [pointer: string, today: unknown, later: unknown])[] = [
  ['components/schemas/Holding', holding, { ...holding, certificate_url: null }],
  ['components/schemas/Liveness', { status: 'alive' }, { status: 'alive', since: at }],
  ['components/schemas/EventType', 'share_purchase.settled', 'share_purchase.paid'],
  ['components/schemas/ProblemCode', 'FORBIDDEN', 'TOO_YOUNG'],
  ['components/schemas/Problem', problem, unknownCode],
  ['components/schemas/Scope', 'portfolio:read', 'portfolio:write'],
  ['components/schemas/ClientInfo', clientInfo, { ...clientInfo, granted_scopes: ['tax:read'] }],
  ['components/schemas/OAuthError', oauthError, { ...oauthError, error: 'slow_down' }],
  [invalidClient, oauthError, { ...oauthError, error: 'unauthorized_client' }],
  ['components/schemas/AuthorizationServer', server, laterServer],
  ['components/schemas/CooperativePage', page, { ...page, sort: 'dividend_desc' }],
  [
    'components/headers/BearerChallenge/schema',
    'Bearer error="invalid_token"',
    'Bearer realm="coopshare", error="invalid_token", error_description="It has expired."',
  ],
  [contractAsJson, document, { ...document, openapi: '3.2.0' }],
]

t.test(
  'the published document allows new fields in answers, but our tests do not [D29]',
  async (t) => {
    for (const [pointer, today, later] of growing) {
      t.strictSame(faultsOf(pointer, today), [], pointer)
      t.ok(fitsPublished(pointer, later), pointer)
      t.not(faultsOf(pointer, later).length, 0, pointer)
    }
  },
)

t.test('an unknown code is accepted if other codes of its status are accepted [D29]', async (t) => {
  t.ok(fitsPublished(forbidden, problem))
  t.ok(fitsPublished(forbidden, unknownCode))
  const lacking = { ...problem, code: 'INSUFFICIENT_SCOPE' }
  t.notOk(fitsPublished(forbidden, lacking), 'required_scopes are still required')
})

function answerForbidden(body: object, challenge?: string): void {
  const headers = new Headers({
    'content-type': 'application/problem+json',
    'x-content-type-options': 'nosniff',
    'x-request-id': problem.trace_id,
    'cache-control': 'no-store',
    'ratelimit-limit': '600',
    'ratelimit-remaining': '599',
    'ratelimit-reset': '1',
    ...(challenge !== undefined && { 'www-authenticate': challenge }),
  })
  const text = JSON.stringify(body)
  checkAnswer({ method: 'GET', path: '/v1/cooperatives', status: 403, headers, text })
}

t.test('a missing scope has its challenge, and no other 403 has one', async (t) => {
  const lacking = {
    ...problem,
    type: 'http://localhost/errors/insufficient-scope',
    code: 'INSUFFICIENT_SCOPE',
    required_scopes: ['cooperatives:read'],
  }
  const challenge = 'Bearer error="insufficient_scope", scope="cooperatives:read"'
  const other = 'Bearer error="insufficient_scope", scope="projects:read"'
  t.doesNotThrow(() => answerForbidden(lacking, challenge))
  t.throws(() => answerForbidden(lacking), /WWW-Authenticate is null instead of Bearer/)
  t.throws(() => answerForbidden(lacking, other), /WWW-Authenticate is .*projects:read" instead of/)
  t.doesNotThrow(() => answerForbidden(problem))
  t.throws(() => answerForbidden(problem, challenge), /with FORBIDDEN/)
})

const signature = `v1=${'0'.repeat(64)}`

t.test('a webhook may also have signatures of later schemes', async (t) => {
  const pointer = 'components/parameters/WebhookSignature/schema'
  for (const [header, fits] of [
    [`t=1,${signature}`, true],
    [`t=1,${signature},v2=x`, true],
    [`t=1,v2=x,${signature}`, true],
    ['t=1,v2=x', false],
    [signature, false],
  ] as const) {
    t.equal(fitsPublished(pointer, header), fits, header)
  }
})

t.test('a request may have only the documented fields [D29]', async (t) => {
  const pointer = 'components/schemas/SepaMandateRequest'
  t.ok(fitsPublished(pointer, { signed_at: at }))
  t.notOk(fitsPublished(pointer, { signed_at: at, signed_by: 'Erika' }))
})

t.test('fields with the same meaning have the same schema', async (t) => {
  const wrong: readonly (readonly [pointer: string, value: unknown])[] = [
    ['components/schemas/Consent', { given: true, given_at: null }],
    ['components/schemas/Consent', { given: false, given_at: at }],
    ['components/schemas/Timestamp', '2026-03-31T09:30:00.000+02:00'],
    ['components/schemas/Timestamp', '2026-03-31T07:30:00Z'],
    ['components/schemas/Id', holding.id.toUpperCase()],
  ]
  for (const [pointer, value] of wrong) {
    t.notOk(fitsPublished(pointer, value), `${pointer} ${JSON.stringify(value)}`)
  }
  for (const name of ['Investor', 'Profile']) {
    for (const [complete, missing, agrees] of [
      [true, [], true],
      [true, ['email'], false],
      [false, ['email'], true],
      [false, [], false],
    ] as const) {
      const value = { is_profile_complete: complete, missing_profile_fields: missing }
      const faults = faultsOf(`components/schemas/${name}`, value)
      t.equal(faults.includes('/ must NOT be valid'), !agrees, `${name} ${complete} ${missing}`)
    }
  }
})
