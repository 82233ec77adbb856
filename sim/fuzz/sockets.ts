// Fuzzes real sockets: sends bytes to the partner API and to the operator endpoint, and answers the
// webhook sender with bytes.
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWebhookSender } from '../../src/adapters/webhook-sender/webhook-sender.ts'
import { startServing } from '../../src/cli/serve/start-serving.ts'
import { Dice } from '../dice.ts'
import { configOf, operatorToken } from '../service.ts'
import { mutateBytes, oddText } from './mutate.ts'
import { type FuzzResult, showsStack } from './result.ts'

const patienceMs = 150
const largestAnswer = 2_000_000

const requests: readonly string[] = [
  'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /v1/cooperatives HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer abc\r\n\r\n',
  'POST /oauth2/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 29\r\n\r\ngrant_type=client_credentials',
  'POST /v1/investors HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  `POST /operations/organization.list HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${operatorToken}\r\nContent-Length: 2\r\n\r\n{}`,
  'GET /docs HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n',
]

const answers: readonly string[] = [
  'HTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
  'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 Internal Server Error\r\nRetry-After: 9\r\n\r\n',
]

type Count = (outcome: string) => void
type Find = (fault: string, input: Uint8Array) => void

async function fuzzWith(work: (count: Count, find: Find) => Promise<void>): Promise<FuzzResult> {
  const outcomes: Record<string, number> = {}
  const findings: { fault: string; input: unknown }[] = []
  const count: Count = (outcome) => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  const find: Find = (fault, input) => {
    findings.push({ fault, input: Buffer.from(input).toString('base64') })
  }
  await work(count, find)
  return { tried: Object.values(outcomes).reduce((sum, one) => sum + one, 0), outcomes, findings }
}

function mutated(dice: Dice, from: readonly string[]): Buffer {
  let bytes: Buffer = Buffer.from(dice.pick(from) ?? '')
  do
    bytes = dice.chance(0.1)
      ? Buffer.concat([bytes, Buffer.from(oddText(dice))])
      : mutateBytes(dice, bytes)
  while (dice.chance(0.6))
  return bytes
}

/** Starts a service with a data directory on this machine. */
export function fuzzListeners(seed: number, count: number): Promise<FuzzResult> {
  const dice = new Dice(seed, 9)
  return fuzzWith(async (note, find) => {
    const directory = mkdtempSync(join(tmpdir(), 'coopshare-fuzz-'))
    const config = configOf({ environment: 'staging', backupEveryMs: undefined })
    const serving = await startServing(
      {
        ...config,
        dataDirectory: join(directory, 'data'),
        logLevel: 'silent',
        port: 0,
        operatorPort: 0,
        mailDirectory: join(directory, 'mail'),
      },
      async () => undefined,
    )
    const ports = [serving.listeningUrl, serving.operatorUrl].map((url) =>
      Number(new URL(url).port),
    )
    try {
      for (let number = 0; number < count; number += 1) {
        const bytes = mutated(dice, requests)
        const text = await exchange(dice.pick(ports) ?? 0, dice, bytes)
        note(statusOf(text))
        if (/^HTTP\/1\.1 5(?!03)/m.test(text)) find(text.slice(0, 200), bytes)
        if (showsStack(text) && !text.includes('text/html'))
          find('the answer shows a stack trace', bytes)
        if (number % 100 === 0) await requireAlive(ports, find, bytes)
      }
    } finally {
      await serving.close()
      rmSync(directory, { recursive: true })
    }
  })
}

async function requireAlive(
  ports: readonly number[],
  find: Find,
  bytes: Uint8Array,
): Promise<void> {
  for (const port of ports) {
    const answer = await fetch(`http://127.0.0.1:${port}/livez`).catch((error: Error) => error)
    if (answer instanceof Error || answer.status !== 200)
      find('the service no longer answers', bytes)
  }
}

function statusOf(text: string): string {
  return /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'no answer'
}

/** Writes the bytes in one or two parts, and reads what the service sends within a short time. */
function exchange(port: number, dice: Dice, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const end = () => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(patienceMs, end)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.length > largestAnswer) end()
    })
    socket.on('error', end)
    socket.on('close', end)
    const half = dice.chance(0.3) ? dice.below(bytes.length) : bytes.length
    socket.write(bytes.subarray(0, half))
    if (half < bytes.length) setTimeout(() => socket.write(bytes.subarray(half)), 5)
  })
}

export function fuzzWebhookAnswers(seed: number, count: number): Promise<FuzzResult> {
  const dice = new Dice(seed, 10)
  return fuzzWith(async (note, find) => {
    let bytes: Buffer = Buffer.alloc(0)
    const open = new Set<Socket>()
    const server = createServer((socket) => {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.once('data', () => socket.end(bytes))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const times = { connectTimeoutMs: 1000, readTimeoutMs: 1000 }
    const sender = createWebhookSender({ allowPrivate: true, ...times })
    const url = `http://127.0.0.1:${port}/hooks`
    for (let number = 0; number < count; number += 1) {
      bytes = mutated(dice, answers)
      const before = performance.now()
      const sent = await sender.send({ url, headers: {}, body: Buffer.from('{}') }).then(
        (outcome) => outcome,
        (error: Error) => error,
      )
      if (sent instanceof Error) find(`send throws ${sent.name}: ${sent.message}`, bytes)
      else note(sent.failure ?? 'delivered')
      if (performance.now() - before > 30_000) find('sending does not end in time', bytes)
    }
    for (const socket of open) socket.destroy()
    server.close()
  })
}
