import { type Context, dynamic, type Struct } from 'superstruct'
import type { AnyStruct } from './check-shape.ts'
import { either, type JsonSchema, list } from './json-schema.ts'

/** The `schema` of a shape that is a function; `optional`, `nullable` and `refine` keep it. */
class Description {
  readonly read: () => JsonSchema

  constructor(read: () => JsonSchema) {
    this.read = read
  }
}

/** Adds the JSON Schema of a shape that is a function. The schema must accept everything that the shape accepts. */
export function described<Shape extends AnyStruct>(shape: Shape, schema: JsonSchema): Shape {
  return Object.assign(shape, { schema: new Description(() => schema) })
}

/**
 * One of several shapes. `pick` decides first which of them applies to a value, because superstruct's union would
 * report none.
 */
export function choiceOf<Value>(
  shapes: readonly AnyStruct[],
  pick: (value: unknown) => AnyStruct,
): Struct<Value, null> {
  const schema = new Description(() => either(...shapes.map(schemaOfShape)))
  return Object.assign(dynamic<Value>(pick), { schema }) as unknown as Struct<Value, null>
}

/** Throws if the shape cannot be converted, so that no document guesses. */
export function schemaOfShape(shape: AnyStruct): JsonSchema {
  const isNullable = accepts(shape, null)
  if (isNullable && shape.type === 'never') return { type: 'null' }
  const schema = schemaOfValue(shape)
  if (!isNullable) return schema
  const { description, ...others } = schema
  const nullable = { anyOf: [others, { type: 'null' }] }
  return description === undefined ? nullable : { description, ...nullable }
}

function schemaOfValue(shape: AnyStruct): JsonSchema {
  const { schema, type } = shape
  if (schema instanceof Description) return schema.read()
  const convert = Object.hasOwn(conversions, type) ? conversions[type] : undefined
  if (!convert)
    throw new TypeError(
      `JSON Schema cannot say what the shape "${shape.type}" accepts. Describe it with described().`,
    )
  return convert(schema as never)
}

// superstruct types the `schema` of a shape loosely: its form depends on `type`.
const conversions: Readonly<Record<string, (schema: never) => JsonSchema>> = {
  object: objectSchema,
  array: (item: AnyStruct) => list(schemaOfShape(item)),
  enums: (values: Readonly<Record<string, string>>) => ({
    type: 'string',
    enum: Object.values(values),
  }),
  literal: (value: boolean | number | string) => ({ type: typeof value, const: value }),
  string: () => ({ type: 'string' }),
  boolean: () => ({ type: 'boolean' }),
  number: () => ({ type: 'number' }),
  integer: () => ({ type: 'integer' }),
}

function objectSchema(members: Readonly<Record<string, AnyStruct>>): JsonSchema {
  const names = Object.keys(members)
  const properties = names.map((name) => [name, schemaOfShape(members[name] as AnyStruct)])
  const required = names.filter((name) => !accepts(members[name] as AnyStruct, undefined))
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

const place: Context = { path: [], branch: [], mask: false }

function accepts(shape: AnyStruct, value: unknown): boolean {
  for (const _ of shape.validator(value, place)) return false
  return true
}
