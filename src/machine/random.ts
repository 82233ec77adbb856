import { generateKeyPair, type KeyObject, randomFillSync } from 'node:crypto'
import { promisify } from 'node:util'
import { v4 } from 'uuid'
import type { Randomness } from '../ports/machine.ts'

const modulusLength = 2048

export const systemRandomness: Randomness = {
  fill: (bytes) => randomFillSync(bytes),
  fraction: () => Math.random(),
  generateRsaKey: async () =>
    (await promisify(generateKeyPair)('rsa', { modulusLength })).privateKey,
}

let randomness = systemRandomness

const supply = new Uint8Array(4096)
let drawn = supply.length

/** A simulation calls this before it starts a service. */
export function useRandomness(other: Randomness): void {
  randomness = other
  drawn = supply.length
}

/**
 * Returns a few random bytes from a larger supply. Asking the system for a few bytes each time
 * would take longer than most of their uses.
 */
export function takeRandomBytes(count: number): Uint8Array {
  if (drawn + count > supply.length) {
    randomness.fill(supply)
    drawn = 0
  }
  drawn += count
  return supply.slice(drawn - count, drawn)
}

/** For keys and secrets: no copy of them stays in the supply. */
export const randomBytes = (count: number): Buffer => randomness.fill(Buffer.alloc(count))
export const fraction = (): number => randomness.fraction()
export const generateRsaKey = (): Promise<KeyObject> => randomness.generateRsaKey()

/** RFC 9562, version 4. */
export function randomUUID(): string {
  return v4({ random: takeRandomBytes(16) })
}
