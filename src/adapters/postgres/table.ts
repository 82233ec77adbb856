import type { Session } from './session.ts'
import { textArray, type Value } from './statements.ts'

/** How a column holds a value: as it is, as JSON, as an array of texts, or as bytes that are base64 outside. */
type Kind = 'plain' | 'json' | 'texts' | 'base64'

export interface TableParts<Stored, Flat> {
  readonly name: string
  readonly key: readonly (keyof Flat & string)[]
  readonly columns: Readonly<Record<keyof Flat & string, Kind>>
  readonly flatten: (record: Stored) => Flat
  readonly build: (flat: Flat) => Stored
  /** Values that only the database looks at. */
  readonly extra?: Readonly<Record<string, (record: Stored) => Value>>
  /** What else is set when a record is replaced. */
  readonly alsoSet?: string
  /** Which records may be replaced, where the key does not say it. */
  readonly onlyWhere?: string
}

const parameterForms: Readonly<Record<Kind, string>> = {
  plain: '$',
  json: '$::text::jsonb',
  texts: '$::text::text[]',
  base64: `decode($::text, 'base64')`,
}

const selectForms: Readonly<Record<Kind, string>> = {
  plain: 't.$',
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
  readonly #insert: string
  readonly #upsert: string

  constructor(parts: TableParts<Stored, Flat>) {
    this.#parts = parts
    this.name = parts.name
    this.build = parts.build
    this.#fields = Object.entries(parts.columns) as unknown as (readonly [
      keyof Flat & string,
      Kind,
    ])[]
    this.selected = this.#fields
      .map(([field, kind]) => `${selectForms[kind].replace('$', columnOf(field))} as "${field}"`)
      .join(', ')
    this.#insert = this.#insertText()
    this.#upsert = `${this.#insert} ${this.#replacement()}`
  }

  /** Inserts, or replaces the record of the same key; returns at once, unless whoever puts wants to know. */
  put(session: Session, record: Stored, isAwaited = false): Promise<unknown> {
    return session.change(this.name, {
      text: this.#upsert,
      values: this.#valuesOf(record),
      isAwaited,
      mustChange: true,
    })
  }

  /** For what this write knows not to be there: of two who make it, the database takes one. */
  insert(session: Session, record: Stored): Promise<unknown> {
    return session.change(this.name, { text: this.#insert, values: this.#valuesOf(record) })
  }

  one(rows: readonly Flat[]): Stored | undefined {
    return rows[0] && this.build(rows[0])
  }

  all(rows: readonly Flat[]): readonly Stored[] {
    return rows.map(this.build)
  }

  /** One statement for all of them, in the order in which they are to be numbered. */
  insertMany(records: readonly Stored[]): { readonly text: string; readonly values: Value[] } {
    const rows = records.map((_, row) => this.#parameters(row))
    const text = `insert into ${this.name} (${this.#columns().join(', ')}) values ${rows.join(', ')}`
    return { text, values: records.flatMap((record) => this.#valuesOf(record)) }
  }

  #insertText(): string {
    const columns = this.#columns().join(', ')
    return `insert into ${this.name} (${columns}) values ${this.#parameters(0)}`
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
    return `(${values.join(', ')})`
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

  #valuesOf(record: Stored): Value[] {
    const flat = this.#parts.flatten(record)
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
