import type { ClientRequest, IncomingMessage, InformationEvent } from 'node:http'
import type { Socket } from 'node:net'
import { type $Fetch, createFetch } from 'ofetch'
import { noConnection, type WebhookRequest } from '../../ports/webhook-sender.ts'
import { asksForCertificate } from './client-certificate.ts'
import { createGuardedAgent, type GuardedAgent, type GuardOptions, urlOf } from './guarded-agent.ts'
import { isTlsAlert, OutgoingError, timeout } from './outgoing-error.ts'

export interface GuardedFetchOptions extends GuardOptions {
  readonly maximumBodyBytes?: number
}

/**
 * A fetch for addresses that partners gave us. It allows only https and public addresses unless `allowPrivate` is set,
 * follows no redirects and does not retry after an answer or a fault. It dispatches requests itself, because the `fetch` of a runtime may ignore
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
    method: method ?? 'GET',
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

function responseOf({ status, rawHeaders, body, address }: AnswerFrom): Response {
  const fields = rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
  )
  const content = withoutBody.includes(status) ? null : new Uint8Array(body)
  try {
    return new Response(content, { status, headers: fields })
  } catch (error) {
    // The constructor also refuses a status above 599, which HTTP does not have.
    throw asOutgoingError(error, { address, asksForCertificate: false })
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

interface OutgoingRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
  readonly signal: AbortSignal | null | undefined
}

interface Limits {
  /** Whether the caller waits for the body. */
  readonly isBodyWanted: boolean
  readonly maximumBodyBytes: number
}

interface AnswerFrom {
  readonly status: number
  /** Names and values alternate. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  readonly address: string | null
}

/** The limit of the parser for the head of one answer, and ours for all interim answers. */
const maximumHeadBytes = 16 * 1024

/**
 * Sends a request. Sends it once more if a connection of an earlier request was closed before this one arrived. Throws
 * an OutgoingError, or the reason of an aborted signal.
 */
async function exchange(
  agent: GuardedAgent,
  url: URL,
  { signal, body, method, headers }: OutgoingRequest,
  limits: Limits,
): Promise<AnswerFrom> {
  const { protocol } = url
  const isAllowed = protocol === 'https:' || (agent.allowPrivate && protocol === 'http:')
  if (!isAllowed) throw new OutgoingError('refused', 'The address does not begin with https.')
  signal?.throwIfAborted()
  const endMs = performance.now() + agent.connectTimeoutMs + agent.readTimeoutMs
  const start = (isAlone: boolean) => {
    const call = agent.request(url, {
      method,
      headers,
      isAlone,
      maxHeaderSize: maximumHeadBytes,
      // Accepts answers that break rules without consequences here, such as those about line breaks. If the end of such
      // an answer is unclear, that affects only the sender of it.
      insecureHTTPParser: true,
    })
    const started = new Exchange(call, limits, { readTimeoutMs: agent.readTimeoutMs, endMs })
    call.end(body)
    return started
  }
  let running = start(false)
  const abort = () => running.end(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  try {
    return await running.answer.catch((error) => {
      if (error !== stale) throw error
      signal?.throwIfAborted()
      running = start(true)
      return running.answer
    })
  } catch (error) {
    throw asOutgoingError(error, running)
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

function asOutgoingError(error: unknown, { address, asksForCertificate }: Connected): unknown {
  if (error instanceof OutgoingError) return error
  const { name, code } = error as { name?: string; code?: string }
  // The caller knows why it aborted a request.
  if (name === 'AbortError') return error
  const more = { address, asksForCertificate, cause: error }
  if (name === 'TimeoutError') {
    return new OutgoingError('timeout', 'The answer did not arrive in time.', more)
  }
  // With TLS 1.3, the other side judges the handshake when the connection is already open. Some say nothing then.
  const isRefused = isTlsAlert(code) || (asksForCertificate && isClosed(code))
  if (isRefused) return new OutgoingError('tls', noConnection, more)
  return new OutgoingError('answer', unusable(error as ParserError), more)
}

/** The reason is a sentence of the parser, without text from the answer. */
interface ParserError extends NodeJS.ErrnoException {
  readonly reason?: string
}

function unusable({ code, reason }: ParserError): string {
  if (reason !== undefined) return `The answer is not valid HTTP: ${reason}.`
  return isClosed(code)
    ? 'The connection was closed before the answer was complete.'
    : 'The answer was not usable.'
}

function isClosed(code: string | undefined): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE'
}

/** The time limit for a body that no caller waits for. */
const dropTimeoutMs = 1000

/** RFC 9110 15.2 allows any number. Each one takes time from all others whom this process serves. */
const maximumInterimAnswers = 32

interface Deadlines {
  readonly readTimeoutMs: number
  /** When the whole answer has to be there, even if the request is sent once more. */
  readonly endMs: number
}

type Connected = Pick<Exchange, 'address' | 'asksForCertificate'>

/** One request in progress. */
class Exchange {
  readonly answer: Promise<AnswerFrom>
  /** The address of the connection; null before there is one. */
  address: string | null = null
  asksForCertificate = false
  readonly #call: ClientRequest
  readonly #limits: Limits
  readonly #deadlines: Deadlines
  #answered: (answer: AnswerFrom) => void = () => {}
  #failed: (error: unknown) => void = () => {}
  #late: NodeJS.Timeout | undefined
  #bytes = 0
  #interimAnswers = 0
  #interimBytes = 0

  constructor(call: ClientRequest, limits: Limits, deadlines: Deadlines) {
    this.#call = call
    this.#limits = limits
    this.#deadlines = deadlines
    this.answer = new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#failed = reject
    })
    this.#endIn(this.#leftMs())
    call.on('socket', (socket) => {
      this.address = socket.remoteAddress ?? null
      this.asksForCertificate = asksForCertificate(socket)
      // The request goes out now, because the connection is open.
      this.#endIn(Math.min(deadlines.readTimeoutMs, this.#leftMs()))
      this.#limitBytes(socket)
    })
    call.on('information', (interim) => this.#count(interim))
    call.on('response', (response) => this.#read(response))
    // Nobody has asked for another protocol, so this is only an answer.
    call.on('upgrade', (response, socket) => {
      socket.destroy()
      this.#complete(response)
    })
    call.on('error', (error) => this.end(this.#lossOf(error)))
    call.on('close', () => this.#fail(this.#lossOf(closed)))
  }

  end(reason: unknown): void {
    this.#fail(reason)
    this.#call.destroy()
  }

  #lossOf(error: Error): Error {
    return this.#call.reusedSocket && this.#bytes === 0 ? stale : error
  }

  /** Changes nothing if the answer is complete. */
  #fail(reason: unknown): void {
    clearTimeout(this.#late)
    this.#failed(reason)
  }

  #count({ statusMessage, rawHeaders }: InformationEvent): void {
    this.#interimAnswers += 1
    this.#interimBytes += headBytes(statusMessage, rawHeaders)
    const isTooMuch =
      this.#interimAnswers > maximumInterimAnswers || this.#interimBytes > maximumHeadBytes
    if (!isTooMuch) return
    // The parser goes on to the end of what has arrived.
    this.#call.removeAllListeners('information')
    this.#endUnusable(
      `There were over ${maximumInterimAnswers} interim answers (1xx), or ${maximumHeadBytes} bytes of them.`,
    )
  }

  /** The parser skips empty lines before an answer, in any number. */
  #limitBytes(socket: Socket): void {
    let isWaiting = true
    const count = (chunk: Buffer) => {
      this.#bytes += chunk.byteLength
      const isTooMuch = isWaiting && this.#bytes > 2 * maximumHeadBytes
      if (isTooMuch) this.#endUnusable(`${this.#bytes} bytes came, and no answer.`)
    }
    const stop = () => {
      isWaiting = false
      socket.off('data', count)
    }
    socket.on('data', count)
    this.#call.on('response', stop).on('close', stop)
  }

  #endUnusable(message: string): void {
    this.end(new OutgoingError('answer', message, { address: this.address }))
  }

  #read(response: IncomingMessage): void {
    const { isBodyWanted, maximumBodyBytes: limit } = this.#limits
    const chunks: Buffer[] = []
    let bodyBytes = 0
    this.#endIn(isBodyWanted ? this.#leftMs() : dropTimeoutMs)
    if (!isBodyWanted) this.#complete(response)
    response.on('data', (chunk: Buffer) => {
      bodyBytes += chunk.byteLength
      if (bodyBytes > limit) this.#endUnusable(`The answer is over ${limit} bytes.`)
      else if (isBodyWanted) chunks.push(chunk)
    })
    response.on('end', () => {
      clearTimeout(this.#late)
      this.#complete(response, Buffer.concat(chunks))
    })
    response.on('error', (error) => this.end(error))
  }

  #leftMs(): number {
    return this.#deadlines.endMs - performance.now()
  }

  #endIn(ms: number): void {
    clearTimeout(this.#late)
    this.#late = setTimeout(() => this.end(timeout()), ms)
  }

  #complete({ statusCode = 0, rawHeaders }: IncomingMessage, body = Buffer.alloc(0)): void {
    this.#answered({ status: statusCode, rawHeaders, body, address: this.address })
  }
}

/** Of the status line and the fields of an answer (RFC 9112 2.1). */
function headBytes(statusMessage: string, rawHeaders: readonly string[]): number {
  const fields = rawHeaders.reduce((sum, part) => sum + part.length + 2, 0)
  return 'HTTP/1.1 100 \r\n\r\n'.length + statusMessage.length + fields
}

/** One for all requests: each of them closes, and hardly any fails because of that. */
const closed = Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' })

/**
 * A receiver may close an idle connection at the moment when we use it again (RFC 9112 9.3.1). That says nothing about
 * the request, which the receiver has probably not read.
 */
const stale = new Error('The connection was closed before the request arrived.')
