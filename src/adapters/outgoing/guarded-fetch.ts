import { type $Fetch, createFetch } from 'ofetch'
import { type Dispatcher, request } from 'undici'
import { abortable, withDeadline } from './deadline.ts'
import {
  createGuardedAgent,
  exchangeWithin,
  type GuardedAgent,
  type GuardedAgentOptions,
  urlOf,
} from './guarded-agent.ts'
import { OutgoingError } from './outgoing-error.ts'

export interface GuardedFetchOptions extends GuardedAgentOptions {
  readonly maximumBodyBytes?: number
}

/** The caller passes this in with a request. It is filled in even if no answer comes. */
export interface Trace {
  address: string | null
  /** Also set if the answer breaks off. */
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
