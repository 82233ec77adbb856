import { randomFillSync } from 'node:crypto'

const pool = new Uint8Array(4096)
let drawn = pool.length

/**
 * Returns a few random bytes from a larger supply. Asking the system for each few bytes would take longer than most of
 * their uses.
 */
export function drawBytes(count: number): Uint8Array {
  if (drawn + count > pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  drawn += count
  return pool.slice(drawn - count, drawn)
}
