import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { until } from '../../fixtures/async.ts'
import { argvFor, argvTo, listen } from '../../fixtures/program/listener.ts'
import { runCoopshare, spawnCoopshare } from '../../fixtures/program/serve.ts'
import {
  createServedMarket,
  type Operated,
  type ServedMarket,
  settle,
} from '../../fixtures/program/served-market.ts'
import { answerIdentity, answerSigned } from '../../fixtures/servers/operator-peer.ts'
import { startPeer } from '../../fixtures/servers/peer.ts'
import { answerWith, verifySignature } from '../../fixtures/servers/receiver.ts'

function placeAndList({ place, operator }: Operated) {
  return place().then(() => operator.call('event.list', {}))
}

function typesOf({ receiver }: ServedMarket): string[] {
  return receiver.received.map(({ event }) => event.type.slice('share_purchase.'.length))
}

t.test('an event that the receiver refuses is dropped after six attempts', async (t) => {
  const market = await createServedMarket(t)
  const { place } = await market.startHere()
  market.receiver.answer = (request, response) => {
    const answers = market.receiver.received.length
    answerWith(answers <= 6 ? 500 : answers === 7 ? 302 : 200)(request, response)
  }
  const listener = await listen(t, argvFor(market))
  const refused = await place()
  const taken = await place()
  await until(t, () => listener.lines().length === 9)
  const attempts = listener.lines().slice(1)
  const ids = attempts.map((attempt) => attempt.share_purchase_id)
  t.same(ids, [...Array.from({ length: 6 }, () => refused), taken, taken], 'one after the other')
  const refusals = attempts.map((attempt) => attempt.refusals)
  t.same(refusals, [1, 2, 3, 4, 5, 6, 1, 1])
  const waits = attempts.map((attempt) => attempt.next_attempt_in_ms)
  t.same(waits, [20, 40, 80, 160, 320, null, 20, null])
  t.match(attempts[6], { status: 302, failure: 'redirect', delivered: false })
  t.match(attempts[7], { status: 200, delivered: true })
})

t.test('a listener waits for a service that is restarted', async (t) => {
  const market = await createServedMarket(t)
  const before = await market.start()
  const listener = await listen(t, argvFor(market))
  const placed = [await before.place()]
  await before.served.stop()
  await until(t, () => /Waiting for the service: No service/.test(listener.stderr()))
  const after = await market.start()
  placed.push(await after.place())
  await until(t, () => listener.lines().length === 3)
  t.same(
    market.receiver.received.map(({ event }) => event.data.share_purchase_id),
    placed,
  )
})

t.test('a listener can use a remote service', async (t) => {
  const market = await createServedMarket(t)
  const { served, place } = await market.start()
  const { token } = JSON.parse(await readFile(join(market.dataDirectory, 'control.json'), 'utf8'))
  // A second `t.testdir()` would remove the directory of the running service.
  const empty = await mkdtemp(join(tmpdir(), 'coopshare-'))
  t.teardown(() => rm(empty, { recursive: true }))
  const elsewhere = ['--data-dir', empty, '--operator-url', served.operator_url]
  const argv = argvTo(market.receiver.url, ...elsewhere)
  const listener = await listen(t, argv, { COOPSHARE_OPERATOR_TOKEN: token })
  await place()
  await until(t, () => listener.lines().length === 2)
  const [received] = market.receiver.received
  if (!received) return t.fail('one arrived')
  t.ok(verifySignature(received, listener.lines()[0].signing_secret))
  await listener.stop()
  const refused = await runCoopshare(argv, { COOPSHARE_OPERATOR_TOKEN: 'wrong' })
  t.equal(refused.code, 5)
})

t.test('a listener can be stopped while the service does not answer', async (t) => {
  const token = 'the-token'
  const { url, requests } = await startPeer(t, (request, response) => {
    if (answerIdentity(request, response, { token, instanceId: 'one' })) return
    if (!request.url?.endsWith('/event.follow_from_now')) return
    const begin = { organization_id: 'org-1', name: 'Demo Bank', since: new Date().toISOString() }
    void answerSigned(request, response, { token, status: 200, text: JSON.stringify(begin) })
  })
  const elsewhere = ['--operator-url', url, '--data-dir', t.testdir()]
  const argv = argvTo('http://127.0.0.1:9/', ...elsewhere)
  const listener = await listen(t, argv, { COOPSHARE_OPERATOR_TOKEN: token })
  await until(t, () => requests.some((request) => request.endsWith('/event.follow')))
  const { code, stderr } = await listener.stop()
  t.equal(code, 0)
  t.match(stderr, /Waiting for the service: The service at http:\S+ did not answer/)
})

t.test('--type skips other events, and --since starts again at an earlier time', async (t) => {
  const market = await createServedMarket(t)
  const running = await market.startHere()
  const [{ created_at: since } = { created_at: '' }] = await placeAndList(running)
  const listener = await listen(t, argvFor(market, '--since', since))
  await until(t, () => listener.lines().length === 2)
  await listener.stop()
  const settled = ['--type', 'share_purchase.settled', '--type', 'share_purchase.rejected']
  const filtered = await listen(t, argvFor(market, '--since', since, ...settled))
  await settle(running, await running.place())
  await until(t, () => filtered.lines().length === 2)
  await filtered.stop()
  const last = await listen(t, argvFor(market))
  await running.place()
  await until(t, () => last.lines().length === 2)
  t.same(typesOf(market), ['submitted', 'settled', 'submitted'])
})

t.test('the text output has one line for each attempt', async (t) => {
  const market = await createServedMarket(t)
  const { place } = await market.startHere()
  market.receiver.answer = (request, response) =>
    answerWith(market.receiver.received.length === 1 ? 503 : 200)(request, response)
  const { process: child, ended } = await spawnCoopshare(argvFor(market))
  t.teardown(() => child.kill('SIGKILL'))
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  await until(t, () => text.split('\n').length === 5)
  const id = await place()
  await until(t, () => text.split('\n').length === 7)
  child.kill('SIGINT')
  t.equal((await ended).code, 0)
  const [to, secret, cursor, begin, refused, taken] = text.split('\n')
  t.equal(to, `Forwarding to   ${market.receiver.url}`)
  t.match(secret, /^Signing secret {2}whsec_[\w-]{43}$/)
  t.match(cursor, /^Cursor {10}\/.*\.json$/)
  t.match(begin, /^Starts with {5}the events since 2/)
  t.match(refused, `share_purchase.submitted  ${id}  `)
  t.match(refused, /The receiver answered 503\. Attempt 1 of 6\. Next attempt in 0\.02 s\.$/)
  t.match(taken, / {2}200 in \d+ ms$/)
})
