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
  readonly asksForCertificate?: boolean
  readonly cause?: unknown
}

export class OutgoingError extends Error {
  readonly failure: OutgoingFailure
  /** The address that was tried last or refused; null if none was tried. */
  readonly address: string | null
  /** Whether the other side asked for a client certificate before it ended the connection. */
  readonly asksForCertificate: boolean

  constructor(
    failure: OutgoingFailure,
    message: string,
    { address = null, asksForCertificate = false, cause }: OutgoingErrorMore = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'OutgoingError'
    this.failure = failure
    this.address = address
    this.asksForCertificate = asksForCertificate
  }
}

/** Whether the code means that the other side ended the handshake, and said why (RFC 8446 6.2). */
export function isTlsAlert(code: string | undefined): boolean {
  return /^ERR_SSL_.*_ALERT_/.test(code ?? '')
}

export function timeout(): DOMException {
  return new DOMException('The work did not end in time.', 'TimeoutError')
}
