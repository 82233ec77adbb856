import { type Struct, validate } from 'superstruct'
import { Problem } from '../../domain/problem.ts'

const maximumDepth = 64

/** superstruct's `validate`, for values that a stranger has made. */
export function checkShape<Value, Schema>(value: unknown, shape: Struct<Value, Schema>) {
  makePrintable(value)
  return validate(value, shape)
}

/**
 * superstruct puts every value that it refuses into a message, and an object whose `toString` is no function, or one
 * that is nested too deeply, would break that.
 */
function makePrintable(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return
  if (depth > maximumDepth) throw tooDeep()
  if (Object.hasOwn(value, 'toString')) {
    Object.defineProperty(value, Symbol.toPrimitive, { value: () => 'an object' })
  }
  for (const inner of Object.values(value)) makePrintable(inner, depth + 1)
}

function tooDeep(): Problem {
  return new Problem('MALFORMED_REQUEST_BODY', `Nested more than ${maximumDepth} levels deep.`)
}
