import type { Context, Failure, Struct } from 'superstruct'
import { Problem } from '../../domain/problem.ts'

/** No more than this are looked for. Nobody mends more at a time, and each costs time that other callers wait for. */
export const mostFailures = 50
export const maximumDepth = 64
/** Every shape has far fewer fields. */
export const mostFields = 200

export const tooDeep = `is nested more than ${maximumDepth} levels deep`
export const tooWide = `has more than ${mostFields} fields`

/** The path leads to what is too large to be held against any shape. */
export class OversizeProblem extends Problem {
  readonly path: readonly PropertyKey[]
  /** The end of a sentence about the path. */
  readonly fault: string

  constructor({ path, fault }: Oversize) {
    super('MALFORMED_REQUEST_BODY', `Part of the request body ${fault}.`)
    this.path = path
    this.fault = fault
  }
}

interface Oversize {
  readonly path: readonly PropertyKey[]
  readonly fault: string
}

type Checked<Value> =
  | readonly [failures: readonly Failure[], value: undefined]
  | readonly [failures: undefined, value: Value]

/**
 * For values that a stranger has made. superstruct's own `validate` finds all failures or the first one, looks into a node
 * of the wrong kind, and writes each node that it refuses into a message: 64 kB could keep everybody else waiting.
 */
export function checkShape<Value, Schema>(
  value: unknown,
  shape: Struct<Value, Schema>,
  most = mostFailures,
): Checked<Value> {
  const oversize = findOversize(value)
  if (oversize) throw new OversizeProblem(oversize)
  const failures: Failure[] = []
  for (const failure of failuresOf(value, shape as AnyStruct, { path: [], branch: [value] })) {
    if (failures.push(failure) === most) break
  }
  return failures.length > 0 ? [failures, undefined] : [undefined, value as Value]
}

function findOversize(value: unknown, depth = 0): Oversize | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > maximumDepth) return { path: [], fault: tooDeep }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = findOversize(value[index], depth + 1)
      if (found) return { ...found, path: [index, ...found.path] }
    }
    return undefined
  }
  const keys = Object.keys(value)
  if (keys.length > mostFields) return { path: [], fault: tooWide }
  for (const key of keys) {
    const found = findOversize((value as Record<string, unknown>)[key], depth + 1)
    if (found) return { ...found, path: [key, ...found.path] }
  }
  return undefined
}

// biome-ignore lint/suspicious/noExplicitAny: a shape is made of shapes of any type.
type AnyStruct = Struct<any, unknown>
type Place = Omit<Context, 'mask'>

/** As superstruct finds them, one at a time; a node of the wrong kind is one failure, whatever is in it. */
function* failuresOf(value: unknown, shape: AnyStruct, place: Place): Generator<Failure> {
  const context = { ...place, mask: false }
  let isRightKind = true
  for (const failure of shape.validator(standInFor(value), context)) {
    isRightKind = false
    yield failure
  }
  if (!isRightKind) return
  let fits = true
  for (const [key, inner, innerShape] of shape.entries(value, context)) {
    if (inner === undefined && mayBeAbsent(innerShape as AnyStruct, context)) continue
    const innerPlace = { path: [...place.path, key], branch: [...place.branch, inner] }
    for (const failure of failuresOf(inner, innerShape as AnyStruct, innerPlace)) {
      // What is only refined has the right type, so that the whole can still be refined.
      if (failure.refinement === undefined) fits = false
      yield failure
    }
  }
  if (fits) yield* shape.refiner(value, context)
}

/** Most fields of most objects: nothing else is looked at for them. */
function mayBeAbsent(shape: AnyStruct, context: Context): boolean {
  for (const _ of shape.validator(undefined, context)) return false
  return true
}

const [emptyList, emptyObject] = [Object.freeze([]), Object.freeze({})]

/** Of lists and objects a validator only asks which of the two they are, and then writes what it refuses into a message. */
function standInFor(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? emptyList : emptyObject
}
