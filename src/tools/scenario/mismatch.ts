import { isDeepStrictEqual } from 'node:util'

interface Difference {
  readonly expected?: unknown
  readonly actual?: unknown
}

/** A result differs from the scenario. */
export class Mismatch extends Error {
  readonly difference: Difference

  constructor(message: string, difference: Difference = {}) {
    super(message)
    this.difference = difference
  }
}

/** An expected value that is undefined is not compared. */
export function requireEqual(what: string, expected: unknown, actual: unknown): void {
  if (expected === undefined || isDeepStrictEqual(expected, actual)) return
  throw new Mismatch(`${what} is not as expected.`, { expected, actual })
}

type Keyed = Readonly<Record<string, unknown>>

/** The first difference. The value may have more keys than wanted, at each level. */
export function findDifference(wanted: unknown, found: unknown, place = ''): string | undefined {
  if (!isKeyed(wanted) || !isKeyed(found) || Array.isArray(wanted) !== Array.isArray(found)) {
    if (isDeepStrictEqual(wanted, found)) return undefined
    return `${place || 'it'} is ${JSON.stringify(found) ?? 'missing'}`
  }
  if (Array.isArray(wanted) && Array.isArray(found) && wanted.length !== found.length) {
    return `${place || 'it'} has ${found.length} entries`
  }
  for (const [key, value] of Object.entries(wanted)) {
    const different = findDifference(value, found[key], place === '' ? key : `${place}.${key}`)
    if (different !== undefined) return different
  }
  return undefined
}

function isKeyed(value: unknown): value is Keyed {
  return typeof value === 'object' && value !== null
}
