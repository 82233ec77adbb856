import { connect } from 'node:net'
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

/** Listens with an app whose answers no socket buffers as a whole, and cuts clients off early. */
async function listenBriefly(t: Test, answer: (path: string) => Promise<Response>) {
  const listening = await listen({ ...freePort, unreadTimeoutMs: 300 })
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
  const client = connect(port, '127.0.0.1')
  client.write('GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  let bytes = 0
  for await (const chunk of client) {
    bytes += chunk.length
    // Reads for longer than the limit, but never stops for that long.
    if (bytes < large.length / 2) await pause(2)
  }
  t.ok(bytes > large.length)
})

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
