import { LRUCache } from 'lru-cache'
import { type $Fetch, createFetch } from 'ofetch'
import { Agent, type Dispatcher, request } from 'undici'
import { abortable, withDeadline } from './deadline.ts'
import { type ConnectorOptions, createGuardedConnector } from './guarded-connector.ts'
import { ConnectError, OutgoingError } from './outgoing-error.ts'
import { resolveHost } from './public-address.ts'

export interface GuardedFetchOptions extends Partial<ConnectorOptions> {
  /** For the answer, once connected. */
  readonly readTimeoutMs?: number
  readonly maximumBodyBytes?: number
  /** Only the status counts: the answer is there with its headers, and its body is read to the maximum and dropped. */
  readonly dropsBody?: boolean
}

/** Given along with a request, it receives what became known on the way, whether or not an answer came. */
export interface Trace {
  address: string | null
  /** Also of an answer that breaks off. */
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
  /** The one dialled last, by origin. */
  readonly addresses: LRUCache<string, string>
}

type TracedInit = RequestInit & { readonly trace?: Trace | undefined }

const rememberedAddresses = 1000
/** For a body that no caller waits for. */
const dropTimeoutMs = 1000

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
  dropsBody = false,
  ca,
}: GuardedFetchOptions = {}): $Fetch {
  const addresses = new LRUCache<string, string>({ max: rememberedAddresses })
  const onDial = (origin: string, address: string) => addresses.set(origin, address)
  const dispatcher = new Agent({
    connect: createGuardedConnector({ allowPrivate, resolve, connectTimeoutMs, ca, onDial }),
    // undici looks at its timers every half second, so the read timeout has a timer of ours.
    headersTimeout: 0,
    bodyTimeout: readTimeoutMs,
  })
  const totalTimeoutMs = connectTimeoutMs + readTimeoutMs
  const bounds = { totalTimeoutMs, readTimeoutMs, maximumBodyBytes, dropsBody }
  const limits = { dispatcher, allowPrivate, addresses, ...bounds }
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

async function fetchWithin(limits: Limits, url: URL, init: TracedInit): Promise<Response> {
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
    // The read timeout begins when the request goes out on a connection.
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
    // Not with undici's DecoratorHandler: that one fails when an informational answer comes before the real one.
    const start = handler.onRequestStart?.bind(handler)
    handler.onRequestStart = (...started) => {
      onStart()
      start?.(...started)
    }
    return dispatch(options, handler)
  }
}

/** So that the connection can be kept for the next request; a body that is long or slow costs it. */
function dropBody({ body }: Dispatcher.ResponseData, { maximumBodyBytes: limit }: Limits): void {
  body.dump({ limit, signal: AbortSignal.timeout(dropTimeoutMs) }).catch(() => {})
}

/** With several connections to one origin, it is the latest one's: they hardly ever differ. */
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
    // Leaving the loop also leaves the connection, with whatever is still to come.
    if (length > limit) throw new OutgoingError('answer', `The answer is over ${limit} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A Response refuses a body with these, even an empty one (Fetch, null body status); some servers send one. */
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
  // The caller that aborts a request knows why it ended.
  if (name === 'AbortError') return error
  const isLate = name === 'TimeoutError' || /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code ?? '')
  return isLate
    ? new OutgoingError('timeout', 'The answer was not there in time.', error)
    : new OutgoingError('answer', 'What came back was no usable answer.', error)
}
