import { connect } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { until } from '../../../fixtures/async.ts'
import { freePort } from '../../../fixtures/world/listeners.ts'
import { listen, queueRequests } from '../../../src/cli/serve/http-server.ts'
import type { ProtocolErrorResponses } from '../../../src/http/protocol-errors.ts'

t.test(
  'a limited number of requests begins in each turn of the event loop, in order [D22]',
  async (t) => {
    const begun: number[] = []
    const begin = queueRequests((number: number) => begun.push(number), {
      refuse: () => t.fail('the queue has room'),
      perTurn: 3,
    })
    for (const number of [1, 2, 3, 4, 5, 6, 7]) begin(number)
    t.strictSame(begun, [1, 2, 3])
    await nextTurn()
    t.strictSame(begun, [1, 2, 3, 4, 5, 6])
    begin(8)
    t.equal(begun.length, 6)
    await nextTurn()
    t.strictSame(begun, [1, 2, 3, 4, 5, 6, 7, 8])
    begin(9)
    t.equal(begun.at(-1), 9)
  },
)

t.test(
  'a request is refused if the queue is full, and queued requests continue [D22]',
  async (t) => {
    const [begun, refused]: [number[], number[]] = [[], []]
    const begin = queueRequests((number: number) => begun.push(number), {
      refuse: (number) => refused.push(number),
      perTurn: 1,
      maximumWaiting: 2,
    })
    for (const number of [1, 2, 3, 4, 5]) begin(number)
    t.strictSame([begun, refused], [[1], [4, 5]])
    await nextTurn()
    begin(6)
    begin(7)
    t.strictSame(
      [begun, refused],
      [
        [1, 2],
        [4, 5, 7],
      ],
    )
  },
)

const refusals: ProtocolErrorResponses = {
  refuseUnreadable: (_error, socket) => socket.destroy(),
  refuseHost: () => false,
  refuseForNow: (_request, response) => response.writeHead(503).end(),
}

const unreadTimeoutMs = 300

/** Listens with an app whose answers no socket buffers as a whole, and cuts clients off early. */
async function listenBriefly(t: Test, answer: (path: string) => Promise<Response>) {
  const listening = await listen({ ...freePort, unreadTimeoutMs })
  t.teardown(() => listening.close(0))
  const app = { fetch: ({ url }: Request) => answer(new URL(url).pathname) }
  listening.answerWith(app, refusals)
  return listening
}

const large = new Uint8Array(64 * 1024 * 1024)

t.test('a client that does not read its answer is cut off', async (t) => {
  const listening = await listenBriefly(t, async () => new Response(large))
  const client = connect(listening.port, '127.0.0.1').on('error', () => {})
  t.teardown(() => client.destroy())
  client.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3))
  await until(t, () => listening.inFlight() === 3)
  await until(t, () => listening.inFlight() === 0)
})

t.test('a client that reads slowly, and an answer that takes long, are not cut off', async (t) => {
  const { port } = await listenBriefly(t, async (path) => {
    if (path === '/slow') await pause(1000)
    return new Response(path === '/large' ? large : 'late')
  })
  // biome-ignore lint/style/noRestrictedGlobals: this server is not the partner API.
  const late = await fetch(`http://127.0.0.1:${port}/slow`)
  t.equal(await late.text(), 'late')
  let bytes = 0
  await until(t, async () => {
    const delays = monitorEventLoopDelay({ resolution: 10 })
    delays.enable()
    bytes = await readSlowly(port)
    delays.disable()
    // On a busy machine, this process itself may stop for that long, and with it the client.
    const hasStopped = delays.max > (unreadTimeoutMs / 2) * nanosecondsPerMs
    return bytes > large.length || !hasStopped
  })
  t.ok(bytes > large.length)
})

const nanosecondsPerMs = 1e6

/** Reads for longer than the limit, but never stops for that long. Returns the number of bytes. */
async function readSlowly(port: number): Promise<number> {
  const client = connect(port, '127.0.0.1')
  client.write('GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  let bytes = 0
  try {
    for await (const chunk of client) {
      bytes += chunk.length
      if (bytes < large.length / 2) await pause(2)
    }
  } catch {
    // The connection was cut off.
  }
  return bytes
}

t.test('a client that is slow to send its first request is not cut off', async (t) => {
  const { port } = await listenBriefly(t, async () => new Response('late'))
  const client = connect(port, '127.0.0.1').setEncoding('utf8')
  client.write('GET / HTTP/1.1\r\nHost: x\r\n')
  // Longer than the limit for unread answers. Headers have their own limit, after which there is an answer.
  await pause(1000)
  client.write('Connection: close\r\n\r\n')
  let answer = ''
  for await (const chunk of client) answer += chunk
  t.match(answer, /^HTTP\/1\.1 200 /)
})
