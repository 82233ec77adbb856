import { type Timestamp, timestampOf } from '../../domain/timestamp.ts'

const yearZero = '0000-'
const yearZeroInPostgres = '0001-'
const beforeChrist = ' BC'

/** ISO 8601 has a year 0; PostgreSQL calls it 1 BC. */
export function writeTimestamp(at: string): string {
  if (!at.startsWith(yearZero)) return at
  return yearZeroInPostgres + at.slice(yearZero.length) + beforeChrist
}

/** Of a session in UTC and with ISO dates: `2026-11-20 12:00:00.5+00`. */
export function readTimestamp(text: string): Timestamp {
  const isYearZero = text.endsWith(beforeChrist)
  const plain = isYearZero
    ? yearZero + text.slice(yearZeroInPostgres.length, -beforeChrist.length)
    : text
  return timestampOf(new Date(plain.replace(' ', 'T').replace('+00', 'Z')))
}
