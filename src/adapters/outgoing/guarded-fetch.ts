import { type $Fetch, createFetch } from 'ofetch'
import { type Dispatcher, request } from 'undici'
import type { WebhookRequest } from '../../ports/webhook-sender.ts'
import {
  createGuardedAgent,
  exchangeWithin,
  type GuardedAgent,
  type GuardedAgentOptions,
  urlOf,
} from './guarded-agent.ts'
import { abortable, OutgoingError, timeout, withDeadline } from './outgoing-error.ts'

export interface GuardedFetchOptions extends GuardedAgentOptions {
  readonly maximumBodyBytes?: number
}

/** The caller passes a trace with a request. The trace is filled in even if no answer comes. */
export interface Trace {
  address: string | null
  /** Present even if the answer breaks off. */
  status: number | null
  firstByteMs: number | null
}

interface Limits extends GuardedAgent {
  readonly totalTimeoutMs: number
  readonly maximumBodyBytes: number
}

type TracedInit = RequestInit & { readonly trace?: Trace | undefined }

/**
 * A fetch for addresses that partners gave us. It allows only https and public addresses unless `allowPrivate` is set,
 * follows no redirects and never retries. It uses undici's `request`, because the `fetch` of a runtime may ignore the
 * dispatcher and so the guard.
 */
export function createGuardedFetch({
  maximumBodyBytes = 64 * 1024,
  ...options
}: GuardedFetchOptions = {}): $Fetch {
  const agent = createGuardedAgent(options)
  const totalTimeoutMs = agent.connectTimeoutMs + agent.readTimeoutMs
  const limits = { ...agent, totalTimeoutMs, maximumBodyBytes }
  return createFetch({
    fetch: (input, init) =>
      fetchWithin(limits, urlOf(input instanceof Request ? input.url : String(input)), init ?? {}),
    defaults: { retry: 0, redirect: 'manual' },
  })
}

function fetchWithin(limits: Limits, url: URL, init: TracedInit): Promise<Response> {
  const trace = init.trace ?? { address: null, status: null, firstByteMs: null }
  return exchangeWithin(limits, { url, trace }, () => exchange(limits, url, { init, trace }))
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
    // Leaving the loop closes the connection, so the remaining body is never read.
    if (length > limit) throw new OutgoingError('answer', `The answer is over ${limit} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * The constructor of Response refuses a body with these statuses, even an empty one (Fetch, null body status). Some
 * servers send such a body.
 */
const withoutBody: readonly number[] = [204, 205, 304]

function responseOf({ statusCode, headers }: Dispatcher.ResponseData, body: Buffer): Response {
  const fields = Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
  const content = withoutBody.includes(statusCode) ? null : new Uint8Array(body)
  return new Response(content, { status: statusCode, headers: fields })
}

/** Resolves with the status as soon as the headers of the answer have arrived. */
export type GuardedPost = (request: WebhookRequest, trace: Trace) => Promise<number>

/** Limits for a body that no caller waits for. */
const maximumBodyBytes = 16 * 1024
const dropTimeoutMs = 1000

/**
 * POST with the rules of `createGuardedFetch`, where only the status counts. It uses a
 * handler of undici: with ofetch, `Response` and an AbortController per request, a webhook takes
 * three times as long.
 */
export function createGuardedPost(options: GuardedAgentOptions = {}): GuardedPost {
  const agent = createGuardedAgent(options)
  const { dispatcher, connectTimeoutMs, readTimeoutMs } = agent
  return async (request, trace) => {
    const url = urlOf(request.url)
    const { origin, pathname, search } = url
    const { headers, body, signal } = request
    const sent = { origin, path: pathname + search, method: 'POST', headers, body } as const
    return exchangeWithin(agent, { url, trace }, async () => {
      const startedMs = performance.now()
      const exchange = new Exchange(readTimeoutMs)
      const abort = () => exchange.end(signal?.reason)
      if (signal?.aborted) throw signal.reason
      signal?.addEventListener('abort', abort, { once: true })
      exchange.endIn(connectTimeoutMs + readTimeoutMs)
      dispatcher.dispatch(sent, exchange)
      try {
        trace.status = await exchange.status
        trace.firstByteMs = performance.now() - startedMs
        return trace.status
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    })
  }
}

/** One request in progress, as undici reports it. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly status: Promise<number>
  readonly #readTimeoutMs: number
  #answered: (status: number) => void = () => {}
  #failed: (error: Error) => void = () => {}
  #controller: Dispatcher.DispatchController | undefined
  #late: NodeJS.Timeout | undefined
  #ended: Error | undefined
  #bodyBytes = 0

  constructor(readTimeoutMs: number) {
    this.#readTimeoutMs = readTimeoutMs
    this.status = new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#failed = reject
    })
  }

  endIn(ms: number): void {
    clearTimeout(this.#late)
    this.#late = setTimeout(() => this.end(timeout()), ms)
  }

  /** A request that has no connection yet is aborted as soon as it gets one. */
  end(reason: Error): void {
    clearTimeout(this.#late)
    this.#ended = reason
    this.#controller?.abort(reason)
    this.#failed(reason)
  }

  /** The read timeout begins when the request goes out on a connection. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#ended) controller.abort(this.#ended)
    else this.endIn(this.#readTimeoutMs)
  }

  /** The body is read to its end, to reuse the connection. A body that is too long or too slow closes it. */
  onResponseStart(_controller: unknown, status: number): void {
    // An informational answer comes before the final one.
    if (status < 200) return
    this.endIn(dropTimeoutMs)
    this.#answered(status)
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#bodyBytes += chunk.byteLength
    if (this.#bodyBytes > maximumBodyBytes) this.end(new OutgoingError('answer', 'It is too long.'))
  }

  onResponseEnd(): void {
    clearTimeout(this.#late)
  }

  onResponseError(_controller: unknown, error: Error): void {
    clearTimeout(this.#late)
    this.#failed(error)
  }
}
