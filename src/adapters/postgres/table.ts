import { maximumCounted } from '../../domain/page.ts'
// The table of a collection: converts records to rows and back, and builds the queries about rows. All values travel
// as JSON.
import type { Timestamp } from '../../domain/timestamp.ts'
import { unorderedCollections } from '../../ports/collections.ts'
import {
  type Collection,
  type ColumnKind,
  columnOf,
  type Key,
  type ListIndex,
  type Tally,
} from '../store/collection.ts'
import type { Found, Part, Range, TallyRange, TallySum } from '../store/lookup.ts'

/** The text depends only on the kind of query. Its values are the JSON array `a`. */
export interface Query<Answer> {
  /** A subquery that reads few rows. */
  readonly text: string
  readonly values: readonly (string | number | null)[]
  /** Called with null if nothing was found or the value cannot exist. */
  read(answer: unknown): Answer
  /** The query may take long, so it is not sent together with others. */
  readonly isSlow?: boolean
}

/** The maximum number of rows that a quick query reads. */
export const quickRows = 100

interface SearchAnswer<Stored> {
  readonly found: readonly Found<Stored>[]
  readonly count: number
}

interface Column {
  readonly field: string
  readonly name: string
  readonly kind: ColumnKind
  readonly isOptional: boolean
  readonly isApart: boolean
}

const readForms: Readonly<Record<ColumnKind, string>> = {
  plain: 't.$',
  amount: 't.$::text',
  timestamp: `t.$ at time zone 'UTC'`,
  json: 't.$',
  texts: 't.$',
  base64: `translate(encode(t.$, 'base64'), E'\\n', '')`,
}

export class Table<Stored extends object> {
  readonly name: string
  /** A row `t` as a JSON array: its columns, its place in the order of creation, and its version. */
  readonly row: string
  readonly #collection: Collection<Stored>
  readonly #columns: readonly Column[]
  /** Whether rows have a place in the order of creation. */
  readonly #isOrdered: boolean

  constructor(collection: Collection<Stored>) {
    const { row, name } = collection
    this.name = row.table
    this.#isOrdered = !unorderedCollections.has(name)
    this.#collection = collection
    const { apart = {}, optional } = row
    this.#columns = Object.entries({ ...row.columns, ...apart }).map(([field, kind]) => {
      const isOptional = !!optional?.includes(field)
      return { field, kind, name: columnOf(field), isOptional, isApart: field in apart }
    })
    const columns = this.#columns.map(({ name, kind }) => readForms[kind].replace('$', name))
    const sequence = this.#isOrdered ? 't.sequence' : '0'
    this.row = `json_build_array(${[...columns, sequence, 't.xmin'].join(', ')})`
  }

  read(values: readonly unknown[]): Found<Stored> {
    const fields: Record<string, unknown> = {}
    const apart: Record<string, unknown> = {}
    for (const [index, { field, kind, isOptional, isApart }] of this.#columns.entries()) {
      const value = values[index]
      if (isOptional && value === null) continue
      const read = kind === 'timestamp' && value !== null ? readInstant(value as string) : value
      if (isApart) apart[field] = read
      else fields[field] = read
    }
    const { row, upgrade } = this.#collection
    const built = row.build ? row.build(fields, apart) : (fields as Stored)
    const [sequence, version] = [Number(values.at(-2)), Number(values.at(-1))]
    return { record: upgrade ? upgrade(built) : built, sequence, version }
  }

  /** Returns the values by the names of columns, without those that are null. */
  write(record: Stored): Record<string, unknown> {
    const { flatten } = this.#collection.row
    const flat = (flatten ? flatten(record) : record) as Readonly<Record<string, unknown>>
    const written: Record<string, unknown> = {}
    for (const { field, name, kind } of this.#columns) {
      const value = flat[field]
      if (value !== null && value !== undefined) written[name] = writeValue(kind, value)
    }
    return written
  }

  writeKey(key: Key): Record<string, string> {
    const { columns } = this.#collection.key
    return Object.fromEntries(columns.map((column, index) => [column, key[index] ?? '']))
  }

  /** Asks for the one record with these values. */
  one(columns: readonly string[], values: Key): Query<Found<Stored> | undefined> {
    return {
      text: `(select ${this.row} from ${this.name} t${where(equal(columns))})`,
      values,
      read: (answer) => (answer === null ? undefined : this.read(answer as unknown[])),
    }
  }

  list(index: ListIndex<Stored>, range: Range<Stored>): Query<readonly Found<Stored>[]> {
    const within = this.#within(index, range)
    const { first, leading, order, conditions, values, place, instant, number } = within
    const { matching = [], isReversed, offset, limit } = range
    for (const { field, comparison, value } of matching) {
      const { columns } = this.#collection.row
      const placed = columns[field] === 'timestamp' ? instant(value) : place(value)
      conditions.push(`t.${columnOf(field)} ${comparison} ${placed}`)
    }
    const direction = isReversed ? ' desc' : ''
    const sorted = [...leading, ...order].map((by) => by + direction).join(', ')
    const limits = [
      ...(sorted === '' ? [] : [`order by ${sorted}`]),
      ...(limit === undefined ? [] : [`limit ${number(limit)}`]),
      ...(offset ? [`offset ${number(offset)}`] : []),
    ]
    return {
      // The inner select skips rows before they become JSON.
      text: `(select coalesce(json_agg(${this.row}), '[]') from (select t.*, t.xmin from ${this.name} t${first}${where(conditions)} ${limits.join(' ')}) t)`,
      values,
      read: (answer) => ((answer ?? []) as unknown[][]).map((row) => this.read(row)),
      isSlow: limit === undefined || limit + (offset ?? 0) > quickRows,
    }
  }

  /** Unordered: sorting would read all matching rows. */
  search(terms: Key, limit: number): Query<SearchAnswer<Stored>> {
    const values = terms.map((_, index) => `(a ->> ${index})`).join(', ')
    const matching = `${this.name} t where t.${this.#collection.terms?.column} @> array[${values}]`
    const rows = `select coalesce(json_agg(l.r), '[]') from (select ${this.row} as r from ${matching} limit (a ->> ${terms.length})::bigint) l`
    const count = `select count(*) from (select 1 from ${matching} limit ${maximumCounted}) c`
    return {
      text: `json_build_array((${rows}), (${count}))`,
      values: [...terms, limit],
      read: (answer) => {
        const [found, count] = (answer ?? [[], 0]) as [unknown[][], number]
        return { found: found.map((row) => this.read(row)), count: Number(count) }
      },
    }
  }

  count(index: ListIndex<Stored>, part: Part<Stored>): Query<number> {
    const { first, conditions, values, number } = this.#within(index, part)
    const limit = part.limit === undefined ? '' : ` limit ${number(part.limit)}`
    const text = `(select count(*) from (select from ${this.name} t${first}${where(conditions)}${limit}) c)`
    return { text, values, read: Number, isSlow: part.limit === undefined }
  }

  /** Changes that are not merged yet are added to the sums. */
  tally({ name }: Tally<Stored>, { parts, periods }: TallyRange): Query<readonly TallySum[]> {
    const places = parts.map((_, index) => `(a ->> ${index})`)
    const [from, until] = [parts.length, parts.length + 1].map((index) => `(a ->> ${index})`)
    const period = periods ? 's.period' : `''`
    const within = periods ? ` and s.period >= ${from} and s.period < ${until}` : ''
    return {
      text: `(select coalesce(json_agg(json_build_object('part', s.part, 'period', s.period, 'count', s.count, 'amount', s.amount::text)), '[]')
        from (select s.part, ${period} as period, sum(s.count)::bigint as count, sum(s.amount) as amount
          from tallies s where s.name = '${name}' and s.part in (${places.join(', ')})${within}
          group by 1, 2 having sum(s.count) <> 0) s)`,
      values: [...parts, ...(periods ? [periods.from, periods.until] : [])],
      read: (answer) => (answer ?? []) as TallySum[],
    }
  }

  /** Skips from one list to the next by the index, however long each list is. */
  listed(index: ListIndex<Stored>): Query<readonly Key[]> {
    const columns = index.columns.map(expressionOf)
    const names = columns.map((_, place) => `v${place}`)
    const selected = columns.map((column, place) => `${column} as v${place}`)
    const own = index.where === undefined ? [] : [index.where]
    const next = `(${columns.join(', ')}) > (${names.map((name) => `l.${name}`).join(', ')})`
    const first = (conditions: readonly string[]) =>
      `(select ${selected.join(', ')} from ${this.name} t${where(conditions)} order by ${columns.join(', ')} limit 1)`
    return {
      text: `(with recursive l as (
          ${first(own)}
          union all
          select n.* from l cross join lateral ${first([...own, next])} n
        ) select coalesce(json_agg(json_build_array(${names.join(', ')})), '[]') from l)`,
      values: [],
      read: (answer) => answer as Key[],
      isSlow: true,
    }
  }

  /** Asks for an answer together with the version of its collection. */
  versioned<Answer>(
    query: Query<Answer>,
  ): Query<{ readonly version: number; readonly answer: Answer }> {
    const version = `(select c.version from changes c where c.name = '${this.name}')`
    return {
      ...query,
      text: `json_build_array(${version}, ${query.text})`,
      read(found) {
        const [version, answer] = (found ?? [0, null]) as [number, unknown]
        return { version, answer: query.read(answer) }
      },
    }
  }

  /** The order of a list, or of all rows. */
  order({ rank, isLog }: Pick<ListIndex<Stored>, 'rank' | 'isLog'>): string[] {
    return [
      ...(rank ? [expressionOf(rank.column)] : []),
      ...(isLog ? ['t.written_in'] : []),
      ...(this.#isOrdered ? ['t.sequence'] : []),
    ]
  }

  /** The conditions of a part of a list, and how further values become part of the query. */
  #within(index: ListIndex<Stored>, part: Part<Stored>) {
    const { values: own, from, until, after, isReversed, withHidden } = part
    const values: (string | number)[] = [...own]
    const place = (value: string | number) => `(a ->> ${values.push(value) - 1})`
    const instant = (value: string) => `${place(writeInstant(value))}::timestamptz`
    const number = (value: number) => `${place(value)}::bigint`
    const [{ rank }, members] = [index, this.#members(index, withHidden)]
    const order = this.order(index)
    const ranked = rank?.isText ? place : instant
    const by = expressionOf(rank?.column ?? '')
    if (from !== undefined) members.conditions.push(`${by} >= ${ranked(from)}`)
    if (until !== undefined) members.conditions.push(`${by} < ${ranked(until)}`)
    if (after) {
      const found = index.isLog
        ? this.#placeInLog(after, values)
        : [...(rank ? [ranked(rank.of(after.record))] : []), number(after.sequence)]
      const comparison = isReversed ? '<' : '>'
      members.conditions.push(`(${order.join(', ')}) ${comparison} (${found.join(', ')})`)
    }
    return { values, place, instant, number, order, ...members }
  }

  #members(
    { columns, where: own, isLog, firstOf, rank }: ListIndex<Stored>,
    withHidden: boolean | undefined,
  ) {
    // The planner removes a column that equals a value from the order, and might then choose an index of all records
    // and read most of them. It does not remove a column that equals any value of an array. Only the index of the list
    // then has the order.
    const leading = rank && !firstOf ? columns.slice(0, 1).map(expressionOf) : []
    const conditions = [
      ...leading.map((column) => `${column} = any(array[(a ->> 0)])`),
      ...equal(columns).slice(leading.length),
      ...(own === undefined ? [] : [own]),
      // Leaves out rows while a running transaction may still insert a row before them.
      ...(isLog && !withHidden ? ['t.written_in < pg_snapshot_xmin(pg_current_snapshot())'] : []),
    ]
    if (!firstOf) return { first: '', leading, conditions }
    const others = firstOf.columns.map(expressionOf)
    const names = ['t.sequence as place', ...others.map((one, place) => `${one} as v${place}`)]
    const same = [
      ...others.map((column, index) => `${column} = o.v${index}`),
      ...(firstOf.where === undefined ? [] : [firstOf.where]),
    ]
    const order = this.order(firstOf).join(', ')
    conditions.push(
      `o.place = (select t.sequence from ${this.name} t${where(same)} order by ${order} limit 1)`,
    )
    return { first: ` cross join lateral (select ${names.join(', ')}) o`, leading, conditions }
  }

  #placeInLog({ record }: Found<Stored>, values: (string | number)[]): string[] {
    const { key } = this.#collection
    const first = values.length
    values.push(...key.valuesOf(record))
    const same = key.columns.map((column, index) => `b.${column} = (a ->> ${first + index})`)
    return ['written_in', 'sequence'].map(
      (column) => `(select b.${column} from ${this.name} b${where(same)})`,
    )
  }
}

const known = new WeakMap<object, unknown>()

export function tableOf<Stored extends object>(collection: Collection<Stored>): Table<Stored> {
  const table = (known.get(collection) as Table<Stored> | undefined) ?? new Table(collection)
  known.set(collection, table)
  return table
}

function equal(columns: readonly string[]): string[] {
  return columns.map((column, index) => `${expressionOf(column)} = (a ->> ${index})`)
}

/** A column, or an expression for columns of `t`. The settings have one row, which a boolean finds. */
function expressionOf(column: string): string {
  if (column === 'singleton') return 't.singleton::text'
  return /^\w+$/.test(column) ? `t.${column}` : column
}

function where(conditions: readonly string[]): string {
  return conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''
}

function writeValue(kind: ColumnKind, value: unknown): unknown {
  if (kind === 'timestamp') return writeInstant(value as string)
  if (kind === 'base64') return `\\x${Buffer.from(value as string, 'base64').toString('hex')}`
  return value
}

const yearZero = '0000-'
const yearZeroInPostgres = '0001-'
const beforeChrist = ' BC'

/** ISO 8601 has a year 0, which PostgreSQL calls 1 BC. */
function writeInstant(at: string): string {
  if (!at.startsWith(yearZero)) return at
  return yearZeroInPostgres + at.slice(yearZero.length) + beforeChrist
}

const written = /^(.{10})[ T](.{8})(?:\.(\d{1,3})\d*)?( BC)?$/

/** Reads an instant `at time zone 'UTC'`, such as `2026-11-20T12:00:00.5`. */
export function readInstant(text: string): Timestamp {
  const parts = written.exec(text)
  if (!parts) throw new Error(`The database returned ${text} where a timestamp was expected.`)
  // Groups by number, because names are twice as slow and a row has several instants.
  const { 1: date = '', 2: time, 3: fraction = '', 4: era } = parts
  const day = era ? date.replace(yearZeroInPostgres, yearZero) : date
  return `${day}T${time}.${fraction.padEnd(3, '0')}Z` as Timestamp
}
