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
  /** The address that was tried last, or refused; null if none was tried. */
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
