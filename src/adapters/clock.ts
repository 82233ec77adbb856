import { v7 } from 'uuid'
import { type Timestamp, toTimestamp } from '../domain/timestamp.ts'
import { fraction, randomBytes, takeRandomBytes } from '../machine/random.ts'
import { nowMs, stopwatchMs } from '../machine/time.ts'
import type { Clock, Random } from '../ports/clock.ts'

const now = createNow()

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
  let last = toTimestamp(new Date(0))
  return () => {
    const ms = nowMs()
    if (ms !== lastMs) last = toTimestamp(new Date(ms))
    lastMs = ms
    return last
  }
}

const secretBytes = 32
const idBytes = 16

/** RFC 9562 6.2: ids of the same millisecond contain a counter that starts at a random number. */
function createIds(): () => string {
  let latestMs = 0
  let sequence = 0
  return () => {
    const random = takeRandomBytes(idBytes)
    const now = nowMs()
    if (now > latestMs) {
      latestMs = now
      sequence = new DataView(random.buffer).getUint32(6) >>> 1
    } else sequence += 1
    return v7({ msecs: latestMs, seq: sequence, random })
  }
}

export function createSystemRandom(): Random {
  const id = createIds()
  const secret = () => randomBytes(secretBytes).toString('base64url')
  return { id, traceId: id, secret, fraction }
}

export const systemRandom = createSystemRandom()
