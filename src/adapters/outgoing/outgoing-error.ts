/** Why no answer came back. An answer is not a failure here, whatever its status. */
export type OutgoingFailure =
  /** Not an address that this service calls: not https, or not public. */
  | 'refused'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  /** Connected, but what came was too much, or no HTTP. */
  | 'answer'

export class OutgoingError extends Error {
  readonly failure: OutgoingFailure
  constructor(failure: OutgoingFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'OutgoingError'
    this.failure = failure
  }
}

/** There was no connection. */
export class ConnectError extends OutgoingError {
  /** The one that was dialled last, or refused; null when it did not come to that. */
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

/** ofetch wraps what its fetch throws, so the reason is looked for below. */
export function findOutgoingError(error: unknown): OutgoingError | undefined {
  if (error instanceof OutgoingError) return error
  return error instanceof Error && error.cause ? findOutgoingError(error.cause) : undefined
}
