import { define, type Struct } from 'superstruct'
import { parseTimestamp, type Timestamp, timestampFault } from '../../domain/timestamp.ts'

export function timestamp(): Struct<string, null> {
  // A value that is not a string gets the same sentence as an empty one.
  return define(
    'timestamp',
    (value) => timestampFault(typeof value === 'string' ? value : '') ?? true,
  )
}

/** Of a text that has passed the shape. */
export function readTimestamp(text: string): Timestamp {
  const instant = parseTimestamp(text)
  if (!instant) throw new TypeError('A timestamp came past the shape that checks it.')
  return instant
}
