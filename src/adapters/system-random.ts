import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import type { Random } from '../ports/random.ts'

const secretBytes = 32

export const systemRandom: Random = {
  id: () => v7(),
  secret: () => randomBytes(secretBytes).toString('base64url'),
  fraction: () => Math.random(),
}
