import { type InputKey, inputMeanings } from '../../operations/manual.ts'
import { inputShapeOf, type OperationName } from '../../operations/operations.ts'
import { type JsonSchema, nameOf } from '../../wire/json-schema.ts'
import { schemaOfShape } from '../../wire/schema-of-shape.ts'

type OpenApiSchema = Readonly<Record<string, unknown>>

/** `Share purchase row` is `SharePurchaseRow`: names of components may not contain spaces. */
export function componentName(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

export function requestName(name: OperationName): string {
  return `${componentName(name)}Request`
}

/** Answers may get further values later, so their values are listed as extensible, as in the partner's contract. */
export function toAnswerSchema(schema: JsonSchema): OpenApiSchema {
  return toComponent(schema, ([key, value]) => [key === 'enum' ? 'x-extensible-enum' : key, value])
}

export function toRequestSchema(schema: JsonSchema): OpenApiSchema {
  return toComponent(schema, (entry) => entry)
}

/** Of the shape that the operation itself checks its input with. */
export function requestSchemaOf(name: OperationName): OpenApiSchema {
  const { properties = {}, ...schema } = schemaOfShape(inputShapeOf(name))
  const described = Object.entries(properties).map(([key, property]) => [
    key,
    { description: inputMeanings[key as InputKey], ...property },
  ])
  return toRequestSchema({ ...schema, properties: Object.fromEntries(described) })
}

type Entry = readonly [key: string, value: unknown]

/** With references into `components`, and without empty descriptions. */
function toComponent(schema: JsonSchema, change: (entry: Entry) => Entry): OpenApiSchema {
  return convert(schema, change) as OpenApiSchema
}

function convert(node: unknown, change: (entry: Entry) => Entry): unknown {
  if (Array.isArray(node)) return node.map((each) => convert(each, change))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node)
    .filter(([key, value]) => !(key === 'description' && value === ''))
    .map(([key, value]) =>
      change([key, key === '$ref' ? referenceOf(value) : convert(value, change)]),
    )
  return Object.fromEntries(entries)
}

function referenceOf($ref: string): string {
  return `#/components/schemas/${componentName(nameOf($ref))}`
}
