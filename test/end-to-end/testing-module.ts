import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { signIn } from '../../fixtures/program/partner-client.ts'
import { answerWith, startReceiver, verifySignature } from '../../fixtures/servers/receiver.ts'
import { bankReturnReason } from '../../src/domain/share-purchases/fate.ts'
import type { Output, Row } from '../../src/operations/operations.ts'
import type * as Testing from '../../src/tools/testing.ts'
import type { CoverageReport, ExchangeRow, FaultRow } from '../../src/wire/bench.ts'

const file = join(import.meta.dirname, '..', '..', 'dist', 'testing.js')
const { startCoopshare, CoopshareError }: typeof Testing = await import(pathToFileURL(file).href)

const organization = 'Neobank'
const credentials = {
  client_id: '7b000000-0000-4000-8000-00000000c001',
  client_secret: 'neobank-app-secret-for-tests-only',
}
const fixtures = [join(import.meta.dirname, '..', '..', 'examples', 'fixtures.yaml')]
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const ada = '7b000000-0000-4000-8000-0000000000ad'
const sun = '7b000000-0000-4000-8000-0000000005a1'

async function start(t: Test, options: Testing.StartOptions = {}) {
  const coop = await startCoopshare({ fixtures, now: '2026-11-20T10:00:00Z', ...options })
  t.teardown(() => coop.close())
  const partner = await signIn(coop.url, credentials)
  return { coop, partner, order: (key?: string) => partner.order(ada, sun, key) }
}

t.test('the service has the credentials of the first client in the fixtures', async (t) => {
  const { coop } = await start(t)
  t.match(coop, { clientId: credentials.client_id, clientSecret: credentials.client_secret })
  const clients = [{ name: 'app' }]
  const drawn = await startCoopshare({ fixtures: [{ organizations: [{ name: 'Bank', clients }] }] })
  const own = { client_id: drawn.clientId, client_secret: drawn.clientSecret }
  t.equal((await (await signIn(drawn.url, own)).send('GET', '/v1/me')).status, 200)
  await drawn.close()
  const demo = await startCoopshare()
  t.match(demo.clientSecret, /^demo-bank/)
  await demo[Symbol.asyncDispose]()
  await t.rejects(demo.clock.now(), 'the service has ended')
})

t.test('a service whose process ends during the start stops, too', async (t) => {
  const script = `import { startCoopshare } from ${JSON.stringify(pathToFileURL(file).href)}
    await startCoopshare()`
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const folder = mkdtempSync(join(tmpdir(), 'starting-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const env = { ...process.env, TMPDIR: folder }
    const starting = spawn(process.execPath, ['--input-type=module', '--eval', script], { env })
    const isStarted = () => spawnSync('pgrep', ['-f', `data-dir ${folder}/`]).status === 0
    await until(t, isStarted)
    starting.kill(signal)
    await until(t, () => !isStarted())
  }
})

t.test('fixtures that cannot be applied are refused with the reason', async (t) => {
  const wrong = startCoopshare({ fixtures: [{ organizations: [{ nam: organization }] }] })
  await t.rejects(wrong, /ended with 4 before it was ready.*organizations\[0\]\.name: is required/)
  await t.rejects(startCoopshare({ fixtures: ['no-such.yaml'] }), /no-such\.yaml/)
})

t.test('options that do not exist or have the wrong type are refused', async (t) => {
  const start = (options: object) => startCoopshare(options)
  await t.rejects(start({ fixture: ['x'] }), /startCoopshare has no option "fixture"\. Its options/)
  await t.rejects(start({ fixtures: 'nope.yaml' }), /fixtures must be a list of files or objects/)
  const coop = await startCoopshare({ now: new Date('2026-11-20T10:00:00Z') })
  t.teardown(() => coop.close())
  t.equal(await coop.clock.now(), '2026-11-20T10:00:00.000Z')
  const next = new Date('2026-11-21T10:00:00Z')
  t.equal(await coop.clock.to(next), next.toISOString())
})

t.test(
  'the clock can be moved, and a refusal of the service is an error with its code',
  async (t) => {
    const { coop } = await start(t)
    t.equal(await coop.clock.now(), '2026-11-20T10:00:00.000Z')
    t.equal(await coop.clock.advance('3d'), '2026-11-23T10:00:00.000Z')
    t.equal(
      await coop.clock.to('2026-12-01T00:00:00Z', { timeout: '10s' }),
      '2026-12-01T00:00:00.000Z',
    )
    const back = coop.clock.to('2026-11-30T00:00:00Z')
    await t.rejects(back, { status: 409, code: 'CLOCK_BACKWARDS' })
    await t.rejects(coop.clock.advance('soon'), CoopshareError)
    await t.rejects(coop.fault({ on: 'placeOrder', status: 503 }), /operation: must be/)
    await coop.reset()
    t.equal(await coop.clock.now(), '2026-11-20T10:00:00.000Z')
  },
)

t.test('faults happen as requested, and the journal records the exchanges', async (t) => {
  const { coop, partner } = await start(t)
  const fault = await coop.fault({ on: 'readClient', status: 503, retryAfter: 5, times: 2 })
  t.match(fault, { retry_after: 5, times_left: 2 } satisfies Partial<FaultRow>)
  t.equal((await partner.send('GET', '/v1/me')).headers.get('retry-after'), '5')
  t.equal((await coop.faults.list()).length, 1)
  await coop.faults.remove(fault.id)
  t.equal((await partner.send('GET', '/v1/me')).status, 200)
  await coop.maintenance(true, { retryAfter: 7 })
  t.equal((await partner.send('GET', '/v1/me')).status, 503)
  await coop.maintenance(false)
  const awaiting = coop.journal.await({ operation: 'readClient', count: 4 })
  await partner.send('GET', '/v1/me')
  const statuses = (await awaiting).map(({ status }) => status)
  t.same(statuses, [503, 200, 503, 200])
  t.equal((await coop.journal('readClient', { direction: 'partner', limit: 1 })).length, 1)
  const late = coop.journal.await({ operation: 'readClient', count: 9, timeout: '20ms' })
  await t.rejects(late, { code: 'AWAIT_TIMEOUT' })
  await coop.journal.clear()
  t.same(await coop.journal(), [])
  t.ok((await coop.coverage()).percentage > 0)
})

t.test('a test can decide orders', async (t) => {
  const { coop, order } = await start(t)
  const [first, second, third] = [
    (await order()).body.share_purchase_id,
    (await order()).body.share_purchase_id,
    (await order()).body.share_purchase_id,
  ]
  await coop.approve(first)
  t.match(await coop.settle(first), { status: 'settled' })
  await coop.orders.approve(second)
  t.match(await coop.bankReturn(second), { status: 'rejected', reason: bankReturnReason })
  t.match(await coop.orders.cancel(third), { status: 'cancelled' })
  t.match((await coop.orders.show(first)).history.map(({ status }) => status).at(-1), 'settled')
  const rejected = await coop.orders.list({ status: 'rejected', organization })
  t.match(rejected, exactArrays([{ share_purchase_id: second }]))
  await t.rejects(coop.reject(first), { code: 'SHARE_PURCHASE_ILLEGAL_STATE' })
  const [row] = await coop.operation<readonly { name: string }[]>('organization.list')
  t.equal(row?.name, organization)
})

t.test('a receiver has the secret of the test, and gets its events', async (t) => {
  const { coop, order } = await start(t)
  const receiver = await startReceiver(t)
  receiver.answer = (_request, response) => {
    response.writeContinue()
    response.writeHead(204).end()
  }
  const secret = 'whsec_ci'
  const registered = await coop.webhooks({ organization, to: receiver.url, secret })
  t.match(registered, { url: receiver.url, secret })
  await order()
  await coop.clock.advance('0s')
  const [event] = await coop.events.list({ organization, state: 'delivered' })
  const id = event?.event_id ?? ''
  const delivered = { eventId: id, receiver: registered.id, status: 204 }
  t.same(await coop.events.deliver(id, { times: 2 }), [delivered, delivered])
  const [, one, two] = receiver.received.map(({ headers }) => headers['x-service-webhook-id'])
  t.match(one, uuid)
  t.match(two, uuid)
  t.not(one, two, 'each attempt has an id')
  t.not(one, id, 'which is not the id of the event')
  const refused: readonly [options: object, message: RegExp][] = [
    [{ time: 2 }, /events\.deliver has no option "time"\. Its options are times, order/],
    [{ times: 0 }, /times must be a whole number of at least 1, not 0/],
    [{ order: 'reverse' }, /order must be "given" or "reversed", not "reverse"/],
    [{ to: 'nope' }, /to must be the id of a receiver that `webhooks` returned, not "nope"/],
    [{ at: '10 minutes ago' }, /at must be an instant such as .*, not "10 minutes ago"/],
  ]
  for (const [options, message] of refused) {
    await t.rejects(coop.events.deliver(id, options), message)
  }
  await coop.events.replay(id)
  await coop.clock.advance('0s')
  t.equal(receiver.received.length, 4)
  for (const each of receiver.received) verifySignature(each, secret)
  receiver.answer = answerWith(401)
  const renewed = await registered.rotateSecret()
  t.match(await coop.events.deliver([id], { to: registered.id }), exactArrays([{ status: 401 }]))
  const [last] = receiver.received.slice(-1)
  t.ok(last && verifySignature(last, renewed), 'signed with the new secret')
  await registered.remove()
  await t.rejects(coop.events.deliver(id), /no receiver/)
})

t.test('a process that forgets to close its service ends, and so does the service', async (t) => {
  const script = `
    import { startCoopshare } from '${pathToFileURL(file).href}'
    console.log((await startCoopshare()).url)`
  const argv = ['--input-type=module', '--eval', script]
  const options = { encoding: 'utf8', timeout: 30_000, env: { TMPDIR: t.testdir({}) } } as const
  const url = execFileSync(process.execPath, argv, options).trim()
  t.match(url, /^http:/)
  await until(t, () => isGone(url))
  t.same(readdirSync(options.env.TMPDIR), [], 'its data was also removed')
})

async function isGone(url: string): Promise<boolean> {
  // biome-ignore lint/style/noRestrictedGlobals: the service only has to be gone.
  const reached = fetch(`${url}/livez`)
  return reached.then(
    () => false,
    () => true,
  )
}

/** The compiler compares the types of the module with the answers of the service. */
export interface Agreement {
  readonly fault: Agrees<FaultRow, Testing.Fault>
  readonly exchange: Agrees<ExchangeRow, Testing.Exchange>
  readonly coverage: Agrees<CoverageReport, Testing.Coverage>
  readonly order: Agrees<Row<'purchase.list'>, Testing.Order>
  readonly orderRecord: Agrees<Output<'purchase.show'>, Testing.OrderRecord>
  readonly event: Agrees<Row<'event.list'>, Testing.ListedEvent>
  readonly eventRecord: Agrees<Output<'event.show'>, Testing.EventRecord>
  readonly replayed: Agrees<Output<'event.replay'>[number], Testing.ReplayedEvent>
}

type Agrees<Answer extends Promised, Promised> = [Answer, Promised]
