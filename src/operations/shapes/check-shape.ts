import { type Struct, validate } from 'superstruct'
import { Problem } from '../../domain/problem.ts'

export const maximumDepth = 64
export const tooDeep = `is nested more than ${maximumDepth} levels deep`

/** The path leads to what is too deep. */
export class TooDeepProblem extends Problem {
  readonly path: readonly PropertyKey[]

  constructor(path: readonly PropertyKey[]) {
    super('MALFORMED_REQUEST_BODY', `Nested more than ${maximumDepth} levels deep.`)
    this.path = path
  }
}

/** superstruct's `validate`, for values that a stranger has made. */
export function checkShape<Value, Schema>(value: unknown, shape: Struct<Value, Schema>) {
  const deepPath = makePrintable(value)
  if (deepPath) throw new TooDeepProblem(deepPath)
  return validate(value, shape)
}

/**
 * superstruct puts every value that it refuses into a message, and an object whose `toString` is no function, or one
 * that is nested too deeply, would break that. Returns the path to what is too deep.
 */
function makePrintable(value: unknown, depth = 0): PropertyKey[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > maximumDepth) return []
  if (Object.hasOwn(value, 'toString')) {
    Object.defineProperty(value, Symbol.toPrimitive, { value: () => 'an object' })
  }
  for (const [key, inner] of Object.entries(value)) {
    const deepPath = makePrintable(inner, depth + 1)
    if (deepPath) return [key, ...deepPath]
  }
  return undefined
}
