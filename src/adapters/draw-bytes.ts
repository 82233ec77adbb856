import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(4096)
let drawn = pool.length

/** A few random bytes. Asking the system for each few of them takes longer than most of what they are for. */
export function drawBytes(count: number): Buffer {
  if (drawn + count > pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  drawn += count
  return Buffer.from(pool.subarray(drawn - count, drawn))
}
