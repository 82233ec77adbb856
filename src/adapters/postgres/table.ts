import type { Put, Session } from './session.ts'
import { textArray, type Value } from './statements.ts'
import {
  type Column,
  columnOf,
  insertManyText,
  insertTexts,
  type Kind,
  type PutTexts,
  selectText,
  type TextParts,
  upsertTexts,
} from './table-texts.ts'
import { readTimestamp, writeTimestamp } from './timestamps.ts'

export interface TableParts<Stored, Flat> {
  readonly name: string
  readonly key: readonly (keyof Flat & string)[]
  readonly columns: Readonly<Record<keyof Flat & string, Kind>>
  readonly flatten: (record: Stored) => Flat
  readonly build: (flat: Flat) => Stored
  /** Values that only the database looks at. */
  readonly extra?: Readonly<Record<string, (record: Stored) => Value>>
  /** A lock, shared by all who put, under which the database draws the number of a record. */
  readonly numberedUnder?: (record: Stored) => string
  /** What else is set when a record is replaced. */
  readonly alsoSet?: string
  /** What a record has for good, where the key does not say it: a record with another value is refused. */
  readonly keeps?: keyof Flat & string
}

/** Records of one kind: `Flat` has a field for each column. */
export class Table<Stored, Flat = Stored> {
  readonly name: string
  readonly key: readonly (keyof Flat & string)[]
  /** What stands between `select` and `from`; the table is called `t`. */
  readonly selected: string
  readonly build: (flat: Flat) => Stored
  readonly #parts: TableParts<Stored, Flat>
  readonly #columns: readonly (Column & { readonly field: keyof Flat & string })[]
  readonly #extra: readonly (readonly [column: string, extraOf: (record: Stored) => Value])[]
  readonly #instants: readonly (keyof Flat & string)[]
  readonly #textParts: TextParts
  readonly #insert: PutTexts
  readonly #upsert: PutTexts
  readonly #built = new WeakMap<readonly Flat[], readonly Stored[]>()

  constructor(parts: TableParts<Stored, Flat>) {
    this.#parts = parts
    this.name = parts.name
    this.key = parts.key
    this.build = (flat) => parts.build(this.#withInstants(flat))
    const kinds = Object.entries(parts.columns) as unknown as [keyof Flat & string, Kind][]
    this.#columns = kinds.map(([field, kind]) => ({ field, kind, name: columnOf(field) }))
    this.#extra = Object.entries(parts.extra ?? {}).map(([field, of]) => [columnOf(field), of])
    this.#instants = this.#columns.flatMap(({ field, kind }) =>
      kind === 'timestamp' ? [field] : [],
    )
    this.#textParts = this.#describe()
    this.selected = selectText(this.#textParts)
    this.#insert = insertTexts(this.#textParts)
    this.#upsert = upsertTexts(this.#textParts)
  }

  /** Inserts, or replaces the record of the same key; returns at once, unless whoever puts wants to know. */
  put(session: Session, record: Stored, isAwaited = false): Promise<void> {
    return session.put({ ...this.#putOf(record, this.#upsert), isAwaited })
  }

  /** For what this write knows not to be there: of two who make it, the database takes one. */
  insert(session: Session, record: Stored): Promise<void> {
    return session.put(this.#putOf(record, this.#insert))
  }

  one(rows: readonly Flat[]): Stored | undefined {
    return this.all(rows)[0]
  }

  /** The same records for the same rows: what is remembered is asked for again and again, and nobody changes it. */
  all(rows: readonly Flat[]): readonly Stored[] {
    const records = this.#built.get(rows) ?? rows.map(this.build)
    this.#built.set(rows, records)
    return records
  }

  /** One statement for all of them, in the order in which they are to be numbered. */
  insertMany(records: readonly Stored[]): { readonly text: string; readonly values: Value[] } {
    const text = insertManyText(this.#textParts, records.length)
    return { text, values: records.flatMap((record) => this.#valuesOf(record)) }
  }

  #describe(): TextParts {
    const { name, key, keeps, alsoSet, numberedUnder } = this.#parts
    return {
      name,
      key: key.map(columnOf),
      columns: this.#columns,
      extra: this.#extra.map(([column]) => column),
      isNumbered: numberedUnder !== undefined,
      alsoSet,
      keeps: keeps && columnOf(keeps),
    }
  }

  #withInstants(flat: Flat): Flat {
    const read = { ...flat } as Record<keyof Flat & string, unknown>
    for (const field of this.#instants) {
      const written = read[field]
      if (typeof written === 'string') read[field] = readTimestamp(written)
    }
    return read as Flat
  }

  #putOf(record: Stored, texts: PutTexts): Put {
    const { key, flatten, numberedUnder } = this.#parts
    const flat = flatten(record)
    const name = numberedUnder?.(record)
    return {
      table: this.name,
      row: key.map((field) => flat[field]).join(' '),
      isAwaited: false,
      alone: () => ({
        text: texts.alone,
        values: [...this.#valuesOf(record, flat), ...(name === undefined ? [] : [name])],
      }),
      together: (isNew) => (isNew ? this.#insert : texts).together,
      record: () => this.#recordOf(record, flat),
      numberedUnder: name,
    }
  }

  #recordOf(record: Stored, flat: Flat): object {
    const written: Record<string, unknown> = {}
    for (const { field, name, kind } of this.#columns) {
      written[name] = kind === 'timestamp' ? writeInstant(flat[field]) : flat[field]
    }
    for (const [column, extraOf] of this.#extra) written[column] = extraOf(record)
    return written
  }

  #valuesOf(record: Stored, flat = this.#parts.flatten(record)): Value[] {
    const values = this.#columns.map(({ field, kind }) => valueIn(kind, flat[field]))
    return [...values, ...this.#extra.map(([, extraOf]) => extraOf(record))]
  }
}

/** What has not happened yet is null. */
function writeInstant(instant: unknown): unknown {
  return typeof instant === 'string' ? writeTimestamp(instant) : instant
}

function valueIn(kind: Kind, value: unknown): Value {
  if (kind === 'json') return JSON.stringify(value)
  if (kind === 'texts') return value === null ? null : textArray(value as readonly string[])
  return value as Value
}

export function asItIs<Stored>(record: Stored): Stored {
  return record
}
