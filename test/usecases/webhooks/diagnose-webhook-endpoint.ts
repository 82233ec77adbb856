import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import { findUnusedPort, startPeer, startTcpPeer } from '../../../fixtures/servers/peer.ts'
import { startReceiver, verifySignature } from '../../../fixtures/servers/receiver.ts'
import { startTlsReceiver } from '../../../fixtures/servers/tls-receiver.ts'
import { createMarket } from '../../../fixtures/world/market.ts'
import { register } from '../../../fixtures/world/webhook-market.ts'
import type { GuardOptions } from '../../../src/adapters/outgoing/guarded-agent.ts'
import { createWebhookSender } from '../../../src/adapters/webhook-sender/webhook-sender.ts'
import { webhookOperations } from '../../../src/operations/webhooks.ts'
import { judgeTestEvent } from '../../../src/usecases/webhooks/diagnose-webhook-endpoint.ts'

const { 'webhook.doctor': doctor } = webhookOperations

/** Registers the endpoint while its name has a public address, and diagnoses it with `options`. */
async function diagnose(t: Test, url: string, options: GuardOptions, allowPrivate = true) {
  let resolve: GuardOptions['resolve'] = async () => ['8.8.8.8']
  const settings = { allowPrivateWebhooks: allowPrivate }
  const webhookSender = createWebhookSender({
    ...options,
    allowPrivate,
    resolve: (name) => (resolve ?? notFound)(name),
  })
  const market = await createMarket({}, { settings, webhookSender })
  const { clock, service } = market.world
  clock.advance((Date.now() - Date.parse(clock.now())) / 1000)
  const { webhookEndpointId, secret } = await register(market, url)
  resolve = options.resolve
  const report = await doctor.run(service, { webhook_endpoint_id: webhookEndpointId })
  t.equal(report.url, url)
  return { ...report, secret }
}

const onLoopback = { resolve: async () => ['127.0.0.1'] }

async function notFound(): Promise<never> {
  throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
}

type Report = Awaited<ReturnType<typeof diagnose>>

function resultsOf({ checks }: Report): string[] {
  return checks.map(({ result }) => result)
}

function detailOf({ checks }: Report, name: string): string {
  return checks.find(({ check }) => check === name)?.detail ?? ''
}

const ok: RequestListener = (_request, response) => response.writeHead(204).end()
/** Makes a receiver that accepts valid signatures. The second event has a wrong signature. */
function verifying(refusal: number): RequestListener {
  let asked = 0
  return (_request, response) => {
    asked += 1
    response.writeHead(asked === 1 ? 200 : refusal).end()
  }
}

t.test('the doctor checks everything that an event needs, in order', async (t) => {
  const { port, ca } = await startTlsReceiver(t, verifying(401))
  const url = `https://receiver.example:${port}/hook`
  const report = await diagnose(t, url, { ...onLoopback, ca })
  t.equal(report.healthy, true)
  t.strictSame(
    report.checks.map(({ check }) => check),
    ['url', 'dns', 'public_address', 'tls', 'test_event', 'wrong_signature'],
  )
  t.strictSame(resultsOf(report), ['ok', 'ok', 'warning', 'ok', 'ok', 'ok'])
  t.match(detailOf(report, 'dns'), 'receiver.example resolves to 127.0.0.1.')
  t.match(detailOf(report, 'public_address'), 'These addresses are not public: 127.0.0.1.')
  t.match(detailOf(report, 'tls'), /valid until \d{4}-\d\d-\d\d\.$/)
  t.match(detailOf(report, 'test_event'), /200 in \d+ ms/)
  t.match(detailOf(report, 'wrong_signature'), 'refuses a wrong signature with 401')
})

t.test('the doctor signs its first event correctly and its second event wrongly', async (t) => {
  const receiver = await startReceiver(t)
  const { secret, ...report } = await diagnose(t, receiver.url, onLoopback)
  const [first, second] = receiver.received
  if (!first || !second) return t.fail('two arrived')
  t.ok(verifySignature(first, secret))
  t.throws(() => verifySignature(second, secret))
  t.equal(report.healthy, false)
  t.match(
    report.checks.slice(-2),
    exactArrays([
      { check: 'test_event', result: 'ok' },
      {
        check: 'wrong_signature',
        result: 'failed',
        detail: /\(204\)\. Either it does not verify signatures .* before it verifies\./,
      },
    ]),
  )
})

t.test('the doctor checks the answer to a wrong signature', async (t) => {
  for (const [status, result] of [
    [400, 'ok'],
    [403, 'ok'],
    [500, 'warning'],
    [302, 'warning'],
  ] as const) {
    const { url } = await startPeer(t, verifying(status))
    const report = await diagnose(t, `${url}/`, onLoopback)
    t.equal(resultsOf(report).at(-1), result, `${status}`)
    t.equal(report.healthy, true)
  }
  let asked = 0
  const { url } = await startPeer(t, (request, response) => {
    asked += 1
    if (asked === 1) ok(request, response)
    else request.socket.destroy()
  })
  const report = await diagnose(t, `${url}/`, onLoopback)
  t.match(report.checks.at(-1), { result: 'warning', detail: /did not respond/ })
})

t.test('the doctor reports a name that does not resolve or is not public', async (t) => {
  const rows: [string, GuardOptions, string[], string, string][] = [
    ['no such name', { resolve: notFound }, ['ok', 'failed'], 'dns', 'cannot be resolved'],
    ['no address', { resolve: async () => [] }, ['ok', 'failed'], 'dns', 'cannot be resolved'],
    [
      'public and private at once',
      { resolve: async () => ['8.8.8.8', '10.1.2.3'] },
      ['ok', 'ok', 'failed'],
      'public_address',
      'These addresses are not public: 10.1.2.3.',
    ],
  ]
  for (const [title, options, results, check, detail] of rows) {
    const report = await diagnose(t, 'https://receiver.example/', options, false)
    const skipped = Array.from({ length: 6 - results.length }, () => 'skipped')
    t.strictSame(resultsOf(report), [...results, ...skipped], title)
    t.match(detailOf(report, check), detail)
    t.equal(report.healthy, false)
  }
})

t.test('the doctor reports an invalid certificate', async (t) => {
  const soon = await startTlsReceiver(t, verifying(401), { validityDays: 5 })
  const past = await startTlsReceiver(t, ok, { validityDays: -2 })
  const at = (name: string, port: number) => `https://${name}:${port}/`
  const receiver = (port: number) => at('receiver.example', port)
  const plain = await startPeer(t, ok)
  const unused = await findUnusedPort()
  const rows: [string, string, string | undefined, string, RegExp][] = [
    ['a certificate that expires soon', receiver(soon.port), soon.ca, 'warning', /It expires soon/],
    [
      'an expired certificate',
      receiver(past.port),
      past.ca,
      'failed',
      /CERT_HAS_EXPIRED.*valid until/,
    ],
    [
      'a self-signed certificate',
      receiver(soon.port),
      undefined,
      'failed',
      /self-signed, not signed by an authority.*\(\w+\)/,
    ],
    [
      'a certificate for another name',
      at('other.example', soon.port),
      soon.ca,
      'failed',
      /ALTNAME_INVALID/,
    ],
    ['none', receiver(plain.port), undefined, 'failed', /^There is no TLS/],
    [
      'nothing listens',
      receiver(unused),
      undefined,
      'failed',
      /^No connection could be made \(ECONNREFUSED\): nothing listens/,
    ],
  ]
  for (const [title, url, ca, result, detail] of rows) {
    const report = await diagnose(t, url, { ...onLoopback, ...(ca !== undefined && { ca }) })
    t.equal(resultsOf(report)[3], result, title)
    t.match(detailOf(report, 'tls'), detail, title)
    t.equal(report.healthy, result !== 'failed', title)
  }
})

t.test('the doctor checks the address to which an event would go', async (t) => {
  const { port, ca } = await startTlsReceiver(t, (_request, response) => {
    response.writeHead(200).end()
  })
  const reset = (socket: Socket) => socket.once('data', () => socket.resetAndDestroy())
  await startTcpPeer(t, reset, { hostname: '127.0.0.2', port })
  await startTcpPeer(t, () => {}, { hostname: '127.0.0.3', port })
  const rows: [string, string[], string, string[], RegExp][] = [
    [
      'the first resets',
      ['127.0.0.2', '127.0.0.1'],
      '127.0.0.2',
      ['failed', 'skipped'],
      /^There is no TLS at 127\.0\.0\.2 \(ECONNRESET\)/,
    ],
    [
      'all are silent',
      ['127.0.0.3'],
      '127.0.0.3',
      ['failed', 'skipped'],
      /^There was no TLS at 127\.0\.0\.3 in time/,
    ],
    [
      'the first is silent',
      ['127.0.0.3', '127.0.0.1'],
      '127.0.0.1',
      ['ok', 'ok'],
      /^The certificate was issued by/,
    ],
    [
      'the first refuses',
      ['127.0.0.4', '127.0.0.1'],
      '127.0.0.1',
      ['ok', 'ok'],
      /^The certificate was issued by/,
    ],
  ]
  for (const [title, addresses, address, results, detail] of rows) {
    const options = { resolve: async () => addresses, ca, connectTimeoutMs: 1000 }
    const report = await diagnose(t, `https://receiver.example:${port}/`, options)
    t.strictSame(resultsOf(report).slice(3, 5), results, title)
    t.match(detailOf(report, 'tls'), detail, title)
    const sender = createWebhookSender({ ...options, allowPrivate: true })
    const sent = await sender.send({ url: report.url, headers: {}, body: Buffer.from('') })
    t.equal(sent.address, address, 'the event goes to that address')
  }
})

t.test('the doctor reports a receiver that demands a client certificate', async (t) => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const tls = { requestCert: true, minVersion: version, maxVersion: version }
    const { port, ca } = await startTlsReceiver(t, ok, tls)
    const report = await diagnose(t, `https://receiver.example:${port}/`, { ...onLoopback, ca })
    t.strictSame(resultsOf(report).slice(3), ['failed', 'skipped', 'skipped'], version)
    t.match(detailOf(report, 'tls'), /^The receiver .* a client certificate/, version)
  }
})

t.test('the doctor warns of a receiver that asks for a client certificate', async (t) => {
  const asking = { requestCert: true, rejectUnauthorized: false }
  const rows: readonly [string, RequestListener, string[], RegExp][] = [
    ['goes on without one', verifying(401), ['warning', 'ok', 'ok'], /200/],
    [
      'closes the connection',
      (request) => request.socket.destroy(),
      ['warning', 'failed', 'skipped'],
      /asked for a client certificate, which the service does not have/,
    ],
    [
      'refuses every request',
      (_request, response) => response.writeHead(400).end(),
      ['warning', 'failed', 'skipped'],
      /answered 400/,
    ],
  ]
  for (const [title, answer, results, detail] of rows) {
    const { port, ca } = await startTlsReceiver(t, answer, asking)
    const report = await diagnose(t, `https://receiver.example:${port}/`, { ...onLoopback, ca })
    t.strictSame(resultsOf(report).slice(3), results, title)
    t.match(detailOf(report, 'tls'), /The receiver asks for a client certificate/, title)
    t.match(detailOf(report, 'test_event'), detail, title)
  }
})

t.test('the doctor says to how many addresses an event can go', async (t) => {
  const ipv4 = Array.from({ length: 5 }, (_, index) => `8.8.4.${index}`)
  const resolve = async () => [...ipv4, ...ipv4, '2001:4860:4860::8888']
  const report = await diagnose(t, 'https://receiver.example/', {
    resolve,
    connectTimeoutMs: 50,
  })
  t.equal(
    detailOf(report, 'dns'),
    'receiver.example resolves to 8.8.4.0, 2001:4860:4860::8888, 8.8.4.1, 8.8.4.2 and 2 more. An attempt tries at most 4, in this sequence.',
  )
})

t.test('the doctor reports an event that is refused or answered late', async (t) => {
  const silent = await startPeer(t, () => {})
  const failing = await startPeer(t, (_request, response) => response.writeHead(503).end())
  const refused = await diagnose(t, `${failing.url}/`, onLoopback)
  t.strictSame(resultsOf(refused), ['warning', 'ok', 'warning', 'skipped', 'failed', 'skipped'])
  t.match(detailOf(refused, 'test_event'), /answered 503/)
  const hasty = { ...onLoopback, connectTimeoutMs: 100, readTimeoutMs: 100 }
  const late = await diagnose(t, `${silent.url}/`, hasty)
  t.match(detailOf(late, 'test_event'), /did not arrive in time/)
  const taken = { status: 200, failure: null, detail: null, address: null, firstByteMs: 1 }
  t.equal(judgeTestEvent({ ...taken, durationMs: 5000 }).result, 'ok')
  t.match(judgeTestEvent({ ...taken, durationMs: 5001 }), { result: 'warning', detail: /5001 ms/ })
})

t.test('the doctor reports when this machine has no network', async (t) => {
  // This address has no route.
  const cutOff = { resolve: async () => ['255.255.255.255'] }
  const report = await diagnose(t, 'http://receiver.example/', cutOff)
  t.strictSame(resultsOf(report), ['warning', 'ok', 'warning', 'skipped', 'failed', 'skipped'])
  t.match(detailOf(report, 'test_event'), /ENETUNREACH/)
})

t.test('the doctor refuses an unknown endpoint', async (t) => {
  const { world } = await createMarket()
  const webhook_endpoint_id = '0198c0de-0000-7000-8000-00000000ffff'
  await t.rejects(doctor.run(world.service, { webhook_endpoint_id }), {
    code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
  })
})
