// Shapes with bounds, which say their bounds in documents too.
import { array, integer, number, refine, type Struct } from 'superstruct'
import type { AnyStruct } from './check-shape.ts'
import type { JsonSchema } from './json-schema.ts'
import { described, schemaOfShape } from './schema-of-shape.ts'

interface Bounds {
  readonly min?: number
  readonly max?: number
}

export function integerWithin(bounds: Bounds): Struct<number, null> {
  return within(integer(), bounds, { type: 'integer', what: 'a whole number' })
}

export function numberWithin(bounds: Bounds): Struct<number, null> {
  return within(number(), bounds, { type: 'number', what: 'a number' })
}

function within(
  shape: Struct<number, null>,
  { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Bounds,
  { type, what }: { readonly type: string; readonly what: string },
): Struct<number, null> {
  const bounded = refine(shape, 'bounds', (value) => {
    if (value < min) return `must be ${what}, at least ${min}`
    return value <= max || `must be ${what}, at most ${max}`
  })
  return described(bounded, {
    type,
    ...(Number.isFinite(min) && { minimum: min }),
    ...(Number.isFinite(max) && { maximum: max }),
  })
}

export function listWithin<Item>(
  item: Struct<Item, unknown>,
  { min = 0, max = Number.POSITIVE_INFINITY }: Bounds,
): Struct<Item[], AnyStruct> {
  const bounded = refine(array(item as AnyStruct), 'bounds', ({ length }) => {
    if (length < min) return min === 1 ? 'must not be empty' : `must have at least ${min} entries`
    return length <= max || `must have at most ${max} entries`
  })
  const schema: JsonSchema = {
    type: 'array',
    items: schemaOfShape(item as AnyStruct),
    minItems: min,
    ...(Number.isFinite(max) && { maxItems: max }),
  }
  return described(bounded, schema) as unknown as Struct<Item[], AnyStruct>
}
