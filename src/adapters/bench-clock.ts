// The clock and the randomness of a service with the bench.

import { createHash } from 'node:crypto'
import { v7 } from 'uuid'
import { type Timestamp, toTimestamp } from '../domain/timestamp.ts'
import { stopwatchMs } from '../machine/time.ts'
import type { Clock, MovableClock, Random } from '../ports/clock.ts'
import { systemClock, systemRandom } from './clock.ts'

export interface MovableClockOptions {
  /** The time at the start. Default: the time of the machine. */
  readonly now: Timestamp | undefined
  /** Whether the clock runs between commands. */
  readonly isRunning: boolean
  /** Whether webhook signatures contain the time of this clock instead of the machine's. */
  readonly movesWebhooks: boolean
  /** Whether access tokens contain the time of this clock instead of the machine's. */
  readonly movesTokens: boolean
}

/** Longer than any rate limit takes to refill. */
const refillMs = 3_600_000

export function createMovableClock(options: MovableClockOptions): MovableClock {
  const startMs = Date.parse(options.now ?? systemClock.now())
  let [setAtMs, setToMs] = [stopwatchMs(), startMs]
  let movedMs = 0
  const nowMs = () => setToMs + (options.isRunning ? stopwatchMs() - setAtMs : 0)
  const set = (ms: number) => {
    setAtMs = stopwatchMs()
    setToMs = ms
  }
  const now = () => toTimestamp(new Date(nowMs()))
  return {
    now,
    // Limits refill in real time, too, as they do without the bench.
    monotonicMs: () => stopwatchMs() + movedMs,
    stopwatchMs: () => stopwatchMs(),
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

export interface SeededRandom extends Random {
  /** Returns a function that restores the present state. The same ids and secrets are then drawn again. */
  mark(): () => void
}

/**
 * Ids and secrets that depend on the seed, the clock and the number of earlier draws, so that each
 * run of a test gets the same ones. For testing only: anyone who knows the seed knows the secrets.
 */
export function createSeededRandom(seed: number, clock: Pick<Clock, 'now'>): SeededRandom {
  let drawn = 0
  // Retries in the background draw fractions, which must not change the ids of later records.
  let fractions = 0
  const hashOf = (draw: string) => createHash('sha256').update(`${seed}:${draw}`).digest()
  const draw = () => {
    drawn += 1
    return hashOf(String(drawn))
  }
  return {
    // A stopped clock gives many ids the same time. The counter keeps these ids in order (RFC 9562 6.2).
    id: () => {
      const random = draw()
      return v7({ msecs: Date.parse(clock.now()), seq: drawn, random: random.subarray(0, 16) })
    },
    traceId: systemRandom.traceId,
    secret: () => draw().toString('base64url'),
    fraction: () => {
      fractions += 1
      return hashOf(`fraction ${fractions}`).readUInt32BE() / 2 ** 32
    },
    mark: () => {
      const marked = [drawn, fractions] as const
      return () => {
        ;[drawn, fractions] = marked
      }
    },
  }
}
