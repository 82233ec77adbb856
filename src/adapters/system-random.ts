import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import type { Random } from '../ports/random.ts'
import { drawBytes } from './draw-bytes.ts'

const secretBytes = 32
const idBytes = 16

let latest = { msecs: 0, seq: 0 }

/** RFC 9562 6.2: those of one millisecond are counted, from a random number on. */
function nextId(): string {
  const [random, now] = [drawBytes(idBytes), Date.now()]
  const isLater = now > latest.msecs
  latest = isLater
    ? { msecs: now, seq: random.readUInt32BE(6) >>> 1 }
    : { msecs: latest.msecs, seq: latest.seq + 1 }
  return v7({ ...latest, random })
}

export const systemRandom: Random = {
  id: nextId,
  secret: () => randomBytes(secretBytes).toString('base64url'),
  fraction: () => Math.random(),
}
