import type { Dispatcher } from 'undici'
import type { WebhookRequest } from '../../ports/webhook-sender.ts'
import { timeout } from './deadline.ts'
import {
  createGuardedAgent,
  exchangeWithin,
  type GuardedAgentOptions,
  urlOf,
} from './guarded-agent.ts'
import type { Trace } from './guarded-fetch.ts'
import { OutgoingError } from './outgoing-error.ts'

/** Resolves with the status as soon as the headers of the answer are there. */
export type GuardedPost = (request: WebhookRequest, trace: Trace) => Promise<number>

/** Of a body that no caller waits for. */
const maximumBodyBytes = 16 * 1024
const dropTimeoutMs = 1000

/**
 * POST with the rules of `createGuardedFetch`, where only the status counts. It gives undici a handler of its own: with
 * ofetch, `Response` and an AbortController for each request, a webhook takes three times as long.
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

/** One request on its way, as undici reports it. */
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

  /** Before it has a connection, the request itself ends when it gets one. */
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

  /** The body is read to its end, so that the connection can be kept; one that is long or slow costs it. */
  onResponseStart(_controller: unknown, status: number): void {
    // An informational answer comes before the real one.
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
