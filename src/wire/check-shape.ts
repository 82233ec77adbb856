import { type Context, type Failure, Struct } from 'superstruct'
import {
  codeOfErrors,
  type DeepPartial,
  describeInvalidFields,
  type FieldErrors,
  Problem,
} from '../domain/problem.ts'
import { renameKeys, toDomainPath, toWirePath, WireProblem } from './problems.ts'

/** Nobody corrects more errors in one go, and finding each takes time. */
export const maximumFailures = 50
export const maximumDepth = 64
/** The maximum number of fields; no shape has nearly as many. */
export const maximumFields = 200

export const tooDeep = `is nested more than ${maximumDepth} levels deep`
export const tooManyFields = `has more than ${maximumFields} fields`

/** A value that is too large to be checked, with its path. */
export class OversizeProblem extends Problem {
  readonly path: readonly PropertyKey[]
  /** The end of a sentence that begins with the path. */
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
 * Checks an external value in bounded time. superstruct's own `validate` finds all failures or only
 * the first, descends into nodes of the wrong type, and writes each refused value into a message:
 * 64 kB could block the event loop.
 */
export function checkShape<Value, Schema>(
  value: unknown,
  shape: Struct<Value, Schema>,
  most = maximumFailures,
): Checked<Value> {
  const check = checkInSteps<Value, Schema>(value, shape, most)
  for (;;) {
    const step = check.next()
    if (step.done) return step.value
  }
}

/** Checks in the same way, in steps of a few milliseconds, between which others can have their turn. */
export function* checkInSteps<Value, Schema>(
  value: unknown,
  shape: Struct<Value, Schema>,
  most = maximumFailures,
): Generator<undefined, Checked<Value>> {
  const oversize = findOversize(value)
  if (oversize) throw new OversizeProblem(oversize)
  const failures: Failure[] = []
  const place = { path: [], branch: [value] }
  for (const failure of failuresOf(value, shape as AnyStruct, place, { left: nodesInStep })) {
    if (failure === undefined) yield
    else if (failures.push(failure) === most) break
  }
  return failures.length > 0 ? [failures, undefined] : [undefined, value as Value]
}

const nodesInStep = 500

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
  if (keys.length > maximumFields) return { path: [], fault: tooManyFields }
  for (const key of keys) {
    const found = findOversize((value as Record<string, unknown>)[key], depth + 1)
    if (found) return { ...found, path: [key, ...found.path] }
  }
  return undefined
}

// biome-ignore lint/suspicious/noExplicitAny: a shape is made of shapes of any type.
export type AnyStruct = Struct<any, any>
type Place = Omit<Context, 'mask'>

/**
 * Yields failures in the order of superstruct, and nothing at the end of each step. A node of the
 * wrong type is one failure, whatever it contains.
 * @param step the number of nodes until its end
 */
function* failuresOf(
  value: unknown,
  shape: AnyStruct,
  place: Place,
  step: { left: number },
): Generator<Failure | undefined> {
  const context = { mask: false, ...place }
  let isRightKind = true
  if (--step.left <= 0) {
    step.left = nodesInStep
    yield
  }
  for (const failure of shape.validator(standInFor(value), context)) {
    isRightKind = false
    yield failure
  }
  if (!isRightKind) return
  let fits = true
  for (const [key, inner, innerShape] of shape.entries(value, context)) {
    if (inner === undefined && mayBeAbsent(innerShape as AnyStruct, context)) continue
    const innerPlace = { path: [...place.path, key], branch: [...place.branch, inner] }
    for (const failure of failuresOf(inner, innerShape as AnyStruct, innerPlace, step)) {
      // A failed refinement does not mean a wrong type, so the parent can still be refined.
      if (failure && failure.refinement === undefined) fits = false
      yield failure
    }
  }
  if (fits) yield* shape.refiner(value, context)
}

/** A shortcut for optional fields, which are absent in most objects. */
function mayBeAbsent(shape: AnyStruct, context: Context): boolean {
  for (const _ of shape.validator(undefined, context)) return false
  return true
}

const [emptyList, emptyObject] = [Object.freeze([]), Object.freeze({})]

/**
 * Validators only need to know whether a value is a list or an object, and would write all of it
 * into their message.
 */
function standInFor(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? emptyList : emptyObject
}

interface Spot {
  isUnfit: boolean
  readonly inner: Map<PropertyKey, Spot>
}

/**
 * Returns the value without the parts that do not fit its shape. If the search stopped at `most`
 * failures, nothing is known to fit.
 */
export function validParts<Value>(
  value: unknown,
  failures: readonly Failure[],
  most = maximumFailures,
): DeepPartial<Value> {
  if (failures.length >= most) return {} as DeepPartial<Value>
  const root = newSpot()
  for (const failure of failures) markUnfit(root, failure)
  return (without(value, root) ?? {}) as DeepPartial<Value>
}

function newSpot(): Spot {
  return { isUnfit: false, inner: new Map() }
}

function markUnfit(root: Spot, { path, refinement, value }: Failure): void {
  // If a rule about several members fails, each member alone may still fit.
  if (refinement !== undefined && typeof value === 'object') return
  let spot = root
  for (const key of path) {
    const next = spot.inner.get(key) ?? newSpot()
    spot.inner.set(key, next)
    spot = next
  }
  spot.isUnfit = true
}

// A YAML alias can put one object in several places, so this changes only copies.
function without(value: unknown, { isUnfit, inner }: Spot): unknown {
  if (isUnfit) return undefined
  if (typeof value !== 'object' || value === null || inner.size === 0) return value
  const copy = Array.isArray(value) ? [...value] : { ...value }
  for (const [key, spot] of inner) Reflect.set(copy, key, without(Reflect.get(value, key), spot))
  return copy
}

/**
 * Throws all errors as one problem. @param pathOf returns the path as the sender knows it @param
 * further errors of the parts that fit the shape, with paths of the domain
 */
export function throwShapeProblem(
  failures: readonly Failure[],
  pathOf: (failure: Failure) => string,
  further: FieldErrors = {},
): never {
  const errors = errorsByPath(failures, pathOf)
  for (const [path, fault] of Object.entries(renameKeys(further))) errors[path] ??= fault
  const shown = Object.fromEntries(Object.entries(errors).slice(0, maximumFailures))
  const code = codeOfErrors(shown, toWirePath)
  throw new WireProblem(code, describeInvalidFields(shown), { errors: shown })
}

/** Errors with paths of the domain. @param pathOf returns the path as the sender knows it */
export function shapeErrors(
  failures: readonly Failure[],
  pathOf: (failure: Failure) => string,
): FieldErrors {
  return errorsByPath(failures, (failure) => toDomainPath(pathOf(failure)))
}

/** Only the first failure of a path is kept. */
function errorsByPath(failures: readonly Failure[], pathOf: (failure: Failure) => string) {
  const errors: Record<string, string> = {}
  for (const failure of failures) errors[pathOf(failure)] ??= describeFailure(failure)
  return errors
}

const missing = 'is required'

/** A required field. Without it, the fault also says what to send. */
export function advised<Value, Schema>(
  shape: Struct<Value, Schema>,
  advice: string,
): Struct<Value, Schema> {
  return new Struct({
    ...shape,
    validator: (value, context) =>
      value === undefined ? `${missing}: ${advice}` : shape.validator(value, context),
  })
}

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a string',
}

/** Returns what is wrong with a value, as the end of a sentence that begins with its path. */
export function describeFailure(failure: Failure): string {
  const { type, refinement, value, message } = failure
  // superstruct reports an unknown field as one of type never.
  if (type === 'never') return 'is unknown'
  if (value === undefined) return message.startsWith(missing) ? message : missing
  const kind = kinds[type]
  if (kind !== undefined && refinement === undefined) return `must be ${kind}`
  return reword(expectationOf(failure))
}

/** superstruct's message ends with the value, which may be personal data. */
function expectationOf({ message }: Failure): string {
  return message.replace(/,? but received[\s\S]*$/, '')
}

/** Turns superstruct's messages, which have the choices, into ours. */
function reword(expectation: string): string {
  const choices = /^Expected one of `(.+)`$/.exec(expectation)?.[1]
  if (choices !== undefined) return `must be ${renderChoices(JSON.parse(`[${choices}]`))}`
  const only = /^Expected the literal `"?(.+?)"?`$/.exec(expectation)?.[1]
  if (only !== undefined) return `must be ${only}`
  return expectation.replace(/^Expected/, 'must be')
}

function renderChoices(choices: readonly string[]): string {
  return choices.join(', ').replace(/, ([^,]*)$/, ' or $1')
}
