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

interface OutgoingErrorMore {
  readonly address?: string | null
  readonly cause?: unknown
}

export class OutgoingError extends Error {
  readonly failure: OutgoingFailure
  /** The address that was tried last or refused; null if none was tried. */
  readonly address: string | null

  constructor(
    failure: OutgoingFailure,
    message: string,
    { address = null, cause }: OutgoingErrorMore = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'OutgoingError'
    this.failure = failure
    this.address = address
  }
}

export function timeout(): DOMException {
  return new DOMException('The work did not end in time.', 'TimeoutError')
}
