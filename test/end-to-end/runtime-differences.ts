import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import { findDeno } from '../../fixtures/program/installed-tools.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { fillStore } from '../../fixtures/program/run-command.ts'
import { programCommand, runCoopshare, type Served, serve } from '../../fixtures/program/serve.ts'
import { startReceiver, verifySignature } from '../../fixtures/servers/receiver.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'

const folder = join(import.meta.dirname, '..', '..', 'fixtures', 'tls')
const [certFile, keyFile] = [join(folder, 'signed.crt'), join(folder, 'signed.key')]
// Node trusts a self-signed certificate as its own authority, and Deno does not.
const authorityFile = join(folder, 'authority.crt')
const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) }

// Runtimes differ in certificates, connections, signals and file locks.
const forms = new Map([programCommand, findDeno().command].map((words) => [words.join(' '), words]))

for (const [title, words] of forms) {
  t.test(`https, signals, lock and address guard work under ${title}`, async (t) => {
    const scene = await createScene(t, words)
    const { dataDirectory, receiver } = scene
    const [first = '', second = ''] = scene.purchaseIds

    const trusting = { NODE_EXTRA_CA_CERTS: authorityFile }
    const https = ['--https-cert', certFile, '--https-key', keyFile]
    const secure = await scene.start([...https, '--allow-private-webhooks'], trusting)
    t.equal(
      await statusOf(`${secure.base_url}/readyz`),
      200,
      'the service uses the given certificate',
    )
    const { call } = await connectOperator(dataDirectory)
    const endpoint = { organization: 'Demo Bank', url: receiver.url }
    const { signing_secret } = await call('webhook.register', endpoint)
    await call('purchase.approve', { share_purchase_id: first })
    await until(t, () => receiver.received.length === 1)
    const [received] = receiver.received
    t.ok(
      received && verifySignature(received, signing_secret),
      'a receiver with a trusted certificate gets the event',
    )
    await secure.stop('SIGKILL')

    const hasty = ['--allow-private-webhooks', '--webhook-backoff', '20ms']
    const distrusting = await scene.start(hasty)
    t.equal(await failureAfter(scene, 'purchase.settle', first), 'tls')
    const refused = await runCoopshare(['serve', '--data-dir', dataDirectory], {}, words)
    t.equal(refused.code, 5, 'the lock of a killed process is taken over and works')
    t.match(refused.stderr, `process ${distrusting.pid}`)
    await askWithoutEnd(t, distrusting)
    const ended = distrusting.stop('SIGTERM')
    await untilRefused(distrusting)
    t.match(
      await distrusting.stop('SIGTERM'),
      { signal: 'SIGTERM' },
      'a second signal ends the service immediately',
    )
    t.match(await ended, { code: null })

    const guarded = await scene.start(['--webhook-backoff', '20ms'])
    t.equal(await failureAfter(scene, 'purchase.approve', second), 'refused_address')
    t.match(await guarded.stop('SIGINT'), { code: 0, signal: null })
    t.equal(receiver.received.length, 1, 'the receiver has no other requests')
  })
}

async function createScene(t: Test, words: readonly string[]) {
  const dataDirectory = t.testdir()
  const { purchaseIds } = await fillStore(dataDirectory, seedOrders(2))
  const receiver = await startReceiver(t, { tls })
  const start = (argv: readonly string[], variables = {}) =>
    serve(t, [...argv, '--data-dir', dataDirectory], variables, words)
  return { dataDirectory, purchaseIds, receiver, start }
}

/** Decides an order and returns the failure of the last attempt to deliver its event. */
async function failureAfter(
  { dataDirectory }: { readonly dataDirectory: string },
  decision: 'purchase.approve' | 'purchase.settle',
  share_purchase_id: string,
) {
  const { call } = await connectOperator(dataDirectory)
  await call(decision, { share_purchase_id })
  const dead = () => call('event.list', { state: 'dead' })
  const isOfIt = ({ share_purchase_id: id }: { share_purchase_id: string | null }) =>
    id === share_purchase_id
  await until(t, async () => (await dead()).some(isOfIt))
  const event_id = (await dead()).find(isOfIt)?.event_id ?? ''
  const { attempts } = await call('event.show', { event_id })
  return attempts.at(-1)?.failure
}

/** Sends a request without its body, and waits until the service has it. */
async function askWithoutEnd(t: Test, served: Served): Promise<void> {
  const socket = connect(portOf(served), '127.0.0.1').on('error', () => {})
  t.teardown(() => socket.destroy())
  socket.write('POST /oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n')
  socket.write('Content-Type: application/x-www-form-urlencoded\r\nExpect: 100-continue\r\n\r\n')
  await once(socket, 'data')
}

/** Waits until the service accepts no more connections, so the first signal has arrived. */
async function untilRefused(served: Served): Promise<void> {
  await until(t, async () => {
    const socket = connect(portOf(served), '127.0.0.1')
    const outcome = await Promise.race([
      once(socket, 'connect').then(() => 'taken'),
      once(socket, 'error').then(() => 'refused'),
    ]).catch(() => 'refused')
    socket.destroy()
    return outcome === 'refused'
  })
}

function portOf({ listening_url }: Served): number {
  return Number(new URL(listening_url).port)
}

async function statusOf(url: string): Promise<number> {
  const [answer] = await once(
    get(url, { ca: readFileSync(authorityFile), agent: false }),
    'response',
  )
  answer.resume()
  return answer.statusCode
}
