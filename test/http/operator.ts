import type { H3 } from 'h3'
import t from 'tap'
import { copyEvents } from '../../fixtures/copy-events.ts'
import { countTurns } from '../../fixtures/count-turns.ts'
import { createMarket, placed } from '../../fixtures/market.ts'
import { createWorld, type World } from '../../fixtures/world.ts'
import { eventIdOf } from '../../src/domain/webhooks/event.ts'
import { createApp } from '../../src/http/app.ts'
import { createMetrics } from '../../src/http/metrics.ts'
import { createOperatorApp } from '../../src/http/operator.ts'
import { operatorProof } from '../../src/http/operator-proof.ts'
import { runOperation } from '../../src/operations/run-operation.ts'
import type { Service } from '../../src/usecases/service.ts'

const token = 'the-token-of-the-operator-endpoint'
const instanceId = 'b5c1d0f2-0000-4000-8000-000000000001'

const upkeep: Service['upkeep'] = {
  stats: () => ({
    journalBytes: 4711,
    snapshotBytes: 815,
    lastSyncMs: 2.5,
    compactionFailure: null,
    records: {},
  }),
  sharedWrites: () => ({ together: 4712, alone: 3 }),
  check: async () => ({ records: {}, tornBytes: 0, sealedValues: 0, problems: [] }),
  compact: async () => {},
  async *backup() {
    yield Buffer.from('all ')
    yield Buffer.from('of it')
  },
}

interface Operated {
  readonly world: World
  readonly operator: H3
  readonly partners: H3
}

/** A world whose partner API and operator endpoint share their metrics, as `serve` has it. */
async function createOperated(given?: World, metricsToken?: string): Promise<Operated> {
  const world = given ?? (await createWorld())
  const service = { ...world.service, upkeep }
  const { logger } = world
  const metrics = createMetrics(service)
  const options = {
    logger,
    metrics,
    token,
    metricsToken,
    instanceId,
    baseUrl: 'http://127.0.0.1:1',
  }
  return {
    world,
    operator: createOperatorApp(service, options),
    partners: createApp(service, { logger, observe: metrics.observe }),
  }
}

async function readJson(answer: Response): Promise<Record<string, unknown>> {
  return JSON.parse(await answer.text())
}

const authorization = `Bearer ${token}`

async function call({ operator }: Operated, name: string, body: unknown, headers = {}) {
  return operator.request(`/operations/${name}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

t.test('an operation takes and answers JSON', async (t) => {
  const operated = await createOperated()
  const answer = await call(operated, 'organization.create', { name: 'Dritte Bank' })
  t.equal(answer.status, 200)
  t.match(await answer.json(), { organization_id: String, name: 'Dritte Bank' })
})

t.test('a list comes whole, and others have their turn while a long one is written', async (t) => {
  const market = await createMarket()
  const operated = await createOperated(market.world)
  const { service } = market.world
  t.same(await (await call(operated, 'event.list', {})).json(), [])
  const eventId = eventIdOf(await placed(market), 'submitted')
  await copyEvents(service, eventId, { count: 2499 })
  const answer = await call(operated, 'event.list', {})
  t.match(answer.headers.get('content-type'), 'application/json')
  const turns = countTurns()
  const text = await answer.text()
  t.ok(turns.stop() >= 3, 'one for each thousand')
  const listed = await runOperation(service, 'event.list', {})
  t.equal(text, JSON.stringify(listed))
  t.match(listed, { length: 2500 })
})

t.test('what is counted of deliveries begins at 0, so that the first one is seen', async (t) => {
  const { operator } = await createOperated()
  const answer = await operator.request('/metrics', { headers: { authorization } })
  const text = await answer.text()
  for (const labels of [
    'attempts_total{kind="webhook",outcome="delivered"}',
    'attempts_total{kind="webhook",outcome="timeout"}',
    'attempts_total{kind="mail",outcome="mail_refused"}',
    'own_faults_total{kind="webhook"}',
    'own_faults_total{kind="mail"}',
  ]) {
    t.match(text, `\ncoopshare_delivery_${labels} 0\n`)
  }
  t.notMatch(text, 'kind="mail",outcome="redirect"')
})

t.test('refusals are problem details, as partners get them', async (t) => {
  const operated = await createOperated()
  const rows: [title: string, name: string, body: unknown, status: number, code: string][] = [
    ['not found', 'organization.show', { organization: 'x' }, 404, 'ORGANIZATION_NOT_FOUND'],
    ['a rule', 'organization.create', { name: 'demo bank' }, 409, 'NAME_TAKEN'],
    ['a missing field', 'organization.create', {}, 422, 'VALIDATION_ERROR'],
    ['an unknown field', 'organization.create', { nam: 'x' }, 422, 'VALIDATION_ERROR'],
    ['broken JSON', 'organization.create', '{', 400, 'MALFORMED_REQUEST_BODY'],
    ['an unknown operation', 'organization.delete', {}, 404, 'NOT_FOUND'],
    ['a name that every object has', 'constructor', {}, 404, 'NOT_FOUND'],
  ]
  for (const [title, name, body, status, code] of rows) {
    const answer = await call(operated, name, body)
    t.equal(answer.status, status, title)
    t.equal(answer.headers.get('content-type'), 'application/problem+json', title)
    t.match(await answer.json(), { status, code, trace_id: String }, title)
  }
  const answer = await call(operated, 'organization.create', { nam: 'x' })
  t.strictSame((await readJson(answer)).errors, { name: 'is required', nam: 'is unknown' })
})

t.test('only who holds the token may do anything', async (t) => {
  const operated = await createOperated()
  const { partner } = operated.world
  const rows: [title: string, headers: Record<string, string>][] = [
    ['no token', {}],
    ['another token', { authorization: 'Bearer another' }],
    ['the token and more', { authorization: `${authorization}x` }],
    ['another scheme', { authorization: `Basic ${token}` }],
    ["a partner's token", { authorization: `Bearer ${partner.token}` }],
  ]
  for (const [title, headers] of rows) {
    for (const path of ['/operations/organization.list', '/metrics', '/store/backup', '/none']) {
      const method = path.startsWith('/operations') ? 'POST' : 'GET'
      const answer = await operated.operator.request(path, { method, headers })
      t.equal(answer.status, 401, `${title}: ${path}`)
      t.equal((await readJson(answer)).code, 'UNAUTHENTICATED')
    }
  }
})

t.test(
  'GET /identity shows who does not know the token nothing, and proves that it is known',
  async (t) => {
    const { operator } = await createOperated()
    const prove = async (nonce: string) =>
      readJson(await operator.request(`/identity?nonce=${nonce}`))
    const [nonce, another] = ['0'.repeat(32), '1'.repeat(32)]
    const proof = operatorProof(token, { instanceId, nonce })
    t.strictSame(await prove(nonce), { instance_id: instanceId, proof })
    t.not((await prove(another)).proof, proof, 'an answer serves once')
    t.not(operatorProof('another token', { instanceId, nonce }), proof)
    for (const bad of ['', 'short', 'x'.repeat(32), '0'.repeat(129)]) {
      t.equal((await operator.request(`/identity?nonce=${bad}`)).status, 400, bad)
    }
  },
)

t.test('a command for another environment does nothing', async (t) => {
  const operated = await createOperated()
  const elsewhere = { 'coopshare-environment': 'production' }
  const refused = await call(operated, 'organization.create', { name: 'X' }, elsewhere)
  t.equal(refused.status, 409)
  t.equal((await readJson(refused)).code, 'ENVIRONMENT_MISMATCH')
  const here = { 'coopshare-environment': 'staging' }
  t.equal((await call(operated, 'organization.list', {}, here)).status, 200)
})

t.test('a backup is a stream of bytes', async (t) => {
  const { operator } = await createOperated()
  const answer = await operator.request('/store/backup', { headers: { authorization } })
  t.equal(answer.headers.get('content-type'), 'application/octet-stream')
  t.equal(await answer.text(), 'all of it')
})

t.test('GET /livez and GET /readyz need no token', async (t) => {
  const { operator, partners, world } = await createOperated()
  for (const app of [operator, partners]) {
    t.equal((await app.request('/livez')).status, 200)
    t.equal((await app.request('/readyz')).status, 200)
  }
  await world.service.store.close()
  for (const app of [operator, partners]) {
    t.equal((await app.request('/livez')).status, 200, 'alive')
    const answer = await app.request('/readyz')
    t.equal(answer.status, 503, 'but not ready')
    const problem = await readJson(answer)
    t.equal(problem.code, 'SERVICE_UNAVAILABLE')
    t.notMatch(problem.detail, 'closed')
  }
  const [line] = world.logger.lines
  t.match(line, { level: 'warn', fields: { error: { message: /closed/ } } }, 'the log says why')
})

t.test('a token for metrics opens nothing else', async (t) => {
  const { operator } = await createOperated(undefined, 'for-prometheus')
  const headers = { authorization: 'Bearer for-prometheus' }
  t.equal((await operator.request('/metrics', { headers })).status, 200)
  t.equal((await operator.request('/metrics', { headers: { authorization } })).status, 200)
  for (const [method, path] of [
    ['POST', '/operations/organization.list'],
    ['GET', '/store/backup'],
    ['GET', '/metrics/'],
    ['GET', '/none'],
  ] as const) {
    t.equal((await operator.request(path, { method, headers })).status, 401, path)
  }
})

t.test('GET /metrics tells requests by route and status, orders, and the store', async (t) => {
  const { operator, partners, world } = await createOperated()
  const headers = { authorization: `Bearer ${world.partner.token}` }
  await partners.request('/v1/me', { headers })
  await partners.request('/v1/investors/0198c0de-0000-7000-8000-000000000002', { headers })
  await partners.request('/nowhere/at-all')
  const answer = await operator.request('/metrics', { headers: { authorization } })
  t.match(answer.headers.get('content-type'), /^text\/plain/)
  const text = await answer.text()
  for (const line of [
    'coopshare_http_requests_total{method="GET",route="/v1/me",status="200"} 1',
    'coopshare_http_requests_total{method="GET",route="/v1/investors/:investorId",status="404"} 1',
    'coopshare_http_requests_total{method="GET",route="none",status="404"} 1',
    'coopshare_http_request_duration_seconds_count{method="GET",route="/v1/me"} 1',
    'coopshare_share_purchases{status="submitted"} 0',
    'coopshare_store_bytes{file="journal"} 4711',
    'coopshare_store_bytes{file="snapshot"} 815',
    'coopshare_store_last_sync_seconds 0.0025',
    'coopshare_store_shared_writes_total{done="together"} 4712',
    'coopshare_store_shared_writes_total{done="alone"} 3',
  ]) {
    t.ok(text.includes(line), line)
  }
  t.match(text, /^nodejs_eventloop_lag_seconds /m)
  t.notMatch(text, '0198c0de', 'no path, which would name people')
})
