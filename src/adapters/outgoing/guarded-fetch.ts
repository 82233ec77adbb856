import { type $Fetch, createFetch } from 'ofetch'
import type { Dispatcher } from 'undici'
import type { WebhookRequest } from '../../ports/webhook-sender.ts'
import { createGuardedAgent, type GuardedAgent, type GuardOptions, urlOf } from './guarded-agent.ts'
import { OutgoingError, timeout } from './outgoing-error.ts'

export interface GuardedFetchOptions extends GuardOptions {
  readonly maximumBodyBytes?: number
}

/**
 * A fetch for addresses that partners gave us. It allows only https and public addresses unless `allowPrivate` is set,
 * follows no redirects and never retries. It dispatches requests itself, because the `fetch` of a runtime may ignore
 * the agent and so the guard.
 */
export function createGuardedFetch({
  maximumBodyBytes = 64 * 1024,
  ...options
}: GuardedFetchOptions = {}): $Fetch {
  const agent = createGuardedAgent(options)
  const limits = { isBodyWanted: true, maximumBodyBytes }
  return createFetch({
    fetch: async (input, init = {}) => {
      const url = urlOf(input instanceof Request ? input.url : String(input))
      return responseOf(await exchange(agent, url, requestOf(init), limits))
    },
    defaults: { retry: 0, redirect: 'manual' },
  })
}

function requestOf({ method, headers, body, signal }: RequestInit): OutgoingRequest {
  return {
    method: (method ?? 'GET') as Dispatcher.HttpMethod,
    headers: Object.fromEntries(new Headers(headers)),
    body: (body ?? null) as string | Uint8Array | null,
    signal,
  }
}

/**
 * The constructor of Response refuses a body with these statuses, even an empty one (Fetch, null body status). Some
 * servers send such a body.
 */
const withoutBody: readonly number[] = [204, 205, 304]

function responseOf({ status, headers, body, address }: AnswerFrom): Response {
  const fields = Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
  const content = withoutBody.includes(status) ? null : new Uint8Array(body)
  try {
    return new Response(content, { status, headers: fields })
  } catch (error) {
    // The constructor also refuses a status above 599, which HTTP does not have.
    throw asOutgoingError(error, address)
  }
}

/** The answer to a webhook, of which only the status counts. */
export interface PostAnswer {
  readonly status: number
  readonly address: string | null
  readonly firstByteMs: number
}

/** Resolves as soon as the headers of the answer have arrived. */
export type GuardedPost = (request: WebhookRequest) => Promise<PostAnswer>

/**
 * POST with the rules of `createGuardedFetch`. With ofetch and `Response`, a webhook takes three times as long. The
 * body of the answer is read to its end, to reuse the connection. A body that is too long or too slow closes it.
 */
export function createGuardedPost(options: GuardOptions = {}): GuardedPost {
  const agent = createGuardedAgent(options)
  const limits = { isBodyWanted: false, maximumBodyBytes: 16 * 1024 }
  return async ({ url, headers, body, signal }) => {
    const startedMs = performance.now()
    const request = { method: 'POST', headers, body, signal } as const
    const { address, status } = await exchange(agent, urlOf(url), request, limits)
    return { status, address, firstByteMs: performance.now() - startedMs }
  }
}

type OutgoingRequest = Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'> & {
  readonly signal: AbortSignal | null | undefined
}

interface Limits {
  /** Whether the caller waits for the body. */
  readonly isBodyWanted: boolean
  readonly maximumBodyBytes: number
}

interface Head {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

interface Answer extends Head {
  readonly body: Buffer
}

interface AnswerFrom extends Answer {
  readonly address: string | null
}

/** Sends a request once. Throws an OutgoingError, or the reason of an aborted signal. */
async function exchange(
  agent: GuardedAgent,
  url: URL,
  { signal, ...request }: OutgoingRequest,
  limits: Limits,
): Promise<AnswerFrom> {
  const { protocol, origin, pathname, search } = url
  const isAllowed = protocol === 'https:' || (agent.allowPrivate && protocol === 'http:')
  if (!isAllowed) throw new OutgoingError('refused', 'The address does not begin with https.')
  // Of several connections to one origin, the latest one counts: their addresses hardly ever differ.
  const latest = () => agent.addresses.get(origin) ?? null
  const running = new Exchange(agent, limits)
  const abort = () => running.end(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  try {
    if (signal?.aborted) abort()
    else agent.dispatcher.dispatch({ origin, path: pathname + search, ...request }, running)
    const answer = await running.answer
    return { address: latest(), ...answer }
  } catch (error) {
    throw asOutgoingError(error, latest())
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

function asOutgoingError(error: unknown, address: string | null): unknown {
  if (error instanceof OutgoingError) return error
  const { name, code } = error as { name?: string; code?: string }
  // The caller knows why it aborted a request. An invalid request was never sent.
  if (name === 'AbortError' || code === 'UND_ERR_INVALID_ARG') return error
  const isLate = name === 'TimeoutError' || /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code ?? '')
  const more = { address, cause: error }
  return isLate
    ? new OutgoingError('timeout', 'The answer did not arrive in time.', more)
    : new OutgoingError('answer', 'The answer was not usable.', more)
}

/** The time limit for a body that no caller waits for. */
const dropTimeoutMs = 1000

/** One request in progress, as undici reports it. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>
  readonly #limits: Limits
  readonly #readTimeoutMs: number
  /** When the whole answer has to be there. */
  readonly #endMs: number
  #answered: (answer: Answer) => void = () => {}
  #failed: (error: Error) => void = () => {}
  #controller: Dispatcher.DispatchController | undefined
  #late: NodeJS.Timeout | undefined
  #ended: Error | undefined
  #head: Head = { status: 0, headers: {} }
  readonly #chunks: Buffer[] = []
  #bodyBytes = 0

  constructor({ connectTimeoutMs, readTimeoutMs }: GuardedAgent, limits: Limits) {
    this.#limits = limits
    this.#readTimeoutMs = readTimeoutMs
    this.#endMs = performance.now() + connectTimeoutMs + readTimeoutMs
    this.answer = new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#failed = reject
    })
    this.#endIn(connectTimeoutMs + readTimeoutMs)
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
    else this.#endIn(this.#readTimeoutMs)
  }

  onResponseStart(_controller: unknown, status: number, headers: Head['headers']): void {
    // An informational answer comes before the final one.
    if (status < 200) return
    const { isBodyWanted } = this.#limits
    this.#head = { status, headers }
    this.#endIn(isBodyWanted ? this.#endMs - performance.now() : dropTimeoutMs)
    if (!isBodyWanted) this.#complete()
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    const { isBodyWanted, maximumBodyBytes: limit } = this.#limits
    this.#bodyBytes += chunk.byteLength
    if (this.#bodyBytes > limit)
      this.end(new OutgoingError('answer', `The answer is over ${limit} bytes.`))
    else if (isBodyWanted) this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    clearTimeout(this.#late)
    this.#complete()
  }

  onResponseError(_controller: unknown, error: Error): void {
    clearTimeout(this.#late)
    this.#failed(error)
  }

  #endIn(ms: number): void {
    clearTimeout(this.#late)
    this.#late = setTimeout(() => this.end(timeout()), ms)
  }

  #complete(): void {
    this.#answered({ body: Buffer.concat(this.#chunks), ...this.#head })
  }
}
