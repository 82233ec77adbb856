import { define, type Struct } from 'superstruct'
import { parseTimestamp, type Timestamp } from '../../domain/timestamp.ts'

export function timestamp(): Struct<string, null> {
  return define(
    'timestamp',
    (value) =>
      (typeof value === 'string' && parseTimestamp(value) !== undefined) ||
      'must be a timestamp with an offset, such as 2026-03-31T09:30:00+02:00',
  )
}

/** Of a text that has passed the shape. */
export function readTimestamp(text: string): Timestamp {
  const instant = parseTimestamp(text)
  if (!instant) throw new TypeError('A timestamp came past the shape that checks it.')
  return instant
}
