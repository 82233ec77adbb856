import { type Timestamp, toTimestamp } from '../domain/timestamp.ts'
import type { MovableClock } from '../ports/movable-clock.ts'
import { systemClock } from './system.ts'

export interface MovableClockOptions {
  /** The start; by default the time of the machine. */
  readonly now: Timestamp | undefined
  /** Whether it runs between commands. Otherwise it stands still. */
  readonly isRunning: boolean
  /** Whether signatures of webhooks carry the time of this clock. Otherwise they carry the machine's. */
  readonly movesWebhooks: boolean
  /** The same of access tokens. */
  readonly movesTokens: boolean
}

/** More than any rate limit takes to refill. */
const refillMs = 3_600_000

export function createMovableClock(options: MovableClockOptions): MovableClock {
  const startMs = Date.parse(options.now ?? systemClock.now())
  let [setAtMs, setToMs] = [performance.now(), startMs]
  let movedMs = 0
  const nowMs = () => setToMs + (options.isRunning ? performance.now() - setAtMs : 0)
  const set = (ms: number) => {
    setAtMs = performance.now()
    setToMs = ms
  }
  const now = () => toTimestamp(new Date(nowMs()))
  return {
    now,
    // Limits refill in real time, too, as they do without the bench.
    monotonicMs: () => performance.now() + movedMs,
    stopwatchMs: () => performance.now(),
    webhookTime: options.movesWebhooks ? now : systemClock.webhookTime,
    tokenTime: options.movesTokens ? now : systemClock.tokenTime,
    moveTo(instant) {
      const ms = Date.parse(instant)
      const ahead = ms - nowMs()
      if (ahead <= 0) return
      movedMs += ahead
      set(ms)
    },
    reset() {
      movedMs += refillMs
      set(startMs)
    },
  }
}
