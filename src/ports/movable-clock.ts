import type { Timestamp } from '../domain/timestamp.ts'
import type { Clock } from './clock.ts'

/** The clock of the bench. */
export interface MovableClock extends Clock {
  /** Never goes backwards: an earlier instant changes nothing. */
  moveTo(instant: Timestamp): void
  /** Returns to the start. Rate limits are full again. */
  reset(): void
}
