import type { Change, Session } from './session.ts'
import { textArray, type Value } from './statements.ts'
import { readTimestamp } from './timestamps.ts'

/**
 * How a column holds a value: as it is, as a number of which no digit may be lost, as an instant, as JSON, as an array of
 * texts, or as bytes that are base64 outside.
 */
type Kind = 'plain' | 'amount' | 'timestamp' | 'json' | 'texts' | 'base64'

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
  /** Which records may be replaced, where the key does not say it. */
  readonly onlyWhere?: string
}

const parameterForms: Readonly<Record<Kind, string>> = {
  plain: '$',
  amount: '$',
  timestamp: '$',
  json: '$::text::jsonb',
  texts: '$::text::text[]',
  base64: `decode($::text, 'base64')`,
}

const selectForms: Readonly<Record<Kind, string>> = {
  plain: 't.$',
  amount: 't.$::text',
  timestamp: 't.$',
  json: 't.$',
  texts: 'to_json(t.$)',
  base64: `translate(encode(t.$, 'base64'), E'\\n', '')`,
}

/** Records of one kind: `Flat` has a field for each column. */
export class Table<Stored, Flat = Stored> {
  readonly name: string
  /** What stands between `select` and `from`; the table is called `t`. */
  readonly selected: string
  readonly build: (flat: Flat) => Stored
  readonly #parts: TableParts<Stored, Flat>
  readonly #fields: readonly (readonly [keyof Flat & string, Kind])[]
  readonly #instants: readonly (keyof Flat & string)[]
  readonly #insert: string
  readonly #upsert: string

  constructor(parts: TableParts<Stored, Flat>) {
    this.#parts = parts
    this.name = parts.name
    this.build = (flat) => parts.build(this.#withInstants(flat))
    this.#fields = Object.entries(parts.columns) as unknown as (readonly [
      keyof Flat & string,
      Kind,
    ])[]
    this.#instants = this.#fields.flatMap(([field, kind]) => (kind === 'timestamp' ? [field] : []))
    this.selected = this.#fields
      .map(([field, kind]) => `${selectForms[kind].replace('$', columnOf(field))} as "${field}"`)
      .join(', ')
    this.#insert = this.#insertText()
    this.#upsert = `${this.#insert} ${this.#replacement()}`
  }

  /** Inserts, or replaces the record of the same key; returns at once, unless whoever puts wants to know. */
  put(session: Session, record: Stored, isAwaited = false): Promise<unknown> {
    const change = { ...this.#changeOf(record), text: this.#upsert, isAwaited, mustChange: true }
    return session.change(this.name, change)
  }

  /** For what this write knows not to be there: of two who make it, the database takes one. */
  insert(session: Session, record: Stored): Promise<unknown> {
    return session.change(this.name, { ...this.#changeOf(record), text: this.#insert })
  }

  one(rows: readonly Flat[]): Stored | undefined {
    return rows[0] && this.build(rows[0])
  }

  all(rows: readonly Flat[]): readonly Stored[] {
    return rows.map(this.build)
  }

  /** One statement for all of them, in the order in which they are to be numbered. */
  insertMany(records: readonly Stored[]): { readonly text: string; readonly values: Value[] } {
    const rows = records.map((_, row) => `(${this.#parameters(row)})`)
    const text = `insert into ${this.name} (${this.#columns().join(', ')}) values ${rows.join(', ')}`
    return { text, values: records.flatMap((record) => this.#valuesOf(record)) }
  }

  #insertText(): string {
    const columns = this.#columns()
    const into = `insert into ${this.name} (${columns.join(', ')})`
    const values = this.#parameters(0)
    if (!this.#parts.numberedUnder) return `${into} values (${values})`
    const lock = `pg_advisory_xact_lock_shared(hashtextextended($${columns.length + 1}, 0))`
    return `${into} select ${values} from (select ${lock} offset 0) as locked`
  }

  /** Of the row of this number, in a statement with several. */
  #parameters(row: number): string {
    const kinds = [
      ...this.#fields.map(([, kind]) => kind),
      ...Object.keys(this.#parts.extra ?? {}).map(() => 'plain' as const),
    ]
    const first = row * kinds.length + 1
    const values = kinds.map((kind, index) =>
      parameterForms[kind].replace('$', `$${first + index}`),
    )
    return values.join(', ')
  }

  #columns(): string[] {
    return [...this.#fields.map(([field]) => field), ...Object.keys(this.#parts.extra ?? {})].map(
      columnOf,
    )
  }

  #replacement(): string {
    const { key, onlyWhere } = this.#parts
    const where = onlyWhere ? ` where ${onlyWhere}` : ''
    return `on conflict (${key.map(columnOf).join(', ')}) do update set ${this.#assignments()}${where}`
  }

  #assignments(): string {
    const { key, alsoSet } = this.#parts
    const keys = key.map(columnOf)
    const changed = this.#columns().filter((column) => !keys.includes(column))
    const set = changed.map((column) => `${column} = excluded.${column}`)
    return [...set, ...(alsoSet ? [alsoSet] : [])].join(', ')
  }

  #withInstants(flat: Flat): Flat {
    const read = { ...flat } as Record<keyof Flat & string, unknown>
    for (const field of this.#instants) {
      const written = read[field]
      if (typeof written === 'string') read[field] = readTimestamp(written)
    }
    return read as Flat
  }

  #changeOf(record: Stored): Pick<Change, 'values' | 'row'> {
    const { key, flatten, numberedUnder } = this.#parts
    const flat = flatten(record)
    const values = this.#valuesOf(record, flat)
    if (numberedUnder) values.push(numberedUnder(record))
    return { values, row: key.map((field) => flat[field]).join(' ') }
  }

  #valuesOf(record: Stored, flat = this.#parts.flatten(record)): Value[] {
    const values = this.#fields.map(([field, kind]) => valueIn(kind, flat[field]))
    return [...values, ...Object.values(this.#parts.extra ?? {}).map((extraOf) => extraOf(record))]
  }
}

function valueIn(kind: Kind, value: unknown): Value {
  if (kind === 'json') return JSON.stringify(value)
  if (kind === 'texts') return textArray(value as readonly string[])
  return value as Value
}

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function asItIs<Stored>(record: Stored): Stored {
  return record
}
