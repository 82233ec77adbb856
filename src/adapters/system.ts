import { randomBytes, randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'
import { type Timestamp, toTimestamp } from '../domain/timestamp.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'

const pool = new Uint8Array(4096)
let drawn = pool.length

/**
 * Returns a few random bytes from a larger supply. Asking the system for a few bytes each time
 * would take longer than most of their uses.
 */
export function drawBytes(count: number): Uint8Array {
  if (drawn + count > pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  drawn += count
  return pool.slice(drawn - count, drawn)
}

const now = createNow()
const stopwatchMs = () => performance.now()

export const systemClock: Clock = {
  now,
  monotonicMs: stopwatchMs,
  stopwatchMs,
  webhookTime: now,
  tokenTime: now,
}

/** Keeps the text of the current millisecond, because formatting takes longer than reading the clock. */
function createNow(): () => Timestamp {
  let lastMs = Number.NaN
  let last = toTimestamp(new Date())
  return () => {
    const nowMs = Date.now()
    if (nowMs !== lastMs) last = toTimestamp(new Date(nowMs))
    lastMs = nowMs
    return last
  }
}

const secretBytes = 32
const idBytes = 16

let latestMs = 0
let sequence = 0

/** RFC 9562 6.2: ids of the same millisecond contain a counter that starts at a random number. */
function nextId(): string {
  const random = drawBytes(idBytes)
  const now = Date.now()
  if (now > latestMs) {
    latestMs = now
    sequence = new DataView(random.buffer).getUint32(6) >>> 1
  } else sequence += 1
  return v7({ msecs: latestMs, seq: sequence, random })
}

export const systemRandom: Random = {
  id: nextId,
  traceId: nextId,
  secret: () => randomBytes(secretBytes).toString('base64url'),
  fraction: () => Math.random(),
}
