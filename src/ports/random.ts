export interface Random {
  /** UUIDv7: ids made later sort later. */
  id(): string
  /** 256 bits, base64url. */
  secret(): string
  /** At least 0 and less than 1. */
  fraction(): number
}
