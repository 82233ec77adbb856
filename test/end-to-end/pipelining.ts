import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { serve } from '../../fixtures/program/serve.ts'

const maximumInFlight = 100
const request = 'GET /x?y HTTP/1.1\r\nHost: x\r\n\r\n'

async function start(t: Test) {
  const dataDirectory = t.testdir()
  const served = await serve(t, ['--data-dir', dataDirectory])
  const operator = await connectOperator(dataDirectory)
  const inFlight = async () => (await operator.metric('coopshare_http_requests_under_way')).get('')
  return { port: Number(new URL(served.base_url).port), inFlight, served }
}

/** Sends this number of requests in one write. */
async function sendAhead(port: number, requests: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(request.repeat(requests))
  return socket
}

/** Returns the answers of a connection, which the service must end. */
async function answersOf(socket: Socket): Promise<string[]> {
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  await once(socket, 'close')
  return text.split(/(?=HTTP\/1\.1 \d{3} )/)
}

t.test('a reset connection leaves no answers in memory [D22]', async (t) => {
  const { port, inFlight } = await start(t)
  const connections = Array.from({ length: 20 })
  for (let round = 0; round < 3; round++) {
    const sockets = await Promise.all(connections.map(() => sendAhead(port, maximumInFlight)))
    for (const socket of sockets) {
      await once(socket, 'readable')
      socket.resetAndDestroy()
    }
  }
  await until(t, async () => (await inFlight()) === 0)
})

t.test(
  'a connection has at most 100 requests in progress, and one more request ends it [D22]',
  async (t) => {
    const { port, inFlight } = await start(t)
    for (const requests of [maximumInFlight + 1, 1600, 20_000]) {
      const answers = await answersOf(await sendAhead(port, requests))
      const refused = answers.at(-1) ?? ''
      t.equal(answers.length, maximumInFlight + 1, `${requests}: later requests have no answer`)
      t.ok(answers.slice(0, -1).every((answer) => answer.startsWith('HTTP/1.1 404 ')))
      t.match(refused, /^HTTP\/1\.1 503 /)
      t.match(refused, /^retry-after: 1\r$/im)
      t.match(refused, /^connection: close\r$/im)
      t.match(JSON.parse(refused.slice(refused.indexOf('\r\n\r\n'))), {
        status: 503,
        code: 'SERVICE_UNAVAILABLE',
        instance: '/x',
        detail: /Repeat the request/,
      })
    }
    await until(t, async () => (await inFlight()) === 0)
  },
)

t.test('a client that pipelines a few requests is always answered [D22]', async (t) => {
  const { port } = await start(t)
  const socket = await sendAhead(port, 0)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  const count = () => text.split('HTTP/1.1 404 ').length - 1
  const few = maximumInFlight / 2
  for (let sent = few; sent <= 10 * few; sent += few) {
    socket.write(request.repeat(few))
    await until(t, () => count() === sent)
  }
  socket.destroy()
})
