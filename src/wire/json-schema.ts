/** The part of JSON Schema that describes what operators send and get. */
export interface JsonSchema {
  readonly description?: string
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly const?: boolean | number | string
  readonly enum?: readonly string[]
  readonly default?: number
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
/** A day, as yyyy-MM-dd. */
export const date = (description: string): JsonSchema => ({ ...text(description), format: 'date' })
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
