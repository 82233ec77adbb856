import { type Context, dynamic, type Struct } from 'superstruct'
import type { AnyStruct } from './check-shape.ts'

/** The part of JSON Schema that describes what operators send and get. */
export interface JsonSchema {
  readonly description?: string
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly const?: boolean | number | string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | false
  readonly anyOf?: readonly JsonSchema[]
  readonly $ref?: string
}

export const text = (description: string): JsonSchema => ({ type: 'string', description })
export const id = (description: string): JsonSchema => ({ ...text(description), format: 'uuid' })
export const instant = (description: string): JsonSchema => ({
  ...text(description),
  format: 'date-time',
})
export const amount = (description: string): JsonSchema => ({
  ...text(description),
  pattern: '^\\d+\\.\\d{2}$',
})
export const count = (description: string): JsonSchema => ({ type: 'integer', description })
export const number = (description: string): JsonSchema => ({ type: 'number', description })
export const bool = (description: string): JsonSchema => ({ type: 'boolean', description })

export const oneOf = (values: readonly string[], description: string): JsonSchema => ({
  ...text(description),
  enum: values,
})

export const list = (items: JsonSchema, description?: string): JsonSchema => ({
  type: 'array',
  items,
  ...(description !== undefined && { description }),
})

/** The schema of a key whose value can be null. */
export interface NullableSchema extends JsonSchema {
  readonly anyOf: readonly [JsonSchema, { readonly type: 'null' }]
}

export function orNull({ description = '', ...schema }: JsonSchema): NullableSchema {
  return { description, anyOf: [schema, { type: 'null' }] }
}

/** A key of any name. */
export const byName = (values: JsonSchema, description: string): JsonSchema => ({
  type: 'object',
  additionalProperties: values,
  description,
})

export const either = (...anyOf: readonly JsonSchema[]): JsonSchema => ({ anyOf })

const definitionsPath = '#/$defs/'

/** @param name of an object in `objects` */
export function refer(name: string, description?: string): JsonSchema {
  const $ref = `${definitionsPath}${name}`
  return description === undefined ? { $ref } : { $ref, description }
}

export function nameOf($ref: string): string {
  return $ref.slice(definitionsPath.length)
}

type OptionalKeys<Value> = {
  [Key in keyof Value]-?: undefined extends Value[Key] ? Key : never
}[keyof Value]

/** A value that can be null needs a schema that says so. */
export type SchemaOf<Value> = unknown extends Value
  ? JsonSchema
  : null extends Value
    ? NullableSchema
    : JsonSchema

/** A key that the code adds, removes, renames or makes nullable does not compile until it is described here. */
export function record<Value extends object>(
  properties: { readonly [Key in keyof Value]-?: SchemaOf<Value[Key]> },
  optional: readonly OptionalKeys<Value>[] = [],
): JsonSchema {
  const isRequired = (key: string) => !(optional as readonly string[]).includes(key)
  return { type: 'object', properties, required: Object.keys(properties).filter(isRequired) }
}

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
  literal: (value: boolean | number | string) => ({ const: value }),
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
