import type { Timestamp } from '../domain/timestamp.ts'

/** The clock of the service. Only the bench moves it (`serve --bench`). */
export interface Clock {
  /** The time of records and of every rule. */
  now(): Timestamp
  /** Milliseconds that never go backwards and move with `now`, for rate limits. */
  monotonicMs(): number
  /** Milliseconds that never go backwards and that nobody moves, for durations and timeouts. */
  stopwatchMs(): number
  /** The time in webhook signatures. Receivers compare it with their own clocks. */
  webhookTime(): Timestamp
  /** The time in `iat` and `exp` of access tokens. Partners compare it with their own clocks. */
  tokenTime(): Timestamp
}

/** The clock of the bench. */
export interface MovableClock extends Clock {
  /** Never goes backwards: an earlier instant changes nothing. */
  moveTo(instant: Timestamp): void
  /** Returns to the start. Rate limits are full again. */
  reset(): void
}

/** The ids and secrets of the service. */
export interface Random {
  /** A UUIDv7 (RFC 9562), which sorts by time of creation. */
  id(): string
  /**
   * A UUIDv7 for requests, tokens and attempts. No seed determines it: otherwise a request would
   * change the ids of later records.
   */
  traceId(): string
  /** 256 random bits in base64url. */
  secret(): string
  /** A number from 0 up to, but not including, 1. */
  fraction(): number
}
