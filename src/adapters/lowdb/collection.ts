import { batchesInTurns } from './batches-of.ts'
import { LastChanges } from './last-changes.ts'
import { SortedEntries } from './sorted-entries.ts'
import type { StringPool } from './string-pool.ts'

/** A record in its place: `sequence` counts creations, because ids (UUIDv5 from fixtures) do not sort by age. */
export interface Entry<Stored> {
  record: Stored
  readonly sequence: number
}

export type Order<Stored> = (left: Entry<Stored>, right: Entry<Stored>) => number

/** No two records have the same value; `name` is what a UniquenessError says. */
export interface UniqueIndex<Stored> {
  readonly name: string
  readonly valueOf: (record: Stored) => string
}

/** Records with the same value, in the order of `rankOf`, then of creation. A record without a value is in no group. */
export interface GroupIndex<Stored> {
  readonly valueOf: (record: Stored) => string | undefined
  readonly rankOf?: (record: Stored) => string
}

export interface Schema<Stored> {
  readonly keyOf: (record: Stored) => string
  /** Whose record it is; a record never changes its owner. */
  readonly ownerOf?: (record: Stored) => string
  /** Fields whose text many records have in common. */
  readonly sharedFields?: readonly (keyof Stored)[]
  readonly unique?: readonly UniqueIndex<Stored>[]
  readonly groups?: readonly GroupIndex<Stored>[]
}

/** Records of one kind in memory, with the indexes that requests need. */
export class Collection<Stored> {
  readonly name: string
  readonly schema: Schema<Stored>
  /** Counts changes, undone ones too: it never takes a former value again. */
  revision = 0
  readonly changes = new LastChanges()
  readonly #entries = new Map<string, Entry<Stored>>()
  readonly #unique = new Map<UniqueIndex<Stored>, Map<string, string>>()
  readonly #groups = new Map<GroupIndex<Stored>, Map<string, SortedEntries<Stored>>>()
  #created = 0

  constructor(name: string, schema: Schema<Stored>) {
    this.name = name
    this.schema = schema
    for (const index of schema.unique ?? []) this.#unique.set(index, new Map())
    for (const index of schema.groups ?? []) this.#groups.set(index, new Map())
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Stored | undefined {
    return this.#entries.get(key)?.record
  }

  keyBy(index: UniqueIndex<Stored>, value: string): string | undefined {
    return this.#unique.get(index)?.get(value)
  }

  group(index: GroupIndex<Stored>, value: string): SortedEntries<Stored> | undefined {
    return this.#groups.get(index)?.get(value)
  }

  groups(index: GroupIndex<Stored>): ReadonlyMap<string, SortedEntries<Stored>> {
    return this.#groups.get(index) ?? new Map()
  }

  /** Those of a group that come after the record of `key`; none when there is no such record. */
  after(index: GroupIndex<Stored>, value: string, key: string): Iterable<Stored> {
    const entry = this.#entries.get(key)
    return (entry && this.group(index, value)?.after(entry)) ?? []
  }

  /** Oldest first. Records added while iterating are met at the end. */
  *values(): Generator<Stored> {
    for (const entry of this.#entries.values()) yield entry.record
  }

  put(record: Stored): void {
    const key = this.schema.keyOf(record)
    const entry = this.#entries.get(key)
    this.revision += 1
    if (entry) this.#replace(entry, record)
    else this.#insert(key, { record, sequence: this.#created++ })
  }

  remove(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.revision += 1
    this.#entries.delete(key)
    for (const index of this.#unique.keys()) this.#release(index, entry.record)
    for (const index of this.#groups.keys()) this.#leave(index, entry)
  }

  /** `put` without indexes, for start-up; `buildIndexes` follows. */
  load(record: Stored, pool: StringPool): void {
    pool.shareIn(record, this.schema.sharedFields ?? [])
    const key = this.schema.keyOf(record)
    const entry = this.#entries.get(key)
    if (entry) entry.record = record
    else this.#entries.set(key, { record, sequence: this.#created++ })
  }

  unload(key: string): void {
    this.#entries.delete(key)
  }

  /** Returns the name of a unique index that two records contradict. */
  async buildIndexes(): Promise<string | undefined> {
    for await (const entries of batchesInTurns(this.#entries.values())) {
      for (const entry of entries) this.#index(entry)
    }
    for (const [index, values] of this.#unique) {
      if (values.size !== this.size) return index.name
    }
    return undefined
  }

  #insert(key: string, entry: Entry<Stored>): void {
    this.#entries.set(key, entry)
    this.#index(entry)
  }

  #index(entry: Entry<Stored>): void {
    for (const index of this.#unique.keys()) this.#hold(index, entry.record)
    for (const index of this.#groups.keys()) this.#join(index, entry)
  }

  #replace(entry: Entry<Stored>, record: Stored): void {
    const previous = entry.record
    const moving = [...this.#groups.keys()].filter((index) => isMoved(index, previous, record))
    for (const index of moving) this.#leave(index, entry)
    for (const index of this.#unique.keys()) this.#release(index, previous)
    entry.record = record
    for (const index of this.#unique.keys()) this.#hold(index, record)
    for (const index of moving) this.#join(index, entry)
  }

  #hold(index: UniqueIndex<Stored>, record: Stored): void {
    this.#unique.get(index)?.set(index.valueOf(record), this.schema.keyOf(record))
  }

  // One transaction may hand a value on from one record to another, in either order.
  #release(index: UniqueIndex<Stored>, record: Stored): void {
    const values = this.#unique.get(index)
    const value = index.valueOf(record)
    if (values?.get(value) === this.schema.keyOf(record)) values.delete(value)
  }

  #join(index: GroupIndex<Stored>, entry: Entry<Stored>): void {
    const value = index.valueOf(entry.record)
    if (value === undefined) return
    const groups = this.#groups.get(index)
    const group = groups?.get(value) ?? new SortedEntries(orderOf(index))
    group.add(entry)
    groups?.set(value, group)
  }

  #leave(index: GroupIndex<Stored>, entry: Entry<Stored>): void {
    const value = index.valueOf(entry.record)
    if (value === undefined) return
    const groups = this.#groups.get(index)
    const group = groups?.get(value)
    group?.remove(entry)
    if (group?.size === 0) groups?.delete(value)
  }
}

function isMoved<Stored>(index: GroupIndex<Stored>, before: Stored, after: Stored): boolean {
  return (
    index.valueOf(before) !== index.valueOf(after) ||
    index.rankOf?.(before) !== index.rankOf?.(after)
  )
}

function orderOf<Stored>({ rankOf }: GroupIndex<Stored>): Order<Stored> {
  if (!rankOf) return bySequence
  return (left, right) => {
    const [first, second] = [rankOf(left.record), rankOf(right.record)]
    return first < second ? -1 : first > second ? 1 : bySequence(left, right)
  }
}

function bySequence(left: Entry<unknown>, right: Entry<unknown>): number {
  return left.sequence - right.sequence
}
