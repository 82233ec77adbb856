import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { H3Event } from 'h3'
import t, { type Test } from 'tap'
import { statementOfCredit } from '../../fixtures/builders/statement-files.ts'
import {
  checkedOperations,
  checkedOperatorFetch,
  checkOperatorAnswer,
  operatorDocument,
} from '../../fixtures/contract/check-operator-answer.ts'
import { findPath } from '../../fixtures/contract/operations.ts'
import { type Bench, connectBench } from '../../fixtures/program/bench-client.ts'
import { connectOperator, type OperatorClient } from '../../fixtures/program/operator-client.ts'
import { startService } from '../../fixtures/program/run-command.ts'
import { startReceiver } from '../../fixtures/servers/receiver.ts'
import { openOperatorApp } from '../../fixtures/world/console.ts'
import { createWorld } from '../../fixtures/world/world.ts'
import { installLockedPackages, lockedFolder } from '../../scripts/packages/locked-packages.ts'
import { readFixtureFiles } from '../../src/cli/read-fixture-files.ts'
import { isForConsole } from '../../src/http/console/routes.ts'
import { statementFilePath } from '../../src/http/statement-file.ts'
import { operationNames, runOperation } from '../../src/operations/operations.ts'

const path = '/openapi/operator.json'

type Get = (
  path: string,
  headers?: Record<string, string>,
  method?: string,
  body?: string,
) => Promise<Response>

interface Operated {
  readonly url: string
  readonly token: string
  readonly get: Get
  readonly operator: OperatorClient
  /** Connects with the token of an operator. */
  readonly connectAs: (token: string) => Promise<OperatorClient>
  readonly bench: Bench
}

/** Sends an event now. Its endpoint is paused, so that the event stays pending. */
async function sendEventNow({ call }: Pick<OperatorClient, 'call'>, url: string): Promise<void> {
  const bank = { organization: 'Demo Bank' }
  const endpoint = await call('webhook.register', { ...bank, url })
  await call('webhook.pause', { webhook_endpoint_id: endpoint.webhook_endpoint_id })
  const approved = await call('purchase.list', { status: 'approved' })
  await call('purchase.preview', { statuses: ['submitted'], ...bank })
  await call('purchase.settle', { share_purchase_id: approved.at(0)?.share_purchase_id ?? '' })
  const [pending] = await call('event.list', { ...bank, state: 'pending' })
  await call('event.send_now', { event_id: pending?.event_id ?? '' })
}

const flags = ['--allow-private-webhooks', '--bench', '--four-eyes', 'reject,collect']

async function operate(t: Test, work: (operated: Operated) => Promise<void>): Promise<void> {
  const directory = join(t.testdir({ data: {} }), 'data')
  const serving = await startService(directory, ...flags)
  const url = serving.operatorUrl
  // The service does not stop in a teardown, because tap removes the directory before teardowns
  // run, and the service may still write to it.
  try {
    const { token } = JSON.parse(await readFile(join(directory, 'control.json'), 'utf8'))
    const get: Get = (path, headers = {}, method = 'GET', body = undefined) =>
      checkedOperatorFetch(`${url}${path}`, { method, headers, ...(body && { body }) })
    const bench = await connectBench(directory)
    const connectAs = (as: string) => connectOperator(directory, as)
    await work({ url, token, get, bench, connectAs, operator: await connectOperator(directory) })
  } finally {
    await serving.close()
  }
}

function operatedTest(title: string, work: (t: Test, operated: Operated) => Promise<void>): void {
  t.test(title, (t) => operate(t, (operated) => work(t, operated)))
}

operatedTest(
  'the operator endpoint publishes its own document, for everyone',
  async (t, { get, url }) => {
    const answer = await get(path)
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('content-type'), 'application/json')
    t.equal(answer.headers.get('cache-control'), 'public, max-age=300')
    const text = await answer.text()
    const { openapi, servers, tags, paths } = JSON.parse(text)
    t.equal(openapi, '3.1.0')
    t.equal(paths['/operations/find'].post.tags[0], 'find')
    for (const { name, description } of tags) t.match(description, /\.$/, `${name} is explained`)
    t.equal(servers[0].url, url)
    const etag = answer.headers.get('etag') ?? ''
    t.match(etag, /^"[^"]+"$/)
    const again = await get(path, { 'if-none-match': etag })
    t.strictSame([again.status, await again.text()], [304, ''])
    const head = await get(path, {}, 'HEAD')
    t.strictSame([head.status, await head.text()], [200, ''])
    t.equal(head.headers.get('content-length'), `${Buffer.byteLength(text)}`)
  },
)

operatedTest(
  'the operator endpoint shows its document as a page that loads nothing',
  async (t, { get }) => {
    const page = await get('/docs', { 'accept-encoding': 'identity' })
    t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
    const policy = page.headers.get('content-security-policy') ?? ''
    t.match(policy, /^default-src 'none'; /)
    t.notMatch(policy, /'unsafe|https?:|\*/)
    const text = await page.text()
    t.match(text, /<title>Operator interface of coopshare \d+\.\d+\.\d+<\/title>/)
    t.match(text, `GET ${path} is the same as text.`)
    const [, shown = ''] =
      /<script type="application\/json" id="contract">(.*?)<\/script>/s.exec(text) ?? []
    t.strictSame(JSON.parse(shown), await (await get(path)).json())
    const gzipped = await get('/docs', { 'accept-encoding': 'gzip' })
    t.equal(gzipped.headers.get('content-encoding'), 'gzip')
    const etag = gzipped.headers.get('etag') ?? ''
    const again = await get('/docs', { 'accept-encoding': 'gzip', 'if-none-match': etag })
    t.equal(again.status, 304)
  },
)

operatedTest(
  'the document is valid OpenAPI, and each of its schemas is valid JSON Schema',
  async (t, { get }) => {
    const published = await (await get(path)).text()
    const file = join(t.testdirName, 'operator.json')
    await writeFile(file, published)
    // Some answers are public, so no request for them is refused.
    const rules = ['--extends', 'recommended', '--skip-rule', 'operation-4xx-response']
    const { status, stdout, stderr } = spawnSync(
      join(installLockedPackages(lockedFolder('contract')), '.bin', 'redocly'),
      ['lint', file, ...rules, '--format', 'stylish'],
      {
        encoding: 'utf8',
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    )
    t.equal(status, 0, stderr)
    t.notMatch(stdout, /\b(?:warning|error)s?\b/)
    const document = JSON.parse(published)
    const ajv = formats.default(new Ajv2020({ strict: false }))
    ajv.addSchema(document, 'document')
    for (const name of Object.keys(document.components.schemas)) {
      t.ok(ajv.compile({ $ref: `document#/components/schemas/${name}` }), name)
    }
  },
)

function requestFor(route: string) {
  const url = new URL(route, 'http://127.0.0.1:1')
  return { url, req: new Request(url) as H3Event['req'] }
}

t.test('the document has every route of the operator endpoint and each operation', async (t) => {
  const { service } = await createWorld()
  const app = openOperatorApp(service)
  for (const { method = '', route = '' } of app['~routes']) {
    // Pages of the console are left out, because they are for people and not for programs.
    if (isForConsole(requestFor(route))) continue
    for (const name of route.includes(':name') ? operationNames : ['x']) {
      const { pathItem = {} } = findPath(route.replace(/:\w+/, name), operatorDocument) ?? {}
      t.ok(Object.keys(pathItem).includes(method.toLowerCase()), `${method} ${route} ${name}`)
    }
  }
})

operatedTest(
  'the answers of every operation and of every other path match the document',
  async (t, { get, token, operator, connectAs, bench }) => {
    const { url } = await startReceiver(t)
    const { input } = await readFixtureFiles([join('fixtures', 'demo.yaml')])
    t.match(await operator.call('fixtures.apply', { ...input, dry_run: true }), { changes: Array })
    await operator.call('fixtures.apply', input)
    await callPartners(operator)
    await callCatalogue(operator, input)
    const other = await callOrders(operator, connectAs)
    await callPayments(operator, other)
    await callEvents(operator, url)
    await callInvestors(operator)
    await operator.call('fixtures.export', {})
    await operator.call('store.check', {})
    await operator.call('store.compact', {})
    await operator.call('store.rekey', {})
    await operator.metric('coopshare_build_info')
    const headers = { authorization: `Bearer ${token}` }
    t.equal((await get('/store/backup', headers)).status, 200)
    const statement = statementOfCredit({
      iban: 'DE02120300000000202051',
      amount: '10.00',
      purpose: '',
    })
    const asFile = `${statementFilePath}?name=statement.xml&dry_run=true`
    t.equal((await get(asFile, headers, 'POST', statement)).status, 200)
    for (const open of ['/livez', '/readyz', '/docs', path, '/errors', '/errors/not-found']) {
      t.equal((await get(open)).status, 200, open)
    }
    t.equal((await get(`/identity?nonce=${'0'.repeat(32)}`)).status, 200)
    await callBench(bench)
    t.equal((await get('/requests', headers)).status, 200)
    const documented = Object.values(operatorDocument.paths)
      .flatMap((methods) => Object.values(methods as Record<string, { operationId?: string }>))
      .map(({ operationId = '' }) => operationId)
    t.strictSame(
      documented.filter((id) => !checkedOperations.has(id)),
      [],
      'these were never called',
    )
  },
)

async function callBench(bench: Bench): Promise<void> {
  await bench('GET', 'clock')
  await bench('POST', 'clock', { advance: '1s' })
  const { body } = await bench('POST', 'faults', { operation: 'delivery', status: 500 })
  await bench('GET', 'faults')
  await bench('DELETE', `faults/${body.id}`)
  await bench('DELETE', 'faults')
  await bench('POST', 'journal/await', { operation: 'delivery' })
  await bench('GET', 'journal')
  await bench('DELETE', 'journal')
  await bench('POST', 'tokens/expire', {})
  await bench('POST', 'maintenance', { on: false })
  await bench('GET', 'maintenance')
  await bench('GET', 'coverage')
  await bench('POST', 'reset')
}

const organization = 'Other Bank'

async function callPartners({ call }: OperatorClient): Promise<void> {
  const name = 'maria'
  await call('operator.create', { name, role: 'viewer' })
  await call('operator.rotate_token', { name })
  await call('operator.set_role', { name, role: 'viewer' })
  await call('operator.disable', { name })
  await call('operator.enable', { name })
  await call('operator.list', {})
  await call('console.create_link', {})
  await call('audit.list', {})
  await call('audit.export', {})
  await call('audit.verify', {})
  await call('organization.create', { name: organization })
  await call('organization.list', {})
  await call('organization.show', { organization })
  await call('organization.update', { organization, investor_mail: false })
  await call('organization.create', { name: 'Leaving Bank' })
  await call('organization.rename', { organization: 'Leaving Bank', name: 'Left Bank' })
  await call('organization.disable', { organization: 'Left Bank' })
  await call('organization.enable', { organization: 'Left Bank' })
  await call('organization.delete', { organization: 'Left Bank' })
  const { client_id, secret_id } = await call('client.create', { organization, name: null })
  await call('client.list', { organization })
  await call('client.show', { client_id })
  await call('client.set_scopes', { client_id, scopes: ['cooperatives:read'] })
  await call('token.issue', { client_id })
  await call('client.rotate_secret', { client_id })
  await call('client.revoke_secret', { client_id, secret_id })
  await call('client.disable', { client_id })
  await call('client.enable', { client_id })
  const { kid } = await call('key.rotate', { now: true })
  await call('key.list', {})
  await call('key.revoke', { kid })
}

type Demo = Awaited<ReturnType<typeof readFixtureFiles>>['input']

async function callCatalogue({ call }: OperatorClient, input: Demo): Promise<void> {
  await call('cooperative.import', { cooperatives: input.cooperatives ?? [] })
  const [row] = await call('cooperative.list', {})
  const cooperative = row?.key ?? ''
  await call('cooperative.show', { cooperative })
  await call('cooperative.export', {})
  const created = { name: 'A', energy_category: 'heat', share_price: '1.00' } as const
  await call('cooperative.create', { key: 'created', ...created })
  await call('cooperative.update', { cooperative: 'created', city: 'Ulm' })
  await call('cooperative.price_history', { cooperative: 'created' })
  await call('cooperative.unpublish', { cooperative })
  await call('cooperative.publish', { cooperative })
  await call('cooperative.set_price', { cooperative, share_price: '251.00' })
}

async function callOrders(
  { call }: OperatorClient,
  connectAs: Operated['connectAs'],
): Promise<OperatorClient> {
  const submitted = await call('purchase.list', { status: 'submitted' })
  const [first = '', second = '', third = ''] = submitted.map((order) => order.share_purchase_id)
  await call('purchase.show', { share_purchase_id: first })
  await call('purchase.approve', { share_purchase_id: first })
  await call('purchase.settle', { share_purchase_id: first })
  await call('purchase.cancel', { share_purchase_id: second })
  const rejecting = { share_purchase_id: third, reason: 'The mandate was returned.' }
  const { proposal } = await call('purchase.reject', rejecting)
  const { token } = await call('operator.create', { name: 'vera', role: 'operator' })
  const other = await connectAs(token)
  const proposed_at = proposal?.at ?? null
  await other.call('purchase.confirm', { share_purchase_id: third, proposed_at })
  return other
}

/** The demo has approved orders of two cooperatives that have a creditor. */
async function callPayments({ call }: OperatorClient, other: OperatorClient): Promise<void> {
  await call('cooperative.set_creditor', {
    cooperative: 'solar-allgaeu',
    name: 'Sonnenfirst Allgäu eG',
    creditor_id: 'DE98ZZZ09999999999',
    iban: 'DE02120300000000202051',
  })
  const { collections } = await call('collection.create', {})
  const [collection_id = '', cancelled = ''] = collections.map((one) => one.collection_id)
  await call('collection.list', {})
  const { payments } = await call('collection.show', { collection_id })
  const [one = '', two = ''] = payments.map((each) => each.share_purchase_id)
  await other.call('collection.confirm', { collection_id })
  await call('collection.export', { collection_id })
  await call('collection.cancel', { collection_id: cancelled })
  const returns = [one, two].map((share_purchase_id) => ({ share_purchase_id, code: 'AM04' }))
  const { file } = await call('statement.simulate', { collection_id, returns, charges: '3.00' })
  await call('statement.import', { name: 'statement.xml', text: file })
  await call('statement.list', {})
  await call('payment.show', { share_purchase_id: one })
  await call('payment.retry', { share_purchase_id: one })
  await call('payment.record', { share_purchase_id: two, paid_on: '2026-11-20' })
  const [due] = await call('payment.list', { state: 'due' })
  const { share_purchase_id = '', amount = '', cooperative_key: cooperative = '' } = due ?? {}
  const { creditor } = await call('cooperative.show', { cooperative })
  const text = statementOfCredit({ iban: creditor?.iban ?? '', amount, purpose: 'Shares' })
  const [imported] = await call('statement.import', { name: 'other.xml', text })
  const { entries } = await call('statement.show', { statement_id: imported?.statement_id ?? '' })
  await call('statement.assign', { entry_id: entries[0]?.entry_id ?? '', share_purchase_id })
  await call('payment.report', {})
}

async function callInvestors({ call }: OperatorClient): Promise<void> {
  const [{ investor_id = '', email = '' } = {}] = await call('investor.list', {})
  await call('find', { text: email ?? '' })
  await call('investor.show', { investor_id })
  await call('investor.export', { investor_id })
  for (const { share_purchase_id, investor_id: buyer } of await call('purchase.list', {})) {
    if (buyer !== investor_id) continue
    const { status } = await call('purchase.show', { share_purchase_id })
    if (status === 'submitted') await call('purchase.cancel', { share_purchase_id })
    if (status === 'approved') await call('purchase.settle', { share_purchase_id, unpaid: true })
  }
  const reason = 'The person has asked for it.'
  await call('investor.erase', { investor_id, reason, although_member: true })
}

async function callEvents({ call }: OperatorClient, url: string): Promise<void> {
  const { webhook_endpoint_id } = await call('webhook.register', { organization, url })
  await call('webhook.list', {})
  await call('webhook.rotate_secret', { webhook_endpoint_id })
  await call('webhook.test', { webhook_endpoint_id })
  await call('webhook.doctor', { webhook_endpoint_id })
  await call('webhook.pause', { webhook_endpoint_id })
  await call('webhook.resume', { webhook_endpoint_id })
  await sendEventNow({ call }, url)
  await call('webhook.remove', { webhook_endpoint_id })
  const [event] = await call('event.list', {})
  const { event_id = '', organization_id = '' } = event ?? {}
  await call('event.show', { event_id })
  await call('event.count', {})
  await call('event.replay', { event_id, dry_run: true })
  await call('event.follow', { organization: organization_id })
  await call('event.follow_from_now', { organization: organization_id })
  await call('event.purge', { before: '2026-01-01T00:00:00Z', dry_run: true })
}

const headers = new Headers({
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'a',
  'cache-control': 'no-store',
})
function changed(change: (headers: Headers) => void): Headers {
  const others = new Headers(headers)
  change(others)
  return others
}

const problem = {
  type: 'http://127.0.0.1:1/errors/name-taken',
  title: 'This name is taken.',
  status: 409,
  detail: 'A sentence.',
  code: 'NAME_TAKEN',
  trace_id: 'a',
}

t.test('an answer that the document does not describe fails its test', async (t) => {
  const { service, partner } = await createWorld()
  const organization = Object(
    await runOperation(service, 'organization.show', { organization: partner.organizationId }),
  )
  const answered = {
    method: 'POST',
    path: '/operations/organization.create',
    status: 200,
    headers,
    text: JSON.stringify(organization),
    sent: { name: 'Demo Bank' },
  }
  checkOperatorAnswer(answered)
  const refusal = {
    ...answered,
    status: 409,
    headers: changed((headers) => headers.set('content-type', 'application/problem+json')),
    text: JSON.stringify(problem),
  }
  checkOperatorAnswer(refusal)
  const lastSecret = {
    ...problem,
    code: 'LAST_SECRET',
    type: 'http://127.0.0.1:1/errors/last-secret',
  }
  const rows: [title: string, change: object, message: RegExp][] = [
    [
      'a further field',
      { text: JSON.stringify({ ...organization, plan: 'a' }) },
      /\/plan is not documented/,
    ],
    ['a missing field', { text: JSON.stringify({ name: 'Demo Bank' }) }, /organization_id/],
    ['another type', { text: JSON.stringify({ ...organization, name: 5 }) }, /must be string/],
    ['another status', { status: 201 }, /no such status in/],
    ['another path', { path: '/bench' }, /no such status in/],
    [
      'a missing header',
      { headers: changed((headers) => headers.delete('x-request-id')) },
      /X-Request-Id is missing/,
    ],
    [
      'a further header',
      { headers: changed((headers) => headers.set('x-more', '1')) },
      /header x-more is not documented/,
    ],
    [
      'a request that the document does not describe',
      { sent: { nam: 'Demo Bank' } },
      /request: .*nam/,
    ],
    ['a code of another operation', { ...refusal, text: JSON.stringify(lastSecret) }, /\/code/],
  ]
  for (const [title, change, message] of rows) {
    t.throws(() => checkOperatorAnswer({ ...answered, ...change }), { message }, title)
  }
})
