import { randomFillSync } from 'node:crypto'

const pool = new Uint8Array(4096)
let drawn = pool.length

/** A few random bytes. Asking the system for each few of them takes longer than most of what they are for. */
export function drawBytes(count: number): Uint8Array {
  if (drawn + count > pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  drawn += count
  return pool.slice(drawn - count, drawn)
}
