import { timestampOf } from '../domain/timestamp.ts'
import type { Clock } from '../ports/clock.ts'

export const systemClock: Clock = {
  now: () => timestampOf(new Date()),
  monotonicMs: () => performance.now(),
}
