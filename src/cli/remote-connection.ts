import { json } from 'node:stream/consumers'
import { FetchError, type FetchOptions, ofetch } from 'ofetch'
import { Problem, type ProblemCode } from '../domain/problem.ts'
import type { Environment } from '../usecases/service.ts'
import type { Connection } from './connection.ts'

export interface Peer {
  readonly url: string
  readonly token: string
  readonly environment: Environment
  /** Of each call; when undefined, the five minutes that `fetch` waits for the head of an answer. */
  readonly timeoutMs?: number | undefined
}

/** Runs operations on a service that is running, through its operator endpoint. */
export function createRemoteConnection(peer: Peer): Connection {
  return {
    call: (name, input) => request(peer, `/operations/${name}`, { method: 'POST', body: input }),
    backup: () => readBackup(peer),
    close: async () => {},
  }
}

async function* readBackup(peer: Peer): AsyncIterable<Uint8Array> {
  const body = await request(peer, '/store/backup', { responseType: 'stream' })
  try {
    yield* body as ReadableStream<Uint8Array>
  } catch (error) {
    throw cutOff(peer, error)
  }
}

async function request(peer: Peer, path: string, options: FetchOptions): Promise<never> {
  const headers = {
    authorization: `Bearer ${peer.token}`,
    'coopshare-environment': peer.environment,
    'content-type': 'application/json',
  }
  try {
    const bounds = { retry: 0, ...(peer.timeoutMs !== undefined && { timeout: peer.timeoutMs }) }
    return (await ofetch(`${peer.url}${path}`, { ...options, headers, ...bounds })) as never
  } catch (error) {
    throw error instanceof FetchError ? await problemOf(error, peer) : cutOff(peer, error)
  }
}

interface ProblemDetails {
  readonly code?: ProblemCode
  readonly detail?: string
  readonly errors?: Readonly<Record<string, string>>
  readonly trace_id?: string
}

async function problemOf(error: FetchError, peer: Peer): Promise<Error> {
  if (error.status === undefined) return unreachable(peer, error)
  if (error.status === 401) return tokenRefused(peer)
  const { code, detail, errors, trace_id } = await detailsOf(error)
  if (code && detail) return new Problem(code, detail, errors && { errors })
  const reason = trace_id
    ? `its log says why, with the requestId ${trace_id}.`
    : (detail ?? error.statusMessage ?? '')
  return new Error(`The service at ${peer.url} failed: ${reason}`)
}

/** Where bytes were asked for, a refusal comes as bytes, too. */
async function detailsOf({ data }: FetchError): Promise<ProblemDetails> {
  const told = data instanceof ReadableStream ? await json(data).catch(() => null) : data
  return typeof told === 'object' && told !== null ? told : {}
}

export function unreachable(peer: Pick<Peer, 'url'>, cause: Error): Problem {
  return new Problem('SERVICE_UNAVAILABLE', `No service answers at ${peer.url}. Is it running?`, {
    cause,
  })
}

/** After the head of an answer, a fault is of its body. */
function cutOff(peer: Peer, cause: unknown): Problem {
  const message = `The service at ${peer.url} has gone in the middle of its answer. What it was asked for may be done.`
  return new Problem('SERVICE_UNAVAILABLE', message, { cause })
}

export function tokenRefused(peer: Pick<Peer, 'url'>): Problem {
  return new Problem(
    'UNAUTHENTICATED',
    `The service at ${peer.url} refuses the operator token. Set COOPSHARE_OPERATOR_TOKEN to the one in its control.json.`,
  )
}
