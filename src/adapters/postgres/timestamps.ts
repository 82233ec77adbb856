import type { Timestamp } from '../../domain/timestamp.ts'

const yearZero = '0000-'
const yearZeroInPostgres = '0001-'
const beforeChrist = ' BC'

/** ISO 8601 has a year 0; PostgreSQL calls it 1 BC. */
export function writeTimestamp(at: string): string {
  if (!at.startsWith(yearZero)) return at
  return yearZeroInPostgres + at.slice(yearZero.length) + beforeChrist
}

const written = /^(.{10})[ T](.{8})(?:\.(\d{1,3})\d*)?\+00(?::00)?( BC)?$/

/** Of a session in UTC and with ISO dates: `2026-11-20 12:00:00.5+00`, or as JSON `2026-11-20T12:00:00.5+00:00`. */
export function readTimestamp(text: string): Timestamp {
  // By number: a row has several, and names cost twice as much.
  const parts = written.exec(text) ?? refuse(text)
  const { 1: date = '', 2: time, 3: fraction = '', 4: era } = parts
  const day = era ? date.replace(yearZeroInPostgres, yearZero) : date
  return `${day}T${time}.${fraction.padEnd(3, '0')}Z` as Timestamp
}

function refuse(text: string): never {
  throw new Error(`The database wrote an instant as ${text}.`)
}
