import { createHash } from 'node:crypto'
import { v7 } from 'uuid'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import { systemRandom } from './system.ts'

export interface SeededRandom extends Random {
  /** Returns a function that goes back to here: the same ids and secrets follow in the same order. */
  mark(): () => void
}

/**
 * Ids and secrets that depend on the seed, on the clock and on how many were drawn before, so that a test meets the same
 * ones in each run. For testing only: anyone who knows the seed knows the secrets.
 */
export function createSeededRandom(seed: number, clock: Pick<Clock, 'now'>): SeededRandom {
  let drawn = 0
  const draw = () => {
    drawn += 1
    return createHash('sha256').update(`${seed}:${drawn}`).digest()
  }
  return {
    // The counter keeps ids of one instant in order (RFC 9562 6.2), and a clock that stands still has many.
    id: () => {
      const random = draw()
      return v7({ msecs: Date.parse(clock.now()), seq: drawn, random: random.subarray(0, 16) })
    },
    traceId: systemRandom.traceId,
    secret: () => draw().toString('base64url'),
    fraction: () => draw().readUInt32BE() / 2 ** 32,
    mark: () => {
      const marked = drawn
      return () => {
        drawn = marked
      }
    },
  }
}
