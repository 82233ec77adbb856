import {
  array,
  boolean,
  define,
  dynamic,
  enums,
  integer,
  max,
  min,
  object,
  record,
  type Struct,
  string,
  unknown,
} from 'superstruct'
import { durationForms, parseDuration } from '../../domain/duration.ts'
import type { AnyStruct } from '../check-shape.ts'
import { type Amount, fileText, sum, timestamp } from '../fields.ts'
import { described, describedByChoice, schemaOfShape } from '../schema-of-shape.ts'

/** Adds what editors and the reference show. The shape must be a new one. */
export function noted<Shape extends AnyStruct>(shape: Shape, description: string): Shape {
  return described(shape, { ...schemaOfShape(shape), description })
}

const longestText = 4000

export function text(description: string): Struct<string, null> {
  return described(fileText(longestText), { type: 'string', description })
}

export function instant(description: string): Struct<string, null> {
  return described(timestamp(), { type: 'string', format: 'date-time', description })
}

export function duration(description: string): Struct<string, null> {
  const shape = define<string>(
    'duration',
    (value) =>
      (typeof value === 'string' && parseDuration(value) !== undefined) ||
      `must be a time ${durationForms}`,
  )
  return described(shape, { type: 'string', pattern: '^\\d{1,9}(ms|s|m|h|d)$', description })
}

/** Without quotes it may be a number. */
export function money(description: string): Struct<Amount, null> {
  return described(sum(), { anyOf: [{ type: 'string' }, { type: 'number' }], description })
}

export function count(description: string, least = 0) {
  return noted(min(integer(), least), description)
}

export function status(description: string) {
  return noted(max(min(integer(), 100), 599), description)
}

export function truth(description: string) {
  return noted(boolean(), description)
}

export function choice<Value extends string>(values: readonly Value[], description: string) {
  return noted(enums(values), description)
}

export function textList(description: string) {
  return noted(array(text('')), description)
}

export function json(description: string): Struct<unknown, null> {
  return described(unknown(), { description })
}

export function textsByName(description: string): Struct<Record<string, string>, null> {
  return described(record(string(), text('')), {
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
  })
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** A value for the usual case, or an object for all cases. superstruct's union would report neither. */
export function shortOr<Short, ShortSchema, Full, FullSchema>(
  short: Struct<Short, ShortSchema>,
  full: Struct<Full, FullSchema>,
): Struct<Short | Full, null> {
  const [one, other] = [short, full] as unknown as [Struct<Short | Full>, Struct<Short | Full>]
  return describedByChoice(
    dynamic((value) => (isObject(value) ? other : one)),
    [short, full],
  )
}

const nothing = described(
  define<true | null>('nothing', (value) => value === null || value === true || 'must be empty'),
  { anyOf: [{ type: 'null' }, { const: true }] },
)

/** A step that needs no value: `- reset`, `- reset:` and `- reset: true` are the same. */
export function bareOr<Full, FullSchema>(full: Struct<Full, FullSchema>) {
  return shortOr(nothing, full)
}

export const noOptions = object({})
