import { type Timestamp, timestampOf } from '../domain/timestamp.ts'
import type { Clock } from '../ports/clock.ts'

export const systemClock: Clock = {
  now: createNow(),
  monotonicMs: () => performance.now(),
}

/** Many ask in the same millisecond, and to write an instant takes longer than to read one. */
function createNow(): () => Timestamp {
  let lastMs = Number.NaN
  let last = timestampOf(new Date())
  return () => {
    const nowMs = Date.now()
    if (nowMs !== lastMs) last = timestampOf(new Date(nowMs))
    lastMs = nowMs
    return last
  }
}
