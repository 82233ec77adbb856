/** Why there is no answer. An answer of any status is not a failure here. */
export type OutgoingFailure =
  /** The service does not call this address: it is not https or not public. */
  | 'refused'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  /** The answer was too long or not HTTP. */
  | 'answer'

export class OutgoingError extends Error {
  readonly failure: OutgoingFailure
  constructor(failure: OutgoingFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'OutgoingError'
    this.failure = failure
  }
}

/** The connection could not be made. */
export class ConnectError extends OutgoingError {
  /** The address that was tried last or refused; null if none was tried. */
  readonly address: string | null

  constructor(failure: OutgoingFailure, message: string, more: ConnectErrorMore = {}) {
    super(failure, message, more.cause)
    this.name = 'ConnectError'
    this.address = more.address ?? null
  }
}

interface ConnectErrorMore {
  readonly address?: string
  readonly cause?: unknown
}

/** ofetch wraps the errors of its fetch, so this searches the causes. */
export function findOutgoingError(error: unknown): OutgoingError | undefined {
  if (error instanceof OutgoingError) return error
  return error instanceof Error && error.cause ? findOutgoingError(error.cause) : undefined
}

/**
 * Aborts the work if `outer` is aborted, or after `timeoutMs` with a TimeoutError. The work may restart the deadline.
 * `AbortSignal.any` is not used, because Node 20 keeps an entry for each call in a signal that lives longer.
 */
export async function withDeadline<Result>(
  {
    outer,
    timeoutMs,
  }: { readonly outer: AbortSignal | null | undefined; readonly timeoutMs?: number },
  work: (signal: AbortSignal, startDeadline: (timeoutMs: number) => void) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const follow = () => controller.abort(outer?.reason)
  if (outer?.aborted) follow()
  outer?.addEventListener('abort', follow, { once: true })
  let late: NodeJS.Timeout | undefined
  const startDeadline = (ms: number) => {
    clearTimeout(late)
    late = setTimeout(() => controller.abort(timeout()), ms)
  }
  if (timeoutMs !== undefined) startDeadline(timeoutMs)
  try {
    return await work(controller.signal, startDeadline)
  } finally {
    clearTimeout(late)
    outer?.removeEventListener('abort', follow)
  }
}

export function timeout(): DOMException {
  return new DOMException('The work did not end in time.', 'TimeoutError')
}

/** For work that cannot be aborted: the caller stops waiting, and the work may continue. */
export function abortable<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
