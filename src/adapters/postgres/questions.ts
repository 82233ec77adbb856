// What can be asked of a table. The text of a question depends on its kind alone; its values are a JSON array `a`.
import type { Collection, Key, ListIndex, UniqueIndex } from '../store/collection.ts'
import type { Found, Range } from '../store/lookup.ts'
import { rowsOf, writeInstant } from './rows.ts'

export interface Question<Answer> {
  /** A subquery that looks up few rows. */
  readonly text: string
  readonly values: readonly (string | number | null)[]
  read(answer: unknown): Answer
  /** It may take long, so nobody else waits for it. */
  readonly isSlow?: boolean
}

/** What is asked for in one page; more than that may take long. */
const page = 100

export function getQuestion<Stored extends object>(
  collection: Collection<Stored>,
  key: Key,
): Question<Found<Stored> | undefined> {
  return one(collection, collection.key.columns, key)
}

export function findQuestion<Stored extends object>(
  collection: Collection<Stored>,
  index: UniqueIndex<Stored>,
  values: Key,
): Question<Found<Stored> | undefined> {
  return one(collection, index.columns, values)
}

function one<Stored extends object>(
  collection: Collection<Stored>,
  columns: readonly string[],
  values: Key,
): Question<Found<Stored> | undefined> {
  const rows = rowsOf(collection)
  return {
    text: `(select ${rows.read} from ${rows.table} t where ${equal(columns).join(' and ')})`,
    values,
    read: (answer) => (answer === null ? undefined : rows.found(answer as unknown[])),
  }
}

export function listQuestion<Stored extends object>(
  collection: Collection<Stored>,
  index: ListIndex<Stored>,
  range: Range<Stored>,
): Question<readonly Found<Stored>[]> {
  const rows = rowsOf(collection)
  const values: (string | number | null)[] = [...range.values]
  const place = (value: string | number | null) => `(a ->> ${values.push(value) - 1})`
  const instant = (value: string) => `${place(writeInstant(value))}::timestamptz`
  const number = (value: number) => `${place(value)}::bigint`
  const { first, conditions } = memberOf(collection, index)
  const { after, from, until, matching, isReversed, offset, limit } = range
  const { rank } = index
  const order = orderOf(collection, index)
  if (after) {
    const place = index.isLog
      ? placeInLog(collection, after, values)
      : [...(rank ? [instant(rank.of(after.record))] : []), number(after.sequence)]
    conditions.push(`(${order.join(', ')}) ${isReversed ? '<' : '>'} (${place.join(', ')})`)
  }
  if (from !== undefined) conditions.push(`t.${rank?.column} >= ${instant(from)}`)
  if (until !== undefined) conditions.push(`t.${rank?.column} < ${instant(until)}`)
  if (matching) {
    const { column, comparison, value } = matching
    const isInstant = collection.row.columns[fieldOf(column)] === 'timestamp'
    conditions.push(`t.${column} ${comparison} ${isInstant ? instant(value) : place(value)}`)
  }
  const direction = isReversed ? ' desc' : ''
  const limits = [
    ...(order.length > 0 ? [`order by ${order.map((by) => by + direction).join(', ')}`] : []),
    ...(limit === undefined ? [] : [`limit ${number(limit)}`]),
    ...(offset ? [`offset ${number(offset)}`] : []),
  ]
  return {
    text: `(select coalesce(json_agg(l.r), '[]') from (select ${rows.read} as r from ${rows.table} t${first}${where(conditions)} ${limits.join(' ')}) l)`,
    values,
    read: (answer) => ((answer ?? []) as unknown[][]).map((row) => rows.found(row)),
    isSlow: limit === undefined || limit > page,
  }
}

export function countQuestion<Stored extends object>(
  collection: Collection<Stored>,
  index: ListIndex<Stored>,
  values: Key,
): Question<number> {
  const { table } = rowsOf(collection)
  const { first, conditions } = memberOf(collection, index)
  return {
    text: `(select count(*) from ${table} t${first}${where(conditions)})`,
    values,
    read: Number,
    isSlow: true,
  }
}

/** From one list to the next by the index, however long each is. */
export function listedQuestion<Stored extends object>(
  collection: Collection<Stored>,
  index: ListIndex<Stored>,
): Question<readonly Key[]> {
  const { table } = rowsOf(collection)
  const columns = index.columns.map(expressionOf)
  const names = columns.map((_, place) => `v${place}`).join(', ')
  const selected = columns.map((column, place) => `${column} as v${place}`).join(', ')
  const own = index.where === undefined ? [] : [index.where]
  const next = [
    ...own,
    `(${columns.join(', ')}) > (${columns.map((_, place) => `l.v${place}`).join(', ')})`,
  ]
  const orderBy = `order by ${columns.join(', ')} limit 1`
  return {
    text: `(with recursive l as (
        (select ${selected} from ${table} t${where(own)} ${orderBy})
        union all
        select n.* from l cross join lateral (select ${selected} from ${table} t${where(next)} ${orderBy}) n
      ) select coalesce(json_agg(json_build_array(${names})), '[]') from l)`,
    values: [],
    read: (answer) => answer as Key[],
    isSlow: true,
  }
}

/** An answer together with the version of the collection that it was read from. */
export function versioned(collection: Collection<object>, text: string): string {
  return `json_build_array(${versionOf(collection)}, ${text})`
}

function versionOf({ row }: Collection<object>): string {
  return `(select c.version from changes c where c.name = '${row.table}')`
}

/** Whether the rows that were read are still as they were, in one look. */
export function isUnchangedQuestion(
  collection: Collection<object>,
  key: Key,
  version: number | null,
): Question<boolean> {
  const { table } = rowsOf(collection)
  return {
    text: `(select t.xmin from ${table} t where ${equal(collection.key.columns).join(' and ')})`,
    values: key,
    read: (answer) => (answer === null ? null : Number(answer)) === version,
  }
}

/** The rows of a table in their order. */
export function orderOf<Stored extends object>(
  collection: Collection<Stored>,
  { rank, isLog }: ListIndex<Stored>,
): string[] {
  return [
    ...(rank ? [`t.${rank.column}`] : []),
    ...(isLog ? ['t.written_in'] : []),
    ...(rowsOf(collection).isOrdered ? ['t.sequence'] : []),
  ]
}

function memberOf<Stored extends object>(
  collection: Collection<Stored>,
  { columns, where: own, isLog, firstOf }: ListIndex<Stored>,
): { readonly first: string; readonly conditions: string[] } {
  const conditions = [
    ...equal(columns),
    ...(own === undefined ? [] : [own]),
    // A transaction that still runs may put something before what is behind it.
    ...(isLog ? ['t.written_in < pg_snapshot_xmin(pg_current_snapshot())'] : []),
  ]
  if (!firstOf) return { first: '', conditions }
  const { table } = rowsOf(collection)
  const others = firstOf.columns.map(expressionOf)
  const names = ['t.sequence as place', ...others.map((column, index) => `${column} as v${index}`)]
  const same = [
    ...others.map((column, index) => `${column} = o.v${index}`),
    ...(firstOf.where === undefined ? [] : [firstOf.where]),
  ]
  const orderBy = orderOf(collection, firstOf).join(', ')
  conditions.push(
    `o.place = (select t.sequence from ${table} t${where(same)} order by ${orderBy} limit 1)`,
  )
  return { first: ` cross join lateral (select ${names.join(', ')}) o`, conditions }
}

function placeInLog<Stored extends object>(
  collection: Collection<Stored>,
  { record }: Found<Stored>,
  values: (string | number | null)[],
): string[] {
  const { table } = rowsOf(collection)
  const first = values.length
  values.push(...collection.key.valuesOf(record))
  const matches = collection.key.columns.map(
    (column, index) => `b.${column} = (a ->> ${first + index})`,
  )
  return ['written_in', 'sequence'].map(
    (column) => `(select b.${column} from ${table} b where ${matches.join(' and ')})`,
  )
}

function equal(columns: readonly string[]): string[] {
  return columns.map((column, index) => `${expressionOf(column)} = (a ->> ${index})`)
}

/** A column, or an expression of columns of `t`. Of settings there is one, which is found by a boolean. */
function expressionOf(column: string): string {
  if (column === 'singleton') return 't.singleton::text'
  return /^\w+$/.test(column) ? `t.${column}` : column
}

function where(conditions: readonly string[]): string {
  return conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''
}

function fieldOf(column: string): string {
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
