import { type Collection, type Index, joinKey, type Key, type ListIndex } from './collection.ts'
import { type Found, isMatching, orderOf, type Range } from './lookup.ts'

/** Without `record`, the record is removed. */
export interface Change {
  readonly collection: Collection<object>
  readonly key: Key
  readonly record: object | undefined
  /** For a removal: the record is removed only if this is still its version. */
  readonly version?: number | undefined
}

interface StagedRecord<Stored> {
  readonly key: Key
  /** undefined if the record is removed. */
  readonly found: Found<Stored> | undefined
  readonly version?: number | undefined
}

// Staged new records come after everything that is stored.
const afterAll = Number.MAX_SAFE_INTEGER / 2

/** The changes of one transaction to one collection, on top of what is stored. */
export class StagedChanges<Stored extends object> {
  readonly #collection: Collection<Stored>
  readonly #records = new Map<string, StagedRecord<Stored>>()
  /** By index and joined values: the keys of staged records that had these values at some point. */
  readonly #keys = new Map<Index<Stored>, Map<string, Set<string>>>()
  #created = afterAll

  constructor(collection: Collection<Stored>) {
    this.#collection = collection
  }

  get changes(): Change[] {
    const collection = this.#collection as Collection<object>
    return [...this.#records.values()].map(({ key, found, version }) => ({
      collection,
      key,
      record: found?.record,
      version,
    }))
  }

  get(key: Key): StagedRecord<Stored> | undefined {
    return this.#records.get(joinKey(key))
  }

  put(record: Stored, stored: Found<Stored> | undefined): void {
    const key = this.#collection.key.valuesOf(record)
    const before = this.get(key)?.found ?? stored
    const found = { record, sequence: before?.sequence ?? this.#created++ }
    this.#records.set(joinKey(key), { key, found })
    for (const [index, keys] of this.#keys) addKey(keys, index.valuesOf(record), joinKey(key))
  }

  remove({ record, version }: Found<Stored>): void {
    const key = this.#collection.key.valuesOf(record)
    this.#records.set(joinKey(key), { key, found: undefined, version })
  }

  /** The staged records that have these values now. */
  having(index: Index<Stored>, values: Key): readonly Found<Stored>[] {
    const text = joinKey(values)
    return [...(this.#keysOf(index).get(text) ?? [])].flatMap((key) => {
      const found = this.#records.get(key)?.found
      const own = found && index.valuesOf(found.record)
      return own && joinKey(own) === text ? found : []
    })
  }

  /** Extends the range by the number of changed records, because any of them may leave the range. */
  widen(range: Range<Stored>): Range<Stored> {
    const { offset = 0, limit } = range
    if (limit === undefined) return { ...range, offset: 0 }
    return { ...range, offset: 0, limit: offset + limit + this.#records.size }
  }

  /** `stored` contains the stored records of the extended range. */
  merge(
    index: ListIndex<Stored>,
    range: Range<Stored>,
    stored: readonly Found<Stored>[],
  ): readonly Found<Stored>[] {
    const { valuesOf } = this.#collection.key
    const keyOf = ({ record }: Found<Stored>) => joinKey(valuesOf(record))
    const places = new Map(stored.map((found) => [keyOf(found), found.sequence]))
    const kept = stored.filter((found) => !this.#records.has(keyOf(found)))
    const added = this.having(index, range.values)
      .map((found) => ({ ...found, sequence: places.get(keyOf(found)) ?? found.sequence }))
      .filter((found) => isIn(index, range, found))
    const order = orderOf(index, range.isReversed)
    const all = added.length === 0 ? kept : [...kept, ...added].sort(order)
    const { offset = 0, limit = Number.POSITIVE_INFINITY } = range
    return all.slice(offset, offset + limit)
  }

  #keysOf(index: Index<Stored>): ReadonlyMap<string, ReadonlySet<string>> {
    const known = this.#keys.get(index)
    if (known) return known
    const keys = new Map<string, Set<string>>()
    for (const [key, { found }] of this.#records) {
      if (found) addKey(keys, index.valuesOf(found.record), key)
    }
    this.#keys.set(index, keys)
    return keys
  }
}

function isIn<Stored>(index: ListIndex<Stored>, range: Range<Stored>, found: Found<Stored>) {
  const { after, from, until, matching } = range
  const rank = index.rank?.of(found.record) ?? ''
  if (from !== undefined && rank < from) return false
  if (until !== undefined && rank >= until) return false
  if (after && orderOf(index)(after, found) >= 0) return false
  return isMatching(matching, found.record)
}

function addKey(keys: Map<string, Set<string>>, values: Key | undefined, key: string): void {
  if (!values) return
  const text = joinKey(values)
  const same = keys.get(text)
  if (same) same.add(key)
  else keys.set(text, new Set([key]))
}
