import { shortIdLength } from '../../domain/ids.ts'
import type { Money } from '../../domain/money.ts'
import { platformDay, type Timestamp } from '../../domain/timestamp.ts'
import type { CollectionName } from '../../ports/collections.ts'

/** The values of columns, in their order. */
export type Key = readonly string[]

export interface Index<Stored> {
  readonly columns: readonly string[]
  valuesOf(record: Stored): Key | undefined
}

/** No two records have the same values. */
export interface UniqueIndex<Stored> extends Index<Stored> {
  /** The name of the index in a UniquenessError. */
  readonly name: string
  valuesOf(record: Stored): Key
  /** The constraint in PostgreSQL, if it needs one. */
  readonly constraint?: string
  /** The values are as good as random, so only the commit checks whether one is taken. */
  readonly isDrawn?: boolean
}

/**
 * Lists of records with the same values, ordered by `rank`, then by creation. If `valuesOf` returns no values, the
 * record is in no list.
 */
export interface ListIndex<Stored> extends Index<Stored> {
  readonly rank?: Rank<Stored>
  /** The SQL condition on a row `t` for the records for which `valuesOf` returns values. */
  readonly where?: string
  /** Includes only the records that are first in their list of the other index. For reads only. */
  readonly firstOf?: ListIndex<Stored>
  /**
   * How a commit proves that the list has not changed since it was read: by the version of a record that changes with
   * the list. `rows` proves only the records that were found, and `none` proves nothing.
   */
  readonly proof?: ListProof | 'rows' | 'none'
  /**
   * Followers read the list from a cursor and must miss nothing. So a record is hidden while a running transaction may
   * still insert one before it.
   */
  readonly isLog?: boolean
}

interface Rank<Stored> {
  /** A column, or an expression on a row `t`. */
  readonly column: string
  /** The column is a text and not an instant. */
  readonly isText?: true
  of(record: Stored): string
}

interface ListProof {
  readonly collection: () => Collection<object>
  keyOf(values: Key): Key
}

/**
 * Counts and sums of all records of a collection, by part and period. Engines keep them up to date with each change, so
 * that reading them costs the same in any store. PostgreSQL does so by triggers (`migrations/0002-tallies.ts`).
 */
export interface Tally<Stored> {
  readonly name: string
  /** A day is one of the platform, `yyyy-MM-dd`, and an hour is one in UTC, `yyyy-MM-ddTHH`. */
  readonly period: 'day' | 'hour'
  /** How a record counts; undefined if it does not. */
  of(
    record: Stored,
  ): { readonly part: string; readonly at: Timestamp; readonly amount?: Money } | undefined
}

/** The period of a tally in which an instant lies. */
export function periodOf({ period }: Pick<Tally<never>, 'period'>, at: Timestamp): string {
  return period === 'day' ? platformDay(at) : at.slice(0, 'yyyy-MM-ddTHH'.length)
}

/**
 * How a column stores a value: unchanged, as an exact number, as an instant, as JSON, as an array
 * of texts, or as bytes (base64 in the record).
 */
export type ColumnKind = 'plain' | 'amount' | 'timestamp' | 'json' | 'texts' | 'base64'

/** The row of a record in PostgreSQL. The fields are the columns in camel case. */
interface RowShape<Stored> {
  readonly table: string
  readonly columns: Readonly<Record<string, ColumnKind>>
  /** Further columns, which are not fields of the record. */
  readonly apart?: Readonly<Record<string, ColumnKind>>
  /** Fields that a record lacks if they have no value. Both engines leave them out, so that a copy is identical. */
  readonly optional?: readonly string[]
  flatten?(record: Stored): object
  /** The columns come apart, because leaving some out of a copy would take longer than the rest of a read. */
  build?(fields: object, apart: object): Stored
}

/** The referenced collection, or a function if it differs between records. */
export type Reference<Stored> = CollectionName | { of(record: Stored): CollectionName }

interface RecordKey<Stored> extends Index<Stored> {
  valuesOf(record: Stored): Key
  /** The key in journals, which is short if an id alone is unique. */
  text(key: Key): string
}

interface AuditedFields<Stored> {
  /** The id of the record first, then those of records that it refers to. */
  idsOf(record: Stored): Readonly<Record<string, string>>
  /** The fields without secrets and without personal data of investors. */
  fieldsOf(record: Stored): Readonly<Record<string, unknown>>
}

/** Everything that an engine needs to know about a collection. */
export interface Collection<Stored> {
  readonly name: CollectionName
  readonly key: RecordKey<Stored>
  /** The collection is small and every request reads it. Engines may cache all answers; one version proves them. */
  readonly isCached?: boolean
  /** The organization that owns the record. The owner never changes. */
  ownerOf?(record: Stored): string
  /** Fields whose values many records share. */
  readonly sharedFields?: readonly string[]
  /** The fields that refer to records of other collections, or are null. */
  readonly references?: Readonly<Record<string, Reference<Stored>>>
  readonly unique?: readonly UniqueIndex<Stored>[]
  /** If the key is not the id: the id, and the name of the error when another record has it. */
  readonly identity?: { readonly name: string; of(record: Stored): string }
  readonly lists?: readonly ListIndex<Stored>[]
  readonly tallies?: readonly Tally<Stored>[]
  /** The search terms of a record besides its keys: any number of texts, which many records may share. */
  readonly terms?: { readonly column: string; of(record: Stored): readonly string[] | undefined }
  readonly row: RowShape<Stored>
  /** The part of a change that the audit records. Absent for records that only accompany others. */
  readonly audit?: AuditedFields<Stored>
  /** Converts a record that any version may have stored. Absent while no shape has changed. */
  upgrade?(stored: Stored): Stored
}

/** Joins the values. Only the last one may contain a slash. */
export function joinKey(values: Key): string {
  return values.length === 1 ? (values[0] ?? '') : values.join('/')
}

type FieldOf<Stored> = keyof Stored & string

/** A key of these fields. */
export function keyOf<Stored>(...fields: readonly FieldOf<Stored>[]): RecordKey<Stored> {
  return { ...indexOf(fields), text: joinKey }
}

/** A key whose last field is an id that is unique across organizations, so this id alone is its text. */
export function scopedKey<Stored>(...fields: readonly FieldOf<Stored>[]): RecordKey<Stored> {
  return { ...indexOf(fields), text: (values) => values.at(-1) ?? '' }
}

/** No two records have the same values in these fields. */
export function uniqueBy<Stored>(
  named: Pick<UniqueIndex<Stored>, 'name' | 'constraint'>,
  ...fields: readonly FieldOf<Stored>[]
): UniqueIndex<Stored> {
  return { ...indexOf(fields), ...named }
}

/** A unique index of an id that is random, or derived from a random id. */
export function drawnId<Stored>(field: FieldOf<Stored>, constraint?: string): UniqueIndex<Stored> {
  return { ...indexOf([field]), name: 'id', isDrawn: true, ...(constraint && { constraint }) }
}

/** Lists of the records with the same values in these fields. */
export function listBy<Stored>(...fields: readonly FieldOf<Stored>[]): ListIndex<Stored> {
  return indexOf(fields)
}

/** Lists of the records with the same values in these fields, in the order of a rank. */
export function rankedBy<Stored>(
  rank: Rank<Stored>,
  ...fields: readonly FieldOf<Stored>[]
): ListIndex<Stored> {
  return { ...indexOf(fields), rank }
}

/** All records in the order of an id, so that a few of its first characters find it. */
export function byIdPrefix<Stored>(field: FieldOf<Stored>): ListIndex<Stored> {
  const of = (record: Stored) => record[field] as string
  return { ...listBy<Stored>(), rank: { column: columnOf(field), isText: true, of } }
}

/** All records in the order of the end of an id, so that a few of its last characters find it. */
export function byIdEnd<Stored>(field: FieldOf<Stored>): ListIndex<Stored> {
  const of = (record: Stored) => (record[field] as string).slice(-shortIdLength)
  return {
    ...listBy<Stored>(),
    rank: { column: `right(t.${columnOf(field)}, ${shortIdLength})`, isText: true, of },
  }
}

/** A list of values in SQL, such as the values of a column that the domain knows. */
export function quoted(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ')
}

function indexOf<Stored>(fields: readonly FieldOf<Stored>[]) {
  return {
    columns: fields.map(columnOf),
    valuesOf: (record: Stored): Key => fields.map((field) => record[field] as string),
  }
}

/** The name of a column. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
