import { Pool } from 'undici'
import type { Partner as Stored } from '../fixtures/world/partner.ts'
import { startCoopshare } from './service.ts'

const maximumConnections = 64

/** A partner in a filled store, and the service that uses the store. */
export interface ServedPartner {
  readonly pid: number
  /**
   * Sends a request of the partner on connections that stay open, and throws unless it succeeds.
   */
  // biome-ignore lint/suspicious/noExplicitAny: an answer has one of many shapes.
  send(method: 'GET' | 'POST', path: string, body?: unknown, key?: string): Promise<any>
  stop(): Promise<void>
}

export async function servePartner(
  directory: string,
  { clientId, clientSecret }: Stored,
  flags: readonly string[] = [],
): Promise<ServedPartner> {
  const client = { client_id: clientId, client_secret: clientSecret }
  const { pid, origin, headers, stop } = await startCoopshare({ directory, client, flags })
  const pool = new Pool(origin, { connections: maximumConnections })
  return {
    pid,
    send: (method, path, body, key) => send(pool, { method, path, body, key, headers }),
    stop: async () => {
      await pool.close()
      await stop()
    },
  }
}

interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: unknown
  readonly key: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

async function send(pool: Pool, { method, path, body, key, headers }: Sent) {
  const answer = await pool.request({
    method,
    path,
    headers: {
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${text}`)
  return JSON.parse(text)
}
