/** Why nothing came back. What came back is no failure here, whatever its status. */
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

/** ofetch wraps what its fetch throws, so the reason is looked for below. */
export function findOutgoingError(error: unknown): OutgoingError | undefined {
  if (error instanceof OutgoingError) return error
  return error instanceof Error && error.cause ? findOutgoingError(error.cause) : undefined
}
