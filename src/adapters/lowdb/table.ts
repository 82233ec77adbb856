import { isDeepStrictEqual } from 'node:util'
import { maximumCounted } from '../../domain/page.ts'
import { nextTurn } from '../../machine/time.ts'
import { UniquenessError } from '../../ports/store.ts'
import {
  type Collection,
  joinKey,
  type Key,
  type ListIndex,
  type Tally,
  type UniqueIndex,
} from '../store/collection.ts'
import {
  type Found,
  isMatching,
  orderOf,
  type Part,
  type Range,
  type TallyRange,
  type TallySum,
} from '../store/lookup.ts'
import type { Change } from '../store/staged-changes.ts'
import { type Entry, SortedEntries } from './sorted-entries.ts'
import { TallySums } from './tally-sums.ts'

/** The records of one collection in memory, by key, with the indexes of its descriptor. */
export class Table<Stored extends object> {
  readonly collection: Collection<Stored>
  /** Counts changes, including undone ones, so the number never has the same value again. */
  revision = 0
  /** The last transaction that changed a record of this table. */
  lastChange = 0
  readonly #entries = new Map<string, Entry<Stored>>()
  readonly #unique = new Map<UniqueIndex<Stored>, Map<string, Entry<Stored>>>()
  readonly #lists = new Map<ListIndex<Stored>, Map<string, SortedEntries<Stored>>>()
  readonly #tallies: ReadonlyMap<Tally<Stored>, TallySums<Stored>>
  /** The entries by search term. Most terms belong to one record, which needs no set. */
  readonly #byTerm = new Map<string, Entry<Stored> | Set<Entry<Stored>>>()
  /** Lists that depend on the record alone, not on records before it. */
  readonly #ownLists: readonly ListIndex<Stored>[]
  /** Lists that contain only the first record of each list of another index, `of`. */
  readonly #firsts: readonly (readonly [ListIndex<Stored>, of: ListIndex<Stored>])[]
  /** Shared copies of the ids that records refer to, until all are loaded: most ids are in many records. */
  readonly #texts = new Map<string, string>()
  /** The table of the running store, if this one is read only to check its files. */
  readonly #running: Table<Stored> | undefined
  #created = 0

  constructor(collection: Collection<Stored>, running?: Table<Stored>) {
    this.collection = collection
    this.#running = running
    const { unique = [], lists = [], tallies = [] } = collection
    this.#tallies = new Map(tallies.map((tally) => [tally, new TallySums(tally)]))
    for (const index of unique) {
      if (!isOfKey(collection, index)) this.#unique.set(index, new Map())
    }
    for (const index of lists) this.#lists.set(index, new Map())
    this.#ownLists = lists.filter(({ firstOf }) => !firstOf)
    this.#firsts = lists.flatMap((index) => (index.firstOf ? [[index, index.firstOf]] : []))
  }

  get size(): number {
    return this.#entries.size
  }

  keyOf(record: Stored): string {
    const { key } = this.collection
    return key.text(key.valuesOf(record))
  }

  /** The id of a record, for messages. */
  nameOf(record: Stored): string {
    const { name, unique = [] } = this.collection
    const byId = unique.find((index) => index.name === 'id')
    return `${name} ${byId ? byId.valuesOf(record).join('/') : this.keyOf(record)}`
  }

  get(key: string): Entry<Stored> | undefined {
    return this.#entries.get(key)
  }

  find(index: UniqueIndex<Stored>, values: Key): Entry<Stored> | undefined {
    return (this.#unique.get(index) ?? this.#entries).get(joinKey(values))
  }

  count(index: ListIndex<Stored>, part: Part<Stored>): number {
    const entries = this.#listsOf(index).get(joinKey(part.values))
    if (!entries) return 0
    const [first, last] = boundsOf(entries, index, part)
    return Math.min(Math.max(0, last - first), part.limit ?? Number.POSITIVE_INFINITY)
  }

  tally(tally: Tally<Stored>, range: TallyRange): TallySum[] {
    const sums = this.#tallies.get(tally)
    if (!sums) throw new Error(`The collection ${this.collection.name} has no such tally.`)
    return sums.read(range)
  }

  /** The values of all lists that are not empty. */
  listed(index: ListIndex<Stored>): Key[] {
    return [...this.#listsOf(index).values()].flatMap(({ first }) => {
      const values = first && index.valuesOf(first.record)
      return values ? [values] : []
    })
  }

  /** The records that have all these search terms, and their number up to `maximumCounted`. */
  search(terms: readonly string[], limit: number) {
    const lists = terms.map((term) => entriesOf(this.#byTerm.get(term)))
    const [shortest = new Set(), ...others] = lists.sort((left, right) => left.size - right.size)
    const found: Found<Stored>[] = []
    let count = 0
    for (const entry of shortest) {
      if (!others.every((entries) => entries.has(entry))) continue
      if (count++ < limit) found.push(foundAt(entry))
      if (count >= maximumCounted) break
    }
    return { found, count }
  }

  select(index: ListIndex<Stored>, range: Range<Stored>): Found<Stored>[] {
    const entries = this.#listsOf(index).get(joinKey(range.values))
    const { matching, isReversed, offset = 0, limit = Number.POSITIVE_INFINITY } = range
    const found: Found<Stored>[] = []
    if (!entries || limit < 1) return found
    const [first, last] = boundsOf(entries, index, range)
    // Without a condition, records before the offset are skipped without being read.
    const skipped = matching?.length ? 0 : offset
    let left = offset - skipped
    const chosen = isReversed
      ? entries.backwards(first, last - skipped)
      : entries.between(first + skipped, last)
    for (const entry of chosen) {
      if (!isMatching(matching, entry.record)) continue
      if (left-- > 0) continue
      if (found.push(foundAt(entry)) >= limit) break
    }
    return found
  }

  /** Yields the records oldest first. Records that are added meanwhile come last. */
  *values(): Generator<Stored> {
    for (const entry of this.#entries.values()) yield entry.record
  }

  /** Adds a record without indexing it, for start-up. Call `buildIndexes` afterwards. */
  load(stored: Stored): void {
    const read = this.collection.upgrade?.(stored) ?? stored
    const key = this.keyOf(read)
    const record = this.#inMemory(key, read) ?? read
    if (record === read) this.#shareTexts(record)
    const entry = this.#entries.get(key)
    if (entry) entry.record = record
    else this.#entries.set(key, { record, sequence: this.#created++, changedBy: 0 })
  }

  /** A check of a large store would otherwise keep a second copy of each record. */
  #inMemory(key: string, read: Stored): Stored | undefined {
    const record = this.#running?.get(key)?.record
    return record && isDeepStrictEqual(record, read) ? record : undefined
  }

  unload(key: string): void {
    this.#entries.delete(key)
  }

  /** Returns the name of a unique index that two records violate. */
  async buildIndexes(): Promise<string | undefined> {
    this.#texts.clear()
    for await (const entries of yieldingBatches(this.#entries.values())) {
      for (const entry of entries) this.#hold(entry)
    }
    return [...this.#unique].find(([, holders]) => holders.size !== this.size)?.[0].name
  }

  /**
   * Checks and copies need no lists and no search terms. Sorting each list once takes less time than finding the place of
   * each record.
   */
  async buildLists(): Promise<void> {
    for await (const entries of yieldingBatches(this.#entries.values())) {
      for (const entry of entries) {
        this.#addTerms(entry)
        for (const sums of this.#tallies.values()) sums.change(undefined, entry.record)
      }
    }
    for (const index of this.#ownLists) {
      const groups = groupBy(this.#entries.values(), ({ record }) => listOf(index, record))
      const lists = this.#listsOf(index)
      for (const [text, group] of groups) lists.set(text, new SortedEntries(index.rank?.of, group))
      await nextTurn()
    }
    for (const [index, of] of this.#firsts)
      for (const { first } of this.#listsOf(of).values()) this.#join(index, first)
  }

  /** Checks all changes of a transaction together, because it may move a value from one record to another. */
  requireUnique(changes: readonly Change[]): void {
    const { key, ownerOf } = this.collection
    const records = new Map<string, Stored | undefined>()
    for (const change of changes) {
      records.set(key.text(change.key), change.record as Stored | undefined)
    }
    if (records.size < changes.length) throw new UniquenessError('id')
    for (const [text, record] of records) {
      const before = record && this.#entries.get(text)?.record
      // A record never replaces one of another organization, even if both have the same id.
      const isOfAnother = before && ownerOf?.(before) !== ownerOf?.(record)
      if (isOfAnother) throw new UniquenessError('id')
    }
    for (const [index, holders] of this.#unique) {
      const taken = new Set<string>()
      for (const record of records.values()) {
        if (!record) continue
        const value = joinKey(index.valuesOf(record))
        const holder = holders.get(value)
        const isHeld = holder !== undefined && !records.has(this.keyOf(holder.record))
        if (isHeld || taken.has(value)) throw new UniquenessError(index.name)
        taken.add(value)
      }
    }
  }

  /** Returns a function that undoes the changes. */
  apply(changes: readonly Change[], transaction: number): () => void {
    const { lastChange } = this
    const undo = changes.map(({ key, record }) => {
      const text = this.collection.key.text(key)
      const before = this.#entries.get(text)
      const { record: former, changedBy = 0 } = before ?? {}
      this.#set(text, record as Stored | undefined, transaction)
      return () => this.#set(text, former, changedBy)
    })
    this.lastChange = transaction
    return () => {
      for (const one of undo) one()
      this.lastChange = lastChange
    }
  }

  #shareTexts(record: Stored): void {
    const values = record as Record<string, unknown>
    for (const field of this.collection.sharedFields ?? []) {
      const text = values[field]
      if (typeof text !== 'string') continue
      const shared = this.#texts.get(text)
      if (shared === undefined) this.#texts.set(text, text)
      else values[field] = shared
    }
  }

  #set(key: string, record: Stored | undefined, changedBy: number): void {
    const entry = this.#entries.get(key)
    const before = entry?.record
    const moving =
      before && record
        ? this.#ownLists.filter((index) => isMoved(index, before, record))
        : this.#ownLists
    this.revision += 1
    for (const sums of this.#tallies.values()) sums.change(before, record)
    this.#keepFirsts([before, record], () => {
      if (entry) this.#unindex(entry, moving, record)
      if (!record) return void this.#entries.delete(key)
      const placed = entry ?? { record, sequence: this.#created++ }
      placed.record = record
      placed.changedBy = changedBy
      this.#entries.set(key, placed)
      this.#index(placed, moving)
    })
  }

  #index(entry: Entry<Stored>, lists: readonly ListIndex<Stored>[]): void {
    this.#hold(entry)
    this.#addTerms(entry)
    for (const index of lists) this.#join(index, entry)
  }

  /** Makes the entry the holder of its unique values. */
  #hold(entry: Entry<Stored>): void {
    for (const [index, holders] of this.#unique) {
      holders.set(joinKey(index.valuesOf(entry.record)), entry)
    }
  }

  #addTerms(entry: Entry<Stored>): void {
    for (const term of this.#termsOf(entry.record)) {
      const same = this.#byTerm.get(term)
      if (same === undefined || same === entry) this.#byTerm.set(term, entry)
      else this.#byTerm.set(term, entriesOf(same).add(entry))
    }
  }

  #termsOf(record: Stored | undefined): readonly string[] {
    return (record && this.collection.terms?.of(record)) ?? noTerms
  }

  /** Removes the entry from the indexes, except for values and terms that `next`, the record in its place, also has. */
  #unindex(entry: Entry<Stored>, lists: readonly ListIndex<Stored>[], next?: Stored): void {
    for (const [index, holders] of this.#unique) {
      const value = joinKey(index.valuesOf(entry.record))
      const isKept = next && joinKey(index.valuesOf(next)) === value
      // A transaction may move a value from one record to another, in either order.
      if (!isKept && holders.get(value) === entry) holders.delete(value)
    }
    const terms = this.#termsOf(entry.record)
    // A changed record usually has the same array.
    for (const term of terms === this.#termsOf(next) ? [] : terms) {
      const same = entriesOf(this.#byTerm.get(term))
      same.delete(entry)
      if (same.size === 0) this.#byTerm.delete(term)
    }
    for (const index of lists) this.#leave(index, entry)
  }

  /** A change may alter which record is first in the lists that the records have joined or left. */
  #keepFirsts(records: readonly (Stored | undefined)[], change: () => void): void {
    const changing = this.#firsts.flatMap(([index, of]) => {
      const texts = new Set(records.flatMap((record) => listOf(of, record) ?? []))
      return [...texts].map((text) => ({ index, first: () => this.#listsOf(of).get(text)?.first }))
    })
    for (const { index, first } of changing) this.#leave(index, first())
    change()
    for (const { index, first } of changing) this.#join(index, first())
  }

  /** The lists of an index, by their joined values. */
  #listsOf(index: ListIndex<Stored>): Map<string, SortedEntries<Stored>> {
    const lists = this.#lists.get(index)
    if (!lists) throw new Error(`The collection ${this.collection.name} has no such list.`)
    return lists
  }

  #join(index: ListIndex<Stored>, entry: Entry<Stored> | undefined): void {
    const text = listOf(index, entry?.record)
    if (!entry || text === undefined) return
    const lists = this.#listsOf(index)
    const list = lists.get(text)
    if (list) list.add(entry)
    else lists.set(text, new SortedEntries(index.rank?.of, [entry]))
  }

  #leave(index: ListIndex<Stored>, entry: Entry<Stored> | undefined): void {
    const text = listOf(index, entry?.record)
    if (!entry || text === undefined) return
    const lists = this.#listsOf(index)
    const list = lists.get(text)
    list?.remove(entry)
    if (list?.size === 0) lists.delete(text)
  }
}

const noTerms: readonly string[] = []

/** Creates a set for a single record. */
function entriesOf<Stored>(
  same: Entry<Stored> | Set<Entry<Stored>> | undefined,
): Set<Entry<Stored>> {
  return same instanceof Set ? same : new Set(same ? [same] : [])
}

/** The list that contains a record. */
function listOf<Stored>(index: ListIndex<Stored>, record: Stored | undefined): string | undefined {
  const values = record && index.valuesOf(record)
  return values && joinKey(values)
}

/** If the index has the same values as the key, the table itself is the index. */
function isOfKey<Stored>({ key }: Collection<Stored>, { columns }: UniqueIndex<Stored>): boolean {
  return key.text(key.columns) === joinKey(columns)
}

function isMoved<Stored>(index: ListIndex<Stored>, before: Stored, after: Stored): boolean {
  if (index.rank?.of(before) !== index.rank?.of(after)) return true
  return listOf(index, before) !== listOf(index, after)
}

/** A copy, which later changes do not alter. */
export function foundAt<Stored>({ record, sequence }: Entry<Stored>): Found<Stored> {
  return { record, sequence }
}

function boundsOf<Stored extends object>(
  entries: SortedEntries<Stored>,
  index: ListIndex<Stored>,
  { after, from, until, isReversed }: Range<Stored>,
): [number, number] {
  const ranked = (rank: string) =>
    entries.positionOf(({ record }) => (index.rank?.of(record) ?? '') >= rank)
  const start = from === undefined ? 0 : ranked(from)
  const end = until === undefined ? entries.size : ranked(until)
  if (!after) return [start, end]
  const order = orderOf(index)
  const passed = entries.positionOf((one) => order(one, after) >= (isReversed ? 0 : 1))
  return isReversed ? [start, Math.min(end, passed)] : [Math.max(start, passed), end]
}

/** Leaves out items without a key. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key | undefined,
): ReadonlyMap<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = key === undefined ? undefined : groups.get(key)
    if (group) group.push(item)
    else if (key !== undefined) groups.set(key, [item])
  }
  return groups
}

const batchSize = 100

/** Yields to the event loop after each batch, because a service answers requests meanwhile. */
export async function* yieldingBatches<Item>(
  items: Iterable<Item>,
): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
    await nextTurn()
  }
  if (batch.length > 0) yield batch
}

/** Yields single items, and to the event loop as `yieldingBatches` does. */
export async function* yieldingItems<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  for await (const batch of yieldingBatches(items)) yield* batch
}
