import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { until } from '../../../fixtures/async.ts'
import { consoleToken } from '../../../fixtures/world/console.ts'
import { files, type Listeners, startListeners } from '../../../fixtures/world/listeners.ts'
import { createWorld } from '../../../fixtures/world/world.ts'
import { Problem } from '../../../src/domain/problem.ts'
import { runOperation } from '../../../src/operations/operations.ts'

/** More than the buffers of both sides of a connection hold, so the service must read it. */
const eightMiB = 8 * 1024 * 1024

interface Sent {
  readonly head: string
  readonly body: Buffer
}

/** Sends everything before it reads anything, as many clients and proxies do. */
async function sendAllFirst(socket: Socket, { head, body }: Sent): Promise<string> {
  socket.pause()
  socket.write(head)
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.write(body, (error) => (error ? reject(error) : resolve()))
  })
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += chunk
  return text
}

function withLength(start: string, headers: readonly string[], length = eightMiB): Sent {
  const lines = [start, 'Host: localhost', ...headers, `Content-Length: ${length}`]
  return { head: `${lines.join('\r\n')}\r\n\r\n`, body: Buffer.alloc(length, 'x') }
}

function inChunks(start: string, headers: readonly string[]): Sent {
  const lines = [start, 'Host: localhost', ...headers, 'Transfer-Encoding: chunked']
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  const body = Buffer.from(`${chunk.repeat(eightMiB / 65_536)}0\r\n\r\n`)
  return { head: `${lines.join('\r\n')}\r\n\r\n`, body }
}

const json = 'Content-Type: application/json'
const post = 'POST /v1/investors HTTP/1.1'

async function refusalsOf({ world, partners, operators }: Listeners) {
  const bearer = `Authorization: Bearer ${world.partner.token}`
  const narrow = `Authorization: Bearer ${await world.tokenWith('cooperatives:read')}`
  const admin = `Authorization: Bearer ${consoleToken}`
  const { token } = (await runOperation(world.service, 'operator.create', {
    name: 'Vera',
    role: 'viewer',
  })) as { token: string }
  const viewer = `Authorization: Bearer ${token}`
  const form = 'Content-Type: application/x-www-form-urlencoded'
  const rows: readonly (readonly [title: string, port: number, status: number, sent: Sent])[] = [
    ['too large', partners, 413, withLength(post, [bearer, json])],
    ['too large, in chunks', partners, 413, inChunks(post, [bearer, json])],
    ['no token', partners, 401, withLength(post, [json])],
    ['no token, in chunks', partners, 401, inChunks(post, [json])],
    ['a missing scope', partners, 403, withLength(post, [narrow, json])],
    ['no such path', partners, 404, withLength('POST /v1/none HTTP/1.1', [bearer, json])],
    ['a wrong method', partners, 405, withLength('POST /v1/me HTTP/1.1', [bearer, json])],
    ['a public path', partners, 405, withLength('POST /livez HTTP/1.1', [json])],
    ['a wrong type', partners, 415, inChunks(post, [bearer, 'Content-Type: text/plain'])],
    ['a form', partners, 400, withLength('POST /oauth2/token HTTP/1.1', [form])],
    ['HTTP/1.0', partners, 401, withLength('POST /v1/investors HTTP/1.0', [json])],
    ['the end announced', partners, 401, withLength(post, [json, 'Connection: close'])],
    ['malformed', partners, 400, withLength(post, ['this is not a header'])],
    ['too many headers', partners, 431, withLength(post, [`X-Long: ${'x'.repeat(20_000)}`])],
    [
      'an operator without a token',
      operators,
      401,
      inChunks('POST /operations/fixtures.apply HTTP/1.1', [json]),
    ],
    ['an operator’s wrong path', operators, 404, withLength('POST /none HTTP/1.1', [admin, json])],
    [
      'an operator’s long question',
      operators,
      413,
      withLength('POST /operations/organization.list HTTP/1.1', [admin, json]),
    ],
    [
      'a viewer',
      operators,
      403,
      withLength('POST /operations/fixtures.apply HTTP/1.1', [viewer, json]),
    ],
  ]
  return rows
}

for (const [name, https] of [
  ['http', false],
  ['https', files],
] as const) {
  t.test(`a refusal arrives at a client that sends everything first, by ${name}`, async (t) => {
    const listener = await startListeners(t, https)
    for (const [title, port, status, sent] of await refusalsOf(listener)) {
      const answer = await sendAllFirst(await listener.open(port), sent).catch(String)
      t.match(answer, new RegExp(`^HTTP/1.1 ${status} `), title)
      t.match(answer, /^connection: close\r$/im, title)
      t.match(answer, /"(status|error)":/, `${title}: the whole answer`)
    }
  })
}

t.test('a refusal for now arrives, too', async (t) => {
  const limits = { requestsPerAddress: 1 }
  const listener = await startListeners(t, false, await createWorld({ app: { limits } }))
  const { world, partners, open } = listener
  const sent = withLength(post, [json])
  t.match(await sendAllFirst(await open(partners), sent), /^HTTP\/1\.1 401 /)
  t.match(await sendAllFirst(await open(partners), sent), /^HTTP\/1\.1 429 /)
  const other = await startListeners(t, false)
  other.world.service.store.read = async () => {
    throw new Problem('SERVICE_UNAVAILABLE', 'The store cannot be reached.')
  }
  const bearer = `Authorization: Bearer ${world.partner.token}`
  const refused = await sendAllFirst(
    await other.open(other.partners),
    withLength(post, [bearer, json]),
  )
  t.match(refused, /^HTTP\/1\.1 503 /)
})

/** Resolves with everything that arrives until the service ends its side of the connection. */
async function readUntilEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  await once(socket, 'end')
  return text
}

t.test('at most 100 refused connections are read at the same time, the newest ones', async (t) => {
  const { partners } = await startListeners(t, false)
  const { head } = withLength(post, [json])
  const stay = async () => {
    // This client does not end its side when the service does.
    const socket = connect({ port: partners, host: '127.0.0.1', allowHalfOpen: true })
    t.teardown(() => socket.destroy())
    socket.on('error', () => {}).write(head)
    t.match(await readUntilEnd(socket), /^HTTP\/1\.1 401 /)
    return socket
  }
  const sockets: Socket[] = []
  for (let count = 0; count < 100; count++) sockets.push(await stay())
  const [oldest, second] = sockets
  // A client notices that the connection is gone when it sends again.
  const isGone = async (socket: Socket | undefined) => {
    socket?.write('x')
    return socket?.destroyed
  }
  t.notOk(await isGone(oldest))
  await stay()
  await until(t, () => isGone(oldest))
  t.notOk(await isGone(second))
})

t.test('of a refused request, at least 8 MiB are read, and not without end', async (t) => {
  const { partners, open } = await startListeners(t, false)
  const socket = await open(partners)
  const { head, body } = withLength(post, [json], 64 * eightMiB)
  const end = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))
  socket.write(head)
  let sent = 0
  const part = body.subarray(0, 65_536)
  while (socket.writable && sent < body.length) {
    await new Promise((resolve) => socket.write(part, resolve))
    sent += part.length
  }
  await end
  t.ok(sent >= eightMiB && sent < body.length / 4, `${sent}`)
})

t.test('a connection stays open after a refusal of a short request', async (t) => {
  const { world, partners, open } = await startListeners(t, false)
  const socket = await open(partners)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  const { head, body } = withLength(post, [json], 60_000)
  socket.write(head)
  await until(t, () => text.includes('HTTP/1.1 401 '))
  t.notMatch(text, /^connection: close\r$/im)
  socket.write(body)
  const bearer = `Authorization: Bearer ${world.partner.token}`
  socket.write(`GET /v1/me HTTP/1.1\r\nHost: localhost\r\n${bearer}\r\nConnection: close\r\n\r\n`)
  await once(socket, 'end')
  t.match(text, /HTTP\/1\.1 200 /)
})

t.test('a client that waits for 100 Continue gets it, and then its answer', async (t) => {
  const { world, partners, operators, open } = await startListeners(t, false)
  const bearer = `Authorization: Bearer ${world.partner.token}`
  const expect = 'Expect: 100-Continue'
  const body = '{"partner_customer_ref":"c-1"}'
  const close = 'Connection: close'
  const accepted = withLength(post, [bearer, json, expect, close], body.length)
  const rows = [
    [partners, 401, withLength(post, [json, expect])],
    [partners, 413, withLength(post, [bearer, json, expect])],
    [operators, 401, withLength('POST /operations/fixtures.apply HTTP/1.1', [json, expect])],
    [partners, 201, { ...accepted, body: Buffer.from(body) }],
  ] as const
  for (const [port, status, sent] of rows) {
    const socket = (await open(port)).on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk) => (text += chunk))
    socket.write(sent.head)
    await until(t, () => text.startsWith('HTTP/1.1 100 Continue\r\n\r\n'))
    socket.write(sent.body)
    await closed
    t.match(text, new RegExp(`^HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 ${status} `))
  }
})
