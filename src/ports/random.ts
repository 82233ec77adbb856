export interface Random {
  /** A UUIDv7 (RFC 9562), which sorts by time of creation. */
  id(): string
  /** 256 random bits in base64url. */
  secret(): string
  /** A number from 0 up to, but not including, 1. */
  fraction(): number
}
