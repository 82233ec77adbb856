import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import KeyRotate from '../../commands/key/rotate.ts'
import OrganizationCreate from '../../commands/organization/create.ts'
import OrganizationList from '../../commands/organization/list.ts'
import StoreBackup from '../../commands/store/backup.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { runCommand, startService } from '../../fixtures/program/run-command.ts'

interface Relay {
  readonly port: number
  /** The port of the service behind the relay. */
  to: number
  /** All bytes that were sent to the service, by connection. */
  readonly sent: () => readonly Buffer[]
  /** Changes bytes in either direction. */
  alter: { request: (bytes: Buffer) => Buffer; answer: (bytes: Buffer) => Buffer }
}

/**
 * Starts a relay between a command and the service, such as an attacker on the network could run.
 */
async function startRelay(t: Test): Promise<Relay> {
  const connections: Buffer[][] = []
  const sockets = new Set<Socket>()
  const alter: Relay['alter'] = { request: (bytes) => bytes, answer: (bytes) => bytes }
  const server = createServer((client) => {
    const chunks: Buffer[] = []
    connections.push(chunks)
    const service = connect(relay.to, '127.0.0.1')
    for (const socket of [client, service]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('data', (bytes) => {
      const altered = alter.request(bytes)
      chunks.push(altered)
      service.write(altered)
    })
    service.on('data', (bytes) => client.write(alter.answer(bytes)))
    client.on('close', () => service.destroy())
    service.on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const sent = () => connections.map((chunks) => Buffer.concat(chunks))
  const relay: Relay = { port, to: 0, sent, alter }
  return relay
}

/** Sends bytes unchanged and returns everything that comes back until the connection ends. */
async function sendRaw(port: number, bytes: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString('latin1')))
  socket.end(bytes)
  await once(socket, 'close')
  return text
}

/** Finds the connections that carried an operation and returns their bytes. */
function operationsIn(relay: Relay): Buffer[] {
  return relay
    .sent()
    .map((bytes) => bytes.toString('latin1'))
    .flatMap((text) => {
      const from = text.indexOf('POST /operations/')
      return from < 0 ? [] : [Buffer.from(text.slice(from), 'latin1')]
    })
    .map((bytes) => Buffer.from(bytes.toString('latin1').replace(/keep-alive/i, 'close'), 'latin1'))
}

interface Relayed {
  readonly relay: Relay
  readonly port: number
  readonly token: string
  readonly dataDirectory: string
}

/**
 * Starts a service behind a relay, and puts its token where commands look for it. Unless `isKnown`,
 * the service does not accept the address of the relay.
 */
async function startRelayed(t: Test, { isKnown = true } = {}): Promise<Relayed> {
  const dataDirectory = t.testdir()
  const relay = await startRelay(t)
  const names = isKnown ? ['--operator-names', `localhost:${relay.port}`] : []
  const serving = await startService(dataDirectory, ...names)
  t.teardown(() => serving.close())
  const port = Number(new URL(serving.operatorUrl).port)
  relay.to = port
  const { token } = JSON.parse(await readFile(join(dataDirectory, 'control.json'), 'utf8'))
  process.env['COOPSHARE_OPERATOR_TOKEN'] = token
  t.teardown(() => delete process.env['COOPSHARE_OPERATOR_TOKEN'])
  return { relay, port, token, dataDirectory }
}

function through(relay: Relay, ...argv: string[]): string[] {
  return [...argv, '--operator-url', `http://localhost:${relay.port}`, '--json']
}

t.test('a request for another address is refused, and the token is never sent [D40]', async (t) => {
  const { relay, token } = await startRelayed(t, { isKnown: false })
  const created = await runCommand(OrganizationCreate, 'Demo Bank', ...through(relay))
  t.equal(created.exitCode, 4)
  const message = new RegExp(`^localhost:${relay.port} is not a known address.*--operator-names`)
  t.match(created.json.error, { code: 'FORBIDDEN', message })
  const sent = Buffer.concat(relay.sent()).toString('latin1')
  t.match(sent, 'POST /operations/organization.create')
  t.notMatch(sent, token)
  t.notMatch(sent, /bearer/i)
})

t.test(
  'a request for an address in --operator-names is accepted, and the token is never sent [D40]',
  async (t) => {
    const { relay, token, dataDirectory } = await startRelayed(t)
    t.equal((await runCommand(OrganizationCreate, 'Demo Bank', ...through(relay))).exitCode, 0)
    const listed = await runCommand(OrganizationList, ...through(relay))
    t.match(listed.json, exactArrays([{ name: 'Demo Bank' }]))
    const file = join(dataDirectory, 'backup')
    t.equal((await runCommand(StoreBackup, ...through(relay, file))).exitCode, 0)
    t.ok((await readFile(file)).length > 1000)
    t.notMatch(Buffer.concat(relay.sent()).toString('latin1'), token)
  },
)

t.test('a recorded request cannot be sent again [D40]', async (t) => {
  const { relay, port } = await startRelayed(t)
  const rotated = await runCommand(KeyRotate, ...through(relay))
  t.equal(rotated.exitCode, 0)
  const [captured] = operationsIn(relay)
  if (!captured) return t.fail('it was recorded')
  for (const title of ['immediately', 'a second time']) {
    const answer = await sendRaw(port, captured)
    t.match(answer, /^HTTP\/1\.1 401 /, title)
    t.match(answer, 'sent before', title)
  }
})

t.test('a request that was changed on the way is refused [D40]', async (t) => {
  const { relay } = await startRelayed(t)
  const changes: [title: string, from: string, to: string][] = [
    [
      'the operation',
      'POST /operations/organization.create',
      'POST /operations/organization.update',
    ],
    ['the method', 'POST /operations', 'PUT /operations'],
    ['the body', '"name":"Demo Bank"', '"name":"Evil Bank"'],
    ['the environment', 'coopshare-environment: staging', 'coopshare-environment: stagin9'],
    ['the address', `authority="localhost:${relay.port}"`, `authority="127.0.0.1:${relay.port}"`],
  ]
  for (const [title, from, to] of changes) {
    let isChanged = false
    relay.alter.request = (bytes) => {
      const text = bytes.toString('latin1')
      isChanged ||= text.includes(from)
      return Buffer.from(text.replace(from, to), 'latin1')
    }
    const created = await runCommand(OrganizationCreate, 'Demo Bank', ...through(relay))
    t.ok(isChanged, title)
    t.equal(created.exitCode, 5, title)
    t.equal(created.json.error.code, 'UNAUTHENTICATED', title)
  }
  relay.alter.request = (bytes) => bytes
  t.same((await runCommand(OrganizationList, ...through(relay))).json, [])
})

t.test('a command rejects an answer that was changed on the way [D40]', async (t) => {
  const { relay } = await startRelayed(t)
  await runCommand(OrganizationCreate, 'Demo Bank', ...through(relay))
  const changes: [title: string, change: (text: string) => string][] = [
    ['another content', (text) => text.replace('Demo Bank', 'Evil Bank')],
    ['another status', (text) => text.replace('HTTP/1.1 200', 'HTTP/1.1 201')],
    [
      'an answer without a signature',
      (text) =>
        text.includes('vnd.coopshare.signed')
          ? 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]'
          : text,
    ],
  ]
  for (const [title, change] of changes) {
    relay.alter.answer = (bytes) => Buffer.from(change(bytes.toString('latin1')), 'latin1')
    // The relay passes the proof of identity unchanged.
    const listed = await runCommand(OrganizationList, ...through(relay))
    t.equal(listed.exitCode, 5, title)
    t.match(
      listed.json.error,
      { code: 'SERVICE_UNAVAILABLE', message: /a proxy may have written it/ },
      title,
    )
  }
})
