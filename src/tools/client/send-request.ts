import { CallError } from './call-error.ts'

/** Sends a request once. It rejects if there is no whole answer. */
export type Send = (request: Request) => Promise<Response>

/** spec: Retry rules. */
const maximumAttempts = 3
const waitsMs = [1000, 2000]
/** Clients that failed together do not come back together. */
const maximumJitter = 0.25

/** The time that a call has, and the wish of its caller to end it. */
export class Deadline {
  readonly signal: AbortSignal
  readonly #given: AbortSignal | undefined
  readonly #end: number

  constructor(timeoutMs: number, given: AbortSignal | undefined) {
    const timeout = AbortSignal.timeout(timeoutMs)
    this.signal = given ? AbortSignal.any([given, timeout]) : timeout
    this.#given = given
    this.#end = performance.now() + timeoutMs
  }

  hasTimeFor(milliseconds: number): boolean {
    return performance.now() + milliseconds < this.#end
  }

  /** Waits for something that does not end with the call, such as a token for several calls. */
  limit<Value>(awaited: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(this.error())
      if (this.signal.aborted) stop()
      this.signal.addEventListener('abort', stop, { once: true })
      awaited.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', stop))
    })
  }

  /** The error of a call whose signal was aborted. */
  error(): CallError {
    return this.#given?.aborted
      ? new CallError('AbortError', 'The call was aborted.', { cause: this.#given.reason })
      : new CallError('TimeoutError', 'The call took longer than timeoutMs.')
  }
}

/**
 * Sends a request, and repeats it as the retry rules say: after 429, 5xx and a lost connection, at
 * most three attempts in total. Returns the last answer, even if it is an error. An answer that asks
 * for a longer wait than the call has time for is the last one.
 */
export async function sendWithRetries(
  request: Request,
  deadline: Deadline,
  send: Send,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(request, deadline, send)
    const wait = waitAfter(outcome, attempt)
    if (wait === undefined || !deadline.hasTimeFor(wait)) {
      if (outcome instanceof Response) return outcome
      throw outcome
    }
    await sleep(wait, deadline)
  }
}

async function attemptOnce(
  request: Request,
  deadline: Deadline,
  send: Send,
): Promise<Response | CallError> {
  try {
    // A request whose body was read cannot be sent again.
    const answer = await send(new Request(request.clone(), { signal: deadline.signal }))
    return await readWhole(answer)
  } catch (error) {
    if (error instanceof CallError) throw error
    if (deadline.signal.aborted) throw deadline.error()
    const { origin } = new URL(request.url)
    return new CallError('ConnectionError', `There was no answer from ${origin}.`, { cause: error })
  }
}

/** A connection can also be lost in the middle of an answer, so an attempt ends after its last byte. */
async function readWhole(answer: Response): Promise<Response> {
  const body = await answer.arrayBuffer()
  const { status, statusText, headers } = answer
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers })
}

/** @returns milliseconds until the next attempt, or undefined if there is none */
function waitAfter(outcome: Response | CallError, attempt: number): number | undefined {
  if (attempt >= maximumAttempts) return undefined
  const backoff = (waitsMs[attempt - 1] ?? 0) * (1 + Math.random() * maximumJitter)
  if (!(outcome instanceof Response)) return backoff
  if (outcome.status === 429) return retryAfterMs(outcome) ?? backoff
  if (outcome.status >= 500) return Math.max(backoff, retryAfterMs(outcome) ?? 0)
  return undefined
}

/** RFC 9110 10.2.3. */
function retryAfterMs({ headers }: Response): number | undefined {
  const given = headers.get('retry-after')
  if (given === null) return undefined
  const milliseconds = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now()
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds)
}

async function sleep(milliseconds: number, deadline: Deadline): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await deadline.limit(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, milliseconds)
      }),
    )
  } finally {
    clearTimeout(timer)
  }
}
