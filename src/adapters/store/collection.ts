import type { CollectionName } from '../../ports/collections.ts'

/** Values of columns, in their order. */
export type Key = readonly string[]

export interface Index<Stored> {
  readonly columns: readonly string[]
  valuesOf(record: Stored): Key | undefined
}

/** No two records have the same values. */
export interface UniqueIndex<Stored> extends Index<Stored> {
  /** What a UniquenessError says. */
  readonly name: string
  valuesOf(record: Stored): Key
  /** The constraint in PostgreSQL. */
  readonly constraint: string
  /** Values are drawn at random: only the commit looks whether one is taken. */
  readonly isDrawn?: boolean
}

/** Records with the same values, in the order of `rank`, then of creation. A record without values is in no such list. */
export interface ListIndex<Stored> extends Index<Stored> {
  readonly rank?: Rank<Stored>
  /** What `valuesOf` leaves out, as SQL says it of a row `t`. */
  readonly where?: string
  /** Only those that are the first in their list of this other index; the others are neither listed nor counted. For reads. */
  readonly firstOf?: ListIndex<Stored>
  /**
   * How a write knows at its commit that nothing has joined or left the list since it was read: by the version of a record
   * that changes with it. `rows`: it does not; only the records that were found are proven. `none`: not even those.
   */
  readonly proof?: ListProof | 'rows' | 'none'
  /** Followers read it from a cursor on, and miss none: where commits overlap, nothing is shown that another may precede. */
  readonly isLog?: boolean
}

interface Rank<Stored> {
  readonly column: string
  of(record: Stored): string
}

interface ListProof {
  readonly collection: () => Collection<object>
  keyOf(values: Key): Key
}

/**
 * How a column holds a value: as it is, as a number of which no digit may be lost, as an instant, as JSON, as an array of
 * texts, or as bytes that are base64 outside.
 */
export type ColumnKind = 'plain' | 'amount' | 'timestamp' | 'json' | 'texts' | 'base64'

/** The row of a record in PostgreSQL. Its fields are the columns, in camel case. */
interface RowShape<Stored> {
  readonly table: string
  readonly columns: Readonly<Record<string, ColumnKind>>
  flatten?(record: Stored): object
  build?(row: object): Stored
}

/** The collection that is referred to, or how to find it where records differ in that. */
export type Reference<Stored> = CollectionName | { of(record: Stored): CollectionName }

interface RecordKey<Stored> extends Index<Stored> {
  valuesOf(record: Stored): Key
  /** What journals call a record by. It is short where an id alone is unique. */
  text(key: Key): string
}

/** Everything that an engine knows about one kind of records. */
export interface Collection<Stored> {
  readonly name: CollectionName
  readonly key: RecordKey<Stored>
  /** Few, and read by every request: engines may keep all answers, and one version proves all of them. */
  readonly isKept?: boolean
  /** Whose record it is; a record never changes its owner. */
  ownerOf?(record: Stored): string
  /** Fields whose text many records have in common. */
  readonly sharedFields?: readonly string[]
  /** Which field names a record of which collection. It may be null. */
  readonly references?: Readonly<Record<string, Reference<Stored>>>
  readonly unique?: readonly UniqueIndex<Stored>[]
  /** Of a record whose key is not its id: another one with the same key is refused by this name. */
  readonly identity?: { readonly name: string; of(record: Stored): string }
  readonly lists?: readonly ListIndex<Stored>[]
  readonly row: RowShape<Stored>
  /** A record as any release may have stored it becomes one of today. Absent while no shape has changed. */
  upgrade?(stored: Stored): Stored
}

/** The text of values. They are ids, which hold no slash, but for the last one. */
export function joinKey(values: Key): string {
  return values.length === 1 ? (values[0] ?? '') : values.join('/')
}

type FieldOf<Stored> = keyof Stored & string

/** A key of these fields. */
export function keyOf<Stored>(...fields: readonly FieldOf<Stored>[]): RecordKey<Stored> {
  return { ...indexOf(fields), text: joinKey }
}

/** A key whose last field is an id that no other organization has, so this id alone is the text of the key. */
export function keyWithin<Stored>(...fields: readonly FieldOf<Stored>[]): RecordKey<Stored> {
  return { ...indexOf(fields), text: (values) => values.at(-1) ?? '' }
}

/** No two records have the same values in these fields. */
export function uniqueBy<Stored>(
  { name, constraint }: Pick<UniqueIndex<Stored>, 'name' | 'constraint'>,
  ...fields: readonly FieldOf<Stored>[]
): UniqueIndex<Stored> {
  return { ...indexOf(fields), name, constraint }
}

/** The same of an id that is drawn at random. */
export function drawnId<Stored>(field: FieldOf<Stored>, constraint: string): UniqueIndex<Stored> {
  return { ...uniqueBy({ name: 'id', constraint }, field), isDrawn: true }
}

/** The lists of records that have the same values in these fields. */
export function listBy<Stored>(...fields: readonly FieldOf<Stored>[]): ListIndex<Stored> {
  return indexOf(fields)
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
