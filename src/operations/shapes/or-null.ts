import { nullable, optional, type Struct } from 'superstruct'

/** What may be left out may also be null, as the service sends it. */
export function orNull<Value, Schema>(shape: Struct<Value, Schema>) {
  return optional(nullable(shape))
}
