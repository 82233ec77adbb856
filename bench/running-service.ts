import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Pool } from 'undici'
import type { Partner } from '../fixtures/create-partner.ts'

const entry = join(import.meta.dirname, '..', 'bin', 'run.js')
// What is measured is the work, so nothing of it is refused.
const mostConnections = 64
const unlimited = ['--rate-limit', '100000000', '--address-rate-limit', '100000000']

export interface RunningService {
  readonly pid: number
  /** From the start of the process until it takes requests. */
  readonly startedInMs: number
  readonly residentMegabytes: number
  /** Sends a request of the partner on connections kept open, and refuses an answer that is no success. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer has one of many shapes.
  send(method: 'GET' | 'POST', path: string, body?: unknown, key?: string): Promise<any>
  stop(): Promise<void>
}

/** The built program in a process of its own, on loopback. */
export async function runService(
  dataDirectory: string,
  partner: Partner,
  flags: readonly string[] = [],
): Promise<RunningService> {
  const argv = [entry, 'serve', '--json', '--port', '0', '--data-dir', dataDirectory, ...flags]
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...argv, '--log-level', 'silent', ...unlimited], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Also when the measurement fails.
  process.once('exit', () => child.kill('SIGKILL'))
  const ready = once(createInterface({ input: child.stdout }), 'line')
  const [line] = await Promise.race([ready, failureOf(child)])
  const startedInMs = performance.now() - startedAt
  const residentMegabytes = residentMegabytesOf(child.pid)
  const client = new Pool(JSON.parse(line).base_url, { connections: mostConnections })
  const authorization = `Bearer ${await readToken(client, partner)}`
  return {
    pid: child.pid ?? 0,
    startedInMs,
    residentMegabytes,
    send: (method, path, body, key) => send(client, { method, path, body, key, authorization }),
    stop: async () => {
      await client.close()
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Rejects with what the service said when it ended. */
async function failureOf(child: ChildProcess): Promise<never> {
  let said = ''
  child.stderr?.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'exit')
  throw new Error(`The service ended with ${code}: ${said}`)
}

function residentMegabytesOf(pid: number | undefined): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}

async function readToken(client: Pool, { clientId, clientSecret }: Partner): Promise<string> {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const { body } = await client.request({
    method: 'POST',
    path: '/oauth2/token',
    headers: {
      authorization: `Basic ${credentials}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  const { access_token } = (await body.json()) as { access_token: string }
  return access_token
}

interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: unknown
  readonly key: string | undefined
  readonly authorization: string
}

async function send(client: Pool, { method, path, body, key, authorization }: Sent) {
  const answer = await client.request({
    method,
    path,
    headers: {
      authorization,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${text}`)
  return JSON.parse(text)
}
