import type { H3 } from 'h3'
import t from 'tap'
import { countTurns, until } from '../../fixtures/async.ts'
import {
  type CheckedApp,
  checkedOperatorApp,
} from '../../fixtures/contract/check-operator-answer.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { openOperatorApp } from '../../fixtures/world/console.ts'
import { createMarket, placeAccepted } from '../../fixtures/world/market.ts'
import { copyEvents } from '../../fixtures/world/seed-events.ts'
import { createWorld, type World } from '../../fixtures/world/world.ts'
import { Problem } from '../../src/domain/problem.ts'
import { deriveEventId } from '../../src/domain/webhooks/event.ts'
import { createApp } from '../../src/http/app.ts'
import {
  digestOf,
  operatorProof,
  renderSigned,
  signatureOf,
  verifyResponse,
} from '../../src/http/operator-signature.ts'
import { createMetrics } from '../../src/http/request-metrics.ts'
import { runOperation } from '../../src/operations/operations.ts'
import type { Service } from '../../src/usecases/service.ts'

const token = 'the-token-of-the-operator-endpoint'
const instanceId = 'b5c1d0f2-0000-4000-8000-000000000001'

const storeAdmin: Service['storeAdmin'] = {
  requireOwnFiles: async () => undefined,
  stats: () => ({
    journalBytes: 4711,
    snapshotBytes: 815,
    lastSyncMs: 2.5,
    sinceSyncMs: 1000,
    compactionFailure: null,
    records: {},
  }),
  check: async () => ({
    records: {},
    tornBytes: 0,
    encryptedValues: 0,
    problems: [],
    moved: null,
    isRekeying: false,
  }),
  compact: async () => {},
  remember: async () => async () => {},
  rekey: async () => ({ renewed: 0, damaged: [], isResumed: false, isOwn: true }),
  resumeRekey: async () => undefined,
  lastRekey: undefined,
  async *backup() {
    yield Buffer.from('all ')
    yield Buffer.from('of it')
  },
}

interface Operated {
  readonly world: World
  readonly operator: CheckedApp
  /** Its answers are not checked, because a check would read them. */
  readonly unread: H3
  readonly partners: H3
}

/** Creates a world whose partner API and operator endpoint share metrics, as in `serve`. */
async function createOperated(
  given?: World,
  metricsToken?: string,
  instance = instanceId,
  backup = storeAdmin.backup,
): Promise<Operated> {
  const world = given ?? (await createWorld())
  const service = { ...world.service, storeAdmin: { ...storeAdmin, backup } }
  const { logger } = world
  const metrics = createMetrics(service)
  const options = {
    logger,
    metrics,
    token,
    metricsToken,
    instanceId: instance,
    baseUrl: 'http://127.0.0.1:1',
    names: ['proxy.example', 'ops.example:443'],
    observe: metrics.observeOperation,
  }
  const app = openOperatorApp(service, options)
  return {
    world,
    operator: checkedOperatorApp(app),
    unread: app,
    partners: createApp(service, { logger, observe: metrics.observe }),
  }
}

async function readJson(answer: Response): Promise<Record<string, unknown>> {
  return JSON.parse(await answer.text())
}

const authorization = `Bearer ${token}`

async function call(
  { operator }: Pick<Operated, 'operator'>,
  name: string,
  body: unknown,
  headers = {},
) {
  return operator.request(`/operations/${name}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

t.test('an operation accepts JSON and answers with JSON', async (t) => {
  const operated = await createOperated()
  const answer = await call(operated, 'organization.create', { name: 'Dritte Bank' })
  t.equal(answer.status, 200)
  t.match(await answer.json(), { organization_id: String, name: 'Dritte Bank' })
})

t.test('a list arrives complete, and other requests are served meanwhile', async (t) => {
  const market = await createMarket()
  const operated = await createOperated(market.world)
  const { service } = market.world
  t.same(await (await call(operated, 'event.list', {})).json(), [])
  const eventId = deriveEventId(await placeAccepted(market), 'submitted')
  await copyEvents(service, eventId, { count: 2499 })
  const answer = await call({ operator: operated.unread }, 'event.list', {})
  t.match(answer.headers.get('content-type'), 'application/json')
  const turns = countTurns()
  const text = await answer.text()
  t.ok(turns.stop() >= 3, 'one answer for each thousand entries')
  const listed = await runOperation(service, 'event.list', {})
  t.equal(JSON.stringify(JSON.parse(text)), JSON.stringify(listed))
  t.match(listed, { length: 2500 })
})

t.test('counters of deliveries begin at 0', async (t) => {
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

t.test('refusals are problem documents, as for partners', async (t) => {
  const operated = await createOperated()
  const rows: [title: string, name: string, body: unknown, status: number, code: string][] = [
    ['not found', 'organization.show', { organization: 'x' }, 404, 'ORGANIZATION_NOT_FOUND'],
    ['a rule', 'organization.create', { name: 'demo bank' }, 409, 'NAME_TAKEN'],
    ['a missing field', 'organization.create', {}, 422, 'VALIDATION_ERROR'],
    ['an unknown field', 'organization.create', { nam: 'x' }, 422, 'VALIDATION_ERROR'],
    ['broken JSON', 'organization.create', '{', 400, 'MALFORMED_REQUEST_BODY'],
    ['an unknown operation', 'organization.forget', {}, 404, 'NOT_FOUND'],
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

t.test('every request without the token is refused', async (t) => {
  const operated = await createOperated()
  const { partner } = operated.world
  const rows: [title: string, headers: Record<string, string>][] = [
    ['no token', {}],
    ['another token', { authorization: 'Bearer another' }],
    ['the token with additional characters', { authorization: `${authorization}x` }],
    ['another scheme', { authorization: `Basic ${token}` }],
    ["a partner's token", { authorization: `Bearer ${partner.token}` }],
  ]
  for (const [index, [title, headers]] of rows.entries()) {
    // Each request has another address, because many requests from one address would get 429.
    const context = { clientAddress: `203.0.113.${index}` }
    for (const path of ['/operations/organization.list', '/metrics', '/store/backup', '/none']) {
      const method = path.startsWith('/operations') ? 'POST' : 'GET'
      const answer = await operated.operator.request(path, { method, headers }, context)
      t.equal(answer.status, 401, `${title}: ${path}`)
      t.equal((await readJson(answer)).code, 'UNAUTHENTICATED')
    }
  }
})

t.test(
  'GET /identity proves that the service knows the token, and reveals nothing without the token',
  async (t) => {
    const { operator } = await createOperated()
    const prove = async (nonce: string) =>
      readJson(await operator.request(`/identity?nonce=${nonce}`))
    const [nonce, another] = ['0'.repeat(32), '1'.repeat(32)]
    const { time, ...proven } = await prove(nonce)
    const challenge = { instanceId, time: Number(time), nonce }
    const proof = operatorProof(token, challenge)
    t.strictSame(proven, { instance_id: instanceId, proof })
    t.not((await prove(another)).proof, proof, 'a proof is valid only for one request')
    t.not(operatorProof('another token', challenge), proof)
    t.not(operatorProof(token, { ...challenge, time: challenge.time + 1 }), proof)
    for (const bad of ['', 'short', 'x'.repeat(32), '0'.repeat(129)]) {
      t.equal((await operator.request(`/identity?nonce=${bad}`)).status, 400, bad)
    }
  },
)

interface Signing {
  readonly time?: number
  readonly authority?: string
  readonly nonce?: string
  readonly keyedBy?: string
  /** The signed body, if it differs from the sent body. */
  readonly signedBody?: string
}

const creation = { name: 'Signed Bank' }
let signed = 0

/** Signs a request as a command that creates an organization does. */
function signCreation({ world }: Operated, signing: Signing = {}) {
  const body = JSON.stringify(creation)
  signed += 1
  const nonce = signing.nonce ?? String(signed).padStart(32, '0')
  const { time = Math.floor(world.clock.stopwatchMs()), authority = '127.0.0.1:1' } = signing
  const request = {
    instanceId,
    time,
    authority,
    nonce,
    digest: digestOf(signing.signedBody ?? body),
  }
  const whole = { ...request, method: 'POST', path: '/operations/organization.create' }
  const signature = signatureOf(signing.keyedBy ?? token, { ...whole, environment: 'staging' })
  const headers = {
    authorization: renderSigned({ request, signature }),
    'coopshare-environment': 'staging',
  }
  return { signature, init: { method: 'POST', headers, body } }
}

type SignedCreation = ReturnType<typeof signCreation>

async function send({ operator }: Operated, { signature, init }: SignedCreation) {
  const answer = await operator.request('/operations/organization.create', init)
  const { status } = answer
  const isSigned = answer.headers.get('content-type') === 'application/vnd.coopshare.signed'
  const chunks: Uint8Array[] = []
  const bytes = answer.body ?? []
  const content = isSigned
    ? verifyResponse({ key: token, signature, status }, bytes as never)
    : bytes
  for await (const chunk of content as AsyncIterable<Uint8Array>) chunks.push(chunk)
  return { status, isSigned, body: JSON.parse(Buffer.concat(chunks).toString()) }
}

t.test(
  'a signed request is valid once, for a minute and for one start of the service [D40]',
  async (t) => {
    const operated = await createOperated()
    const { clock } = operated.world
    const first = signCreation(operated)
    t.match(await send(operated, first), { status: 200, isSigned: true, body: creation })
    t.match(await send(operated, first), { status: 401, body: { detail: /sent before/ } }, 'again')
    const early = signCreation(operated)
    const late = signCreation(operated)
    clock.advance(60)
    t.match(await send(operated, early), { status: 409, body: { code: 'NAME_TAKEN' } }, 'in time')
    t.match(await send(operated, early), { status: 401, body: { detail: /sent before/ } })
    clock.advance(1)
    t.match(await send(operated, late), { status: 503, body: { detail: /too late/ } })
    t.match(
      await send(operated, first),
      { status: 503 },
      'an accepted request is refused the second time',
    )
    const ahead = signCreation(operated, { time: Math.floor(clock.stopwatchMs()) + 1000 })
    t.match(await send(operated, ahead), { status: 503 }, 'a request with a future time')
    const other = await createOperated(operated.world, undefined, 'another-start')
    const detail = /signed for another instance/
    t.match(await send(other, signCreation(operated)), { status: 503, body: { detail } })
  },
)

t.test('a signed request is valid only for its address and its body [D40]', async (t) => {
  const operated = await createOperated()
  for (const authority of [
    '127.0.0.1:1',
    'localhost:1',
    '[::1]:1',
    'proxy.example:1',
    'ops.example:443',
  ]) {
    const { status } = await send(operated, signCreation(operated, { authority }))
    t.not(status, 403, authority)
  }
  for (const authority of ['127.0.0.1:2', 'evil.example:1', '203.0.113.1:1', 'proxy.example:443']) {
    const refused = await send(operated, signCreation(operated, { authority }))
    t.match(refused, { status: 403, isSigned: true, body: { code: 'FORBIDDEN' } }, authority)
  }
  const altered = await send(operated, signCreation(operated, { signedBody: '{}' }))
  t.match(altered, {
    status: 401,
    isSigned: true,
    body: { detail: /does not match the signature/ },
  })
})

t.test('a request that is signed with another token is refused without details', async (t) => {
  const operated = await createOperated()
  const good = signCreation(operated)
  const { authorization } = good.init.headers
  const wrong = [
    signCreation(operated, { keyedBy: 'another token' }).init.headers.authorization,
    authorization.replace(/signature="[^"]*"/, 'signature=""'),
    authorization.replace(/, signature=.*/, ''),
    authorization.replace(/nonce="\d+"/, 'nonce="1"'),
    'Coopshare-Signature ',
  ]
  for (const given of wrong) {
    const init = { ...good.init, headers: { ...good.init.headers, authorization: given } }
    const refused = await send(operated, { ...good, init })
    t.match(refused, { status: 401, isSigned: false, body: { code: 'UNAUTHENTICATED' } }, given)
  }
  t.equal((await send(operated, good)).status, 200, 'no refused request has used up the nonce')
})

t.test('a command for another environment does nothing [D42]', async (t) => {
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

t.test(
  'a backup that cannot start is a problem, and the log says why another one was cut off',
  async (t) => {
    const read = async (backup: Service['storeAdmin']['backup']) => {
      const { unread, world } = await createOperated(undefined, undefined, undefined, backup)
      const answer = await unread.request('/store/backup', { headers: { authorization } })
      const whole = await answer.text().catch((error: Error) => error)
      return { status: answer.status, whole, lines: world.logger.lines }
    }
    // biome-ignore lint/correctness/useYield: it fails before its first chunk.
    const refused = await read(async function* () {
      throw new Problem('SERVICE_UNAVAILABLE', 'The store cannot be reached.')
    })
    t.match(refused, { status: 503, whole: 'SERVICE_UNAVAILABLE' })
    const error = new Error('The disk is broken.')
    const cut = await read(async function* () {
      yield Buffer.from('all ')
      throw error
    })
    t.match(cut, { status: 200, whole: error })
    const fields = { requestId: String, error }
    t.match(cut.lines, exactArrays([{ level: 'error', message: 'An answer was cut off.', fields }]))
  },
)

t.test('a backup that nobody reads is closed', async (t) => {
  let open = 0
  const backup = async function* () {
    open += 1
    try {
      yield Buffer.from('all ')
      yield Buffer.from('of it')
    } finally {
      open -= 1
    }
  }
  const { unread } = await createOperated(undefined, undefined, undefined, backup)
  const headers = { authorization }
  await unread.request('/store/backup', { method: 'HEAD', headers })
  await until(t, async () => open === 0)
  const abort = new AbortController()
  await unread.request('/store/backup', { headers, signal: abort.signal })
  t.equal(open, 1)
  abort.abort()
  await until(t, async () => open === 0)
})

t.test('a path has the same role, however it is spelled', async (t) => {
  const operated = await createOperated()
  const minted = await call(operated, 'operator.create', { name: 'Vera', role: 'viewer' })
  const headers = { authorization: `Bearer ${(await readJson(minted))['token']}` }
  for (const path of ['/store/backup', '/store/backup/', '/store//backup', '/%73%74ore/backup']) {
    const { status } = await operated.unread.request(path, { headers })
    t.ok([403, 404].includes(status), `${path}: ${status}`)
  }
  for (const path of ['/bench/reset', '/bench/reset/', '/bench//reset', '/%62%65nch/reset']) {
    const { status } = await operated.unread.request(path, { method: 'POST', headers })
    t.ok([403, 404].includes(status), `${path}: ${status}`)
  }
})

t.test('only a change that the operator may make can have a large body', async (t) => {
  const operated = await createOperated()
  const minted = await call(operated, 'operator.create', { name: 'Vera', role: 'viewer' })
  const viewer = `Bearer ${(await readJson(minted))['token']}`
  const body = JSON.stringify({ organizations: [], padding: 'x'.repeat(2 * 1024 * 1024) })
  const rows: readonly [operation: string, token: string, status: number, code: string][] = [
    ['organization.list', viewer, 413, 'PAYLOAD_TOO_LARGE'],
    ['organization.list', authorization, 413, 'PAYLOAD_TOO_LARGE'],
    ['no.such', viewer, 413, 'PAYLOAD_TOO_LARGE'],
    ['fixtures.apply', viewer, 403, 'FORBIDDEN'],
    ['fixtures.apply', authorization, 422, 'VALIDATION_ERROR'],
  ]
  for (const [operation, token, status, code] of rows) {
    const headers = { authorization: token, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body }
    const answer = await operated.unread.request(`/operations/${operation}`, init)
    t.equal(answer.status, status, operation)
    t.match(await readJson(answer), { code })
  }
  const entries = await readJson(await call(operated, 'audit.list', { refused: true }))
  const refused = [
    { operation: 'fixtures.apply', actor: { name: 'local' }, code: 'VALIDATION_ERROR' },
    { operation: 'fixtures.apply', actor: { name: 'Vera' }, code: 'FORBIDDEN' },
  ]
  t.match(entries, exactArrays(refused))
})

t.test('a path that begins with two slashes needs the token', async (t) => {
  const { unread } = await createOperated()
  for (const path of ['//', '//metrics', '//store/backup', '//orders', '///']) {
    t.equal((await unread.request(path)).status, 401, path)
    const known = await unread.request(path, { headers: { authorization } })
    t.equal(known.status, 404, `${path} with the token`)
  }
  const listed = await unread.request('//operations/organization.list', { method: 'POST' })
  t.equal(listed.status, 401)
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
    t.equal(answer.status, 503, 'the service is not ready')
    const problem = await readJson(answer)
    t.equal(problem.code, 'SERVICE_UNAVAILABLE')
    t.notMatch(problem.detail, 'closed')
  }
  const [line] = world.logger.lines
  t.match(line, { level: 'warn', fields: { error: { message: /closed/ } } }, 'the log says why')
})

t.test('the metrics token gives access to nothing else', async (t) => {
  const { operator } = await createOperated(undefined, 'for-prometheus')
  const headers = { authorization: 'Bearer for-prometheus' }
  t.equal((await operator.request('/metrics', { headers })).status, 200)
  t.equal((await operator.request('/metrics', { headers: { authorization } })).status, 200)
  const wrong = await operator.request('/metrics', { headers: { authorization: 'Bearer wrong' } })
  t.match(await readJson(wrong), { detail: /^Send the metrics token or the operator token: / })
  for (const [method, path] of [
    ['POST', '/operations/organization.list'],
    ['GET', '/store/backup'],
    ['GET', '/metrics/'],
    ['GET', '/none'],
  ] as const) {
    t.equal((await operator.request(path, { method, headers })).status, 401, path)
  }
})

t.test('GET /metrics counts operations, and requests by organization', async (t) => {
  const operated = await createOperated()
  const { operator, partners, world } = operated
  const counts = async (name: string) => {
    const answer = await operator.request('/metrics', { headers: { authorization } })
    const lines = (await answer.text()).split('\n').filter((line) => line.startsWith(name))
    return lines.sort()
  }
  await call(operated, 'organization.list', {})
  await call(operated, 'organization.show', { organization: 'Nobody' })
  await call(operated, 'none', {})
  t.strictSame(await counts('coopshare_operator_operations_total'), [
    'coopshare_operator_operations_total{operation="organization.list",outcome="done"} 1',
    'coopshare_operator_operations_total{operation="organization.show",outcome="refused"} 1',
  ])
  const headers = { authorization: `Bearer ${world.partner.token}` }
  await partners.request('/v1/me', { headers })
  await partners.request('/v1/investors/0198c0de-0000-7000-8000-000000000002', { headers })
  await partners.request('/v1/me')
  const organization = `organization_id="${world.partner.organizationId}"`
  t.strictSame(await counts('coopshare_organization_requests_total'), [
    `coopshare_organization_requests_total{${organization},outcome="done"} 1`,
    `coopshare_organization_requests_total{${organization},outcome="refused"} 1`,
  ])
})

t.test('GET /metrics counts requests by route and status, orders, and the store', async (t) => {
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
  ]) {
    t.ok(text.includes(line), line)
  }
  t.match(text, /^nodejs_eventloop_lag_seconds /m)
  t.notMatch(text, '0198c0de', 'paths are left out, because they would name people')
})

t.test(
  'wrong operator tokens are logged with their address, and then slowed down [D41]',
  async (t) => {
    const operated = await createOperated()
    const { world, operator } = operated
    const from = async (clientAddress: string, bearer = `${token}-not`) => {
      const headers = { authorization: `Bearer ${bearer}` }
      const answer = await operator.request('/metrics', { headers }, { clientAddress })
      return { status: answer.status, wait: answer.headers.get('retry-after') }
    }
    for (let time = 0; time < 10; time++) t.equal((await from('203.0.113.1')).status, 401)
    for (let time = 0; time < 100; time++) {
      t.strictSame(await from('203.0.113.1'), { status: 429, wait: '6' })
    }
    const told = world.logger.lines.filter(({ message }) => /operator token/.test(message))
    t.equal(told.length, 10, 'a refusal with 429 is not logged')
    t.match(told[0], { level: 'warn', fields: { address: '203.0.113.1', requestId: String } })
    t.notOk(JSON.stringify(world.logger.lines).includes(token))

    t.equal((await from('203.0.113.1', token)).status, 200, 'the valid token from the same address')
    t.equal((await from('203.0.113.2')).status, 401, 'another address')
    world.clock.advance(6)
    t.equal((await from('203.0.113.1')).status, 401)
    t.equal((await from('203.0.113.1')).status, 429)
  },
)

t.test(
  'wrong signatures count as wrong tokens, and a valid signature is accepted [D41]',
  async (t) => {
    const { operator } = await createOperated()
    const context = { clientAddress: '127.0.0.1' }
    const forged = 'Coopshare-Signature authority="x"'
    const statuses: number[] = []
    for (let time = 0; time < 12; time++) {
      const headers = { authorization: time % 2 ? forged : 'Bearer wrong' }
      statuses.push((await operator.request('/metrics', { headers }, context)).status)
    }
    t.strictSame(statuses, [...Array(10).fill(401), 429, 429])
    const right = await operator.request('/metrics', { headers: { authorization } }, context)
    t.equal(right.status, 200)
  },
)

t.test('refused operations of one operator share entries of the audit [D41]', async (t) => {
  const operated = await createOperated()
  const minted = await readJson(
    await call(operated, 'operator.create', { name: 'Vera', role: 'viewer' }),
  )
  const headers = { authorization: `Bearer ${minted['token']}` }
  const id = '0198c0de-0000-7000-8000-00000000000'
  for (let time = 0; time < 200; time += 1) {
    await call(operated, 'purchase.approve', { share_purchase_id: `${id}${time % 2}` }, headers)
    const other = `0198c0de-0000-7000-8000-0000000001${String(time).padStart(2, '0').slice(-2)}`
    await call(operated, 'purchase.settle', { share_purchase_id: other }, headers)
    await operated.unread.request('/store/backup', { headers })
  }
  const refused = async () => {
    const answer = await call(operated, 'audit.list', { refused: true, limit: 1000 })
    return (await answer.json()) as { subjects: Record<string, string>; operation: string }[]
  }
  const first = await refused()
  t.equal(first.length, 11, 'ten kinds of refusals, and an entry for all others')
  operated.world.clock.advance(61)
  await call(operated, 'purchase.approve', { share_purchase_id: `${id}0` }, headers)
  await until(t, async () => (await refused()).length > 12)
  const all = await refused()
  t.ok(all.length <= 23)
  const attempts = all.map(({ subjects }) => Number(subjects['attempts'] ?? 1))
  t.equal(
    attempts.reduce((sum, count) => sum + count, 0),
    601,
    'each refusal is counted',
  )
})
