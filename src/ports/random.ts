export interface Random {
  /** A UUIDv7 (RFC 9562), which sorts by time of creation. */
  id(): string
  /** The same for requests, tokens and attempts. A seed does not determine it, so that it does not shift the ids of records. */
  traceId(): string
  /** 256 random bits in base64url. */
  secret(): string
  /** A number from 0 up to, but not including, 1. */
  fraction(): number
}
