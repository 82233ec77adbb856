import { type $Fetch, createFetch } from 'ofetch'
import { Agent, type Dispatcher, request } from 'undici'
import { abortable } from './abortable.ts'
import { type ConnectorOptions, createGuardedConnector } from './guarded-connector.ts'
import { OutgoingError } from './outgoing-error.ts'
import { resolveHost } from './resolve-host.ts'

export interface GuardedFetchOptions extends Partial<ConnectorOptions> {
  /** For the answer, once connected. */
  readonly readTimeoutMs?: number
  readonly maximumBodyBytes?: number
}

interface Limits {
  readonly dispatcher: Agent
  readonly allowPrivate: boolean
  readonly totalTimeoutMs: number
  readonly maximumBodyBytes: number
}

/**
 * ofetch for addresses that others have given us. Only https, and only public addresses, unless `allowPrivate`; no
 * redirect is followed and nothing is tried twice. It goes through undici's `request`, because a runtime's own `fetch`
 * may ignore the dispatcher and with it the guard.
 */
export function createGuardedFetch({
  allowPrivate = false,
  resolve = resolveHost,
  connectTimeoutMs = 5000,
  readTimeoutMs = 5000,
  maximumBodyBytes = 64 * 1024,
  ca,
}: GuardedFetchOptions = {}): $Fetch {
  const dispatcher = new Agent({
    connect: createGuardedConnector({ allowPrivate, resolve, connectTimeoutMs, ca }),
    headersTimeout: readTimeoutMs,
    bodyTimeout: readTimeoutMs,
  })
  // A body that drips keeps the two above from ever being reached.
  const totalTimeoutMs = connectTimeoutMs + readTimeoutMs
  const limits = { dispatcher, allowPrivate, totalTimeoutMs, maximumBodyBytes }
  return createFetch({
    fetch: (input, init) => fetchWithin(limits, urlOf(input), init ?? {}),
    defaults: { retry: 0, redirect: 'manual' },
  })
}

function urlOf(input: string | URL | Request): URL {
  const text = input instanceof Request ? input.url : String(input)
  if (!URL.canParse(text)) throw new OutgoingError('refused', 'The address is not a valid one.')
  return new URL(text)
}

async function fetchWithin(limits: Limits, url: URL, init: RequestInit): Promise<Response> {
  requireScheme(limits, url)
  const late = AbortSignal.timeout(limits.totalTimeoutMs)
  const signal = init.signal ? AbortSignal.any([init.signal, late]) : late
  try {
    const answer = await abortable(
      signal,
      request(url, { ...requestOptions(init), dispatcher: limits.dispatcher, signal }),
    )
    const body = await readBody(answer, limits.maximumBodyBytes)
    return responseOf(answer, body)
  } catch (error) {
    throw asOutgoingError(error)
  }
}

function requireScheme({ allowPrivate }: Limits, { protocol }: URL): void {
  if (protocol === 'https:' || (allowPrivate && protocol === 'http:')) return
  throw new OutgoingError('refused', 'The address does not begin with https.')
}

function requestOptions({ method, headers, body }: RequestInit) {
  return {
    method: (method ?? 'GET') as Dispatcher.HttpMethod,
    headers: Object.fromEntries(new Headers(headers)),
    body: (body ?? null) as string | Uint8Array | null,
  }
}

async function readBody({ body }: Dispatcher.ResponseData, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.byteLength
    if (length > limit) throw new OutgoingError('answer', `The answer is over ${limit} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function responseOf({ statusCode, headers }: Dispatcher.ResponseData, body: Buffer): Response {
  const fields = Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
  // Some statuses may not have a body at all, not even an empty one.
  return new Response(body.byteLength > 0 ? new Uint8Array(body) : null, {
    status: statusCode,
    headers: fields,
  })
}

function asOutgoingError(error: unknown): unknown {
  if (error instanceof OutgoingError) return error
  const { name, code } = error as { name?: string; code?: string }
  // Whoever aborts a request knows why it ended.
  if (name === 'AbortError') return error
  const isLate = name === 'TimeoutError' || /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code ?? '')
  return isLate
    ? new OutgoingError('timeout', 'The answer was not there in time.', error)
    : new OutgoingError('answer', 'What came back was no usable answer.', error)
}
