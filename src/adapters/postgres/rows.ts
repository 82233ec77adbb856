// A record as its row, in both directions. Both travel as JSON.
import postgres from 'postgres'
import type { Timestamp } from '../../domain/timestamp.ts'
import { unorderedCollections } from '../../ports/store-copy.ts'
import type { Collection, ColumnKind, Key } from '../store/collection.ts'
import type { Found } from '../store/lookup.ts'

interface Column {
  readonly field: string
  readonly name: string
  readonly kind: ColumnKind
}

const readForms: Readonly<Record<ColumnKind, string>> = {
  plain: 't.$',
  amount: 't.$::text',
  timestamp: `t.$ at time zone 'UTC'`,
  json: 't.$',
  texts: 't.$',
  base64: `translate(encode(t.$, 'base64'), E'\\n', '')`,
}

type Values = readonly unknown[]

/** How the records of one collection are rows of its table. */
export class Rows<Stored extends object> {
  readonly table: string
  /** Whether rows have a place in the order of creation. */
  readonly isOrdered: boolean
  /** A row `t` as a JSON array: its columns, its place, and its version, which another transaction changes. */
  readonly read: string
  readonly #collection: Collection<Stored>
  readonly #columns: readonly Column[]

  constructor(collection: Collection<Stored>) {
    const { row, name } = collection
    this.table = row.table
    this.isOrdered = !unorderedCollections.has(name)
    this.#collection = collection
    this.#columns = Object.entries(row.columns).map(([field, kind]) => ({
      field,
      kind,
      name: columnOf(field),
    }))
    const columns = this.#columns.map(({ name, kind }) => readForms[kind].replace('$', name))
    const sequence = this.isOrdered ? 't.sequence' : '0'
    this.read = `json_build_array(${[...columns, sequence, 't.xmin'].join(', ')})`
  }

  found(values: Values): Found<Stored> {
    const flat: Record<string, unknown> = {}
    for (const [index, { field, kind }] of this.#columns.entries()) {
      const value = values[index]
      flat[field] = kind === 'timestamp' && value !== null ? readInstant(value as string) : value
    }
    const { row, upgrade } = this.#collection
    const built = row.build ? row.build(flat) : (flat as Stored)
    return {
      record: upgrade ? upgrade(built) : built,
      sequence: Number(values.at(-2)),
      version: Number(values.at(-1)),
    }
  }

  /** By the names of the columns. */
  write(record: Stored): Record<string, unknown> {
    const { flatten } = this.#collection.row
    const flat = (flatten ? flatten(record) : record) as Readonly<Record<string, unknown>>
    const written: Record<string, unknown> = {}
    for (const { field, name, kind } of this.#columns) written[name] = writeValue(kind, flat[field])
    return written
  }

  writeKey(key: Key): Record<string, string> {
    const { columns } = this.#collection.key
    return Object.fromEntries(columns.map((column, index) => [column, key[index] ?? '']))
  }
}

const known = new WeakMap<object, unknown>()

export function rowsOf<Stored extends object>(collection: Collection<Stored>): Rows<Stored> {
  const rows = (known.get(collection) as Rows<Stored> | undefined) ?? new Rows(collection)
  known.set(collection, rows)
  return rows
}

function writeValue(kind: ColumnKind, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (kind === 'timestamp') return writeInstant(value as string)
  if (kind === 'base64') return `\\x${Buffer.from(value as string, 'base64').toString('hex')}`
  return value
}

function columnOf(field: string): string {
  return postgres.fromCamel(field)
}

const yearZero = '0000-'
const yearZeroInPostgres = '0001-'
const beforeChrist = ' BC'

/** ISO 8601 has a year 0; PostgreSQL calls it 1 BC. */
export function writeInstant(at: string): string {
  if (!at.startsWith(yearZero)) return at
  return yearZeroInPostgres + at.slice(yearZero.length) + beforeChrist
}

const written = /^(.{10})[ T](.{8})(?:\.(\d{1,3})\d*)?( BC)?$/

/** Of an instant `at time zone 'UTC'`, whatever the session is set to: `2026-11-20T12:00:00.5`. */
export function readInstant(text: string): Timestamp {
  const parts = written.exec(text)
  if (!parts) throw new Error(`The database wrote an instant as ${text}.`)
  // By number: a row has several, and names cost twice as much.
  const { 1: date = '', 2: time, 3: fraction = '', 4: era } = parts
  const day = era ? date.replace(yearZeroInPostgres, yearZero) : date
  return `${day}T${time}.${fraction.padEnd(3, '0')}Z` as Timestamp
}
