import type { Timestamp } from '../domain/timestamp.ts'

export interface Clock {
  now(): Timestamp
  /** Milliseconds that never go backwards, for rate limits and durations. */
  monotonicMs(): number
}
