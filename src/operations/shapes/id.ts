import { define, type Struct } from 'superstruct'
import { isUuid } from '../../domain/uuid.ts'

export function id(): Struct<string, null> {
  return define(
    'id',
    (value) => (typeof value === 'string' && isUuid(value)) || 'must be a UUID in lower case',
  )
}
