import { LRUCache } from 'lru-cache'
import { type $Fetch, createFetch } from 'ofetch'
import { Agent, type Dispatcher, request } from 'undici'
import { abortable, withDeadline } from './deadline.ts'
import { type ConnectorOptions, createGuardedConnector } from './guarded-connector.ts'
import { ConnectError, OutgoingError } from './outgoing-error.ts'
import { resolveHost } from './public-address.ts'

export interface GuardedFetchOptions extends Partial<ConnectorOptions> {
  /** The limit for the answer, once connected. */
  readonly readTimeoutMs?: number
  readonly maximumBodyBytes?: number
  /** Returns only status and headers. The body is read up to the maximum and discarded. */
  readonly dropsBody?: boolean
}

/** The caller passes this in with a request. It is filled in even if no answer comes. */
export interface Trace {
  address: string | null
  /** Also set if the answer breaks off. */
  status: number | null
  firstByteMs: number | null
}

interface Limits {
  readonly dispatcher: Agent
  readonly allowPrivate: boolean
  readonly totalTimeoutMs: number
  readonly maximumBodyBytes: number
  readonly dropsBody: boolean
  readonly readTimeoutMs: number
  /** The address used last, by origin. */
  readonly addresses: LRUCache<string, string>
}

type TracedInit = RequestInit & { readonly trace?: Trace | undefined }

const maximumAddresses = 1000
/** The limit for reading a body that nobody waits for. */
const dropTimeoutMs = 1000

/**
 * A fetch for addresses that partners gave us. It allows only https and public addresses unless `allowPrivate` is set,
 * follows no redirects and never retries. It uses undici's `request`, because the `fetch` of a runtime may ignore the
 * dispatcher and so the guard.
 */
export function createGuardedFetch({
  allowPrivate = false,
  resolve = resolveHost,
  connectTimeoutMs = 5000,
  readTimeoutMs = 5000,
  maximumBodyBytes = 64 * 1024,
  dropsBody = false,
  ca,
}: GuardedFetchOptions = {}): $Fetch {
  const addresses = new LRUCache<string, string>({ max: maximumAddresses })
  const onDial = (origin: string, address: string) => addresses.set(origin, address)
  const dispatcher = new Agent({
    connect: createGuardedConnector({ allowPrivate, resolve, connectTimeoutMs, ca, onDial }),
    // undici checks its timers only every half second, so the read timeout has its own timer.
    headersTimeout: 0,
    bodyTimeout: readTimeoutMs,
  })
  const totalTimeoutMs = connectTimeoutMs + readTimeoutMs
  const bounds = { totalTimeoutMs, readTimeoutMs, maximumBodyBytes, dropsBody }
  const limits = { dispatcher, allowPrivate, addresses, ...bounds }
  return createFetch({
    fetch: (input, init) => fetchLimited(limits, urlOf(input), init ?? {}),
    defaults: { retry: 0, redirect: 'manual' },
  })
}

function urlOf(input: string | URL | Request): URL {
  const text = input instanceof Request ? input.url : String(input)
  if (!URL.canParse(text)) throw new OutgoingError('refused', 'The address is not a valid one.')
  return new URL(text)
}

async function fetchLimited(limits: Limits, url: URL, init: TracedInit): Promise<Response> {
  requireScheme(limits, url)
  const trace = init.trace ?? { address: null, status: null, firstByteMs: null }
  try {
    const response = await exchange(limits, url, { init, trace })
    trace.address = addressOf(limits, url)
    return response
  } catch (cause) {
    const error = asOutgoingError(cause)
    trace.address = addressOf(limits, url, error)
    throw error
  }
}

interface Traced {
  readonly init: RequestInit
  readonly trace: Trace
}

function exchange(limits: Limits, url: URL, { init, trace }: Traced): Promise<Response> {
  const { dispatcher, totalTimeoutMs: timeoutMs, readTimeoutMs } = limits
  return withDeadline({ outer: init.signal, timeoutMs }, async (signal, startDeadline) => {
    const startedMs = performance.now()
    // The read timeout begins when the request is sent.
    const timed = dispatcher.compose(noticeStart(() => startDeadline(readTimeoutMs)))
    const answer = await abortable(
      signal,
      request(url, { ...requestOptions(init), dispatcher: timed, signal }),
    )
    trace.firstByteMs = performance.now() - startedMs
    trace.status = answer.statusCode
    if (limits.dropsBody) {
      dropBody(answer, limits)
      return responseOf(answer, Buffer.alloc(0))
    }
    startDeadline(timeoutMs - trace.firstByteMs)
    return responseOf(answer, await readBody(answer, limits))
  })
}

function noticeStart(onStart: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    // undici's DecoratorHandler fails if an informational answer precedes the final one.
    const start = handler.onRequestStart?.bind(handler)
    handler.onRequestStart = (...started) => {
      onStart()
      start?.(...started)
    }
    return dispatch(options, handler)
  }
}

/**
 * Reads the body to the end so that the connection can be reused. If the body is long or slow, the connection is
 * closed.
 */
function dropBody({ body }: Dispatcher.ResponseData, { maximumBodyBytes: limit }: Limits): void {
  body.dump({ limit, signal: AbortSignal.timeout(dropTimeoutMs) }).catch(() => {})
}

/** With several connections to an origin, this is the address of the latest one. They rarely differ. */
function addressOf({ addresses }: Limits, url: URL, error?: unknown): string | null {
  return error instanceof ConnectError ? error.address : (addresses.get(url.origin) ?? null)
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

async function readBody(
  { body }: Dispatcher.ResponseData,
  { maximumBodyBytes: limit }: Limits,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.byteLength
    // Leaving the loop closes the connection with the rest of the body.
    if (length > limit) throw new OutgoingError('answer', `The answer is over ${limit} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * The constructor of Response refuses a body with these statuses, even an empty one (Fetch, null body status). Some
 * servers send one.
 */
const withoutBody: readonly number[] = [204, 205, 304]

function responseOf({ statusCode, headers }: Dispatcher.ResponseData, body: Buffer): Response {
  const fields = Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
  const content = withoutBody.includes(statusCode) ? null : new Uint8Array(body)
  return new Response(content, { status: statusCode, headers: fields })
}

function asOutgoingError(error: unknown): unknown {
  if (error instanceof OutgoingError) return error
  const { name, code } = error as { name?: string; code?: string }
  // The caller that aborted the request knows why it ended.
  if (name === 'AbortError') return error
  const isLate = name === 'TimeoutError' || /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code ?? '')
  return isLate
    ? new OutgoingError('timeout', 'The answer was not there in time.', error)
    : new OutgoingError('answer', 'What came back was no usable answer.', error)
}
