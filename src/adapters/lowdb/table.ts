import { setImmediate as nextTurn } from 'node:timers/promises'
import { UniquenessError } from '../../ports/store.ts'
import type { Collection, Key, ListIndex, UniqueIndex } from '../store/collection.ts'
import type { Change } from '../store/staged.ts'
import { type Entry, type Order, SortedEntries } from './sorted-entries.ts'

/** The records of one collection in memory, by the text of their key, with the indexes of its descriptor. */
export class Table<Stored extends object> {
  readonly collection: Collection<Stored>
  /** Counts changes, undone ones too: it never takes a former value again. */
  revision = 0
  readonly changes = new LastChanges()
  readonly #entries = new Map<string, Entry<Stored>>()
  readonly #unique = new Map<UniqueIndex<Stored>, Map<string, Entry<Stored>>>()
  readonly #lists = new Map<ListIndex<Stored>, Map<string, SortedEntries<Stored>>>()
  /** Lists of those that come first in the lists of another index. */
  readonly #firsts: (readonly [ListIndex<Stored>, of: ListIndex<Stored>])[] = []
  #created = 0

  constructor(collection: Collection<Stored>) {
    this.collection = collection
    for (const index of collection.unique ?? []) {
      if (!isOfKey(collection, index)) this.#unique.set(index, new Map())
    }
    for (const index of collection.lists ?? []) {
      this.#lists.set(index, new Map())
      if (index.firstOf) this.#firsts.push([index, index.firstOf])
    }
  }

  get size(): number {
    return this.#entries.size
  }

  keyOf(record: Stored): string {
    const { key } = this.collection
    return key.text(key.valuesOf(record))
  }

  get(key: string): Entry<Stored> | undefined {
    return this.#entries.get(key)
  }

  find(index: UniqueIndex<Stored>, values: Key): Entry<Stored> | undefined {
    return (this.#unique.get(index) ?? this.#entries).get(textOf(values))
  }

  list(index: ListIndex<Stored>, values: Key): SortedEntries<Stored> | undefined {
    return this.#lists.get(index)?.get(textOf(values))
  }

  /** All lists of an index, by the text of their values. */
  lists(index: ListIndex<Stored>): ReadonlyMap<string, SortedEntries<Stored>> {
    return this.#lists.get(index) ?? new Map()
  }

  /** Oldest first. Records that are added meanwhile come at the end. */
  *values(): Generator<Stored> {
    for (const entry of this.#entries.values()) yield entry.record
  }

  put(record: Stored): void {
    const key = this.keyOf(record)
    const entry = this.#entries.get(key)
    this.revision += 1
    this.#keepFirsts([entry?.record, record], () => {
      if (entry) this.#replace(entry, record)
      else this.#insert(key, { record, sequence: this.#created++ })
    })
  }

  remove(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.revision += 1
    this.#keepFirsts([entry.record], () => {
      this.#entries.delete(key)
      for (const [index, holders] of this.#unique) release(holders, index, entry)
      for (const index of this.#ownLists()) this.#leave(index, entry)
    })
  }

  /** `put` without indexes, for start-up; `buildIndexes` follows. */
  load(stored: Stored, pool: StringPool): void {
    const record = this.collection.upgrade?.(stored) ?? stored
    pool.shareIn(record, this.collection.sharedFields ?? [])
    const key = this.keyOf(record)
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
    for (const [index, of] of this.#firsts) {
      for await (const lists of batchesInTurns(this.lists(of).values())) {
        for (const { first } of lists) if (first) this.#join(index, first)
      }
    }
    for (const [index, holders] of this.#unique) {
      if (holders.size !== this.size) return index.name
    }
    return undefined
  }

  /** All changes of one transaction together: it may hand a value on from one record to another one. */
  requireUnique(changes: readonly Change[]): void {
    const keys = new Set(changes.map(({ key }) => this.collection.key.text(key)))
    if (keys.size < changes.length) throw new UniquenessError('id')
    const records = changes.flatMap(({ record }) => (record as Stored | undefined) ?? [])
    for (const record of records) this.#requireSameOwner(record)
    for (const [index, holders] of this.#unique) {
      const taken = new Set<string>()
      for (const record of records) {
        const value = textOf(index.valuesOf(record))
        const holder = holders.get(value)
        const isHeld = holder !== undefined && !keys.has(this.keyOf(holder.record))
        if (isHeld || taken.has(value)) throw new UniquenessError(index.name)
        taken.add(value)
      }
    }
  }

  /** Returns what takes it back. */
  apply(changes: readonly Change[], transaction: number): () => void {
    const before: [string, Stored | undefined][] = []
    for (const { key, record } of changes) {
      const text = this.collection.key.text(key)
      before.push([text, this.#entries.get(text)?.record])
      this.#set(text, record as Stored | undefined)
      this.changes.note(text, transaction)
    }
    return () => {
      for (const [text, record] of before) this.#set(text, record)
    }
  }

  #set(key: string, record: Stored | undefined): void {
    if (record) this.put(record)
    else this.remove(key)
  }

  // The record of another tenant is never replaced, even where two of them come up with one id.
  #requireSameOwner(record: Stored): void {
    const { ownerOf } = this.collection
    const before = ownerOf && this.#entries.get(this.keyOf(record))
    if (before && ownerOf(before.record) !== ownerOf(record)) throw new UniquenessError('id')
  }

  #insert(key: string, entry: Entry<Stored>): void {
    this.#entries.set(key, entry)
    this.#index(entry)
  }

  #index(entry: Entry<Stored>): void {
    for (const [index, holders] of this.#unique) hold(holders, index, entry)
    for (const index of this.#ownLists()) this.#join(index, entry)
  }

  #replace(entry: Entry<Stored>, record: Stored): void {
    const moving = this.#ownLists().filter((index) => isMoved(index, entry.record, record))
    for (const index of moving) this.#leave(index, entry)
    for (const [index, holders] of this.#unique) release(holders, index, entry)
    entry.record = record
    for (const [index, holders] of this.#unique) hold(holders, index, entry)
    for (const index of moving) this.#join(index, entry)
  }

  /** Those that a record is in for what it is, whatever comes before it. */
  #ownLists(): ListIndex<Stored>[] {
    return [...this.#lists.keys()].filter(({ firstOf }) => !firstOf)
  }

  /** A change of records may give the lists that they are and were in other first ones. */
  #keepFirsts(records: readonly (Stored | undefined)[], change: () => void): void {
    const changing = this.#firsts.flatMap(([index, of]) => {
      const texts = records.flatMap((record) => {
        const values = record && of.valuesOf(record)
        return values ? [textOf(values)] : []
      })
      return [...new Set(texts)].map((text) => ({ index, of, text }))
    })
    const firstOf = ({ of, text }: (typeof changing)[number]) => this.lists(of).get(text)?.first
    for (const one of changing) {
      const first = firstOf(one)
      if (first) this.#leave(one.index, first)
    }
    change()
    for (const one of changing) {
      const first = firstOf(one)
      if (first) this.#join(one.index, first)
    }
  }

  #join(index: ListIndex<Stored>, entry: Entry<Stored>): void {
    const values = index.valuesOf(entry.record)
    if (!values) return
    const text = textOf(values)
    const lists = this.#lists.get(index)
    const list = lists?.get(text) ?? new SortedEntries(orderOf(index))
    list.add(entry)
    lists?.set(text, list)
  }

  #leave(index: ListIndex<Stored>, entry: Entry<Stored>): void {
    const values = index.valuesOf(entry.record)
    if (!values) return
    const text = textOf(values)
    const lists = this.#lists.get(index)
    const list = lists?.get(text)
    list?.remove(entry)
    if (list?.size === 0) lists?.delete(text)
  }
}

/** Where the text of the key is all that an index asks for, the table itself is the index. */
function isOfKey<Stored>({ key }: Collection<Stored>, { columns }: UniqueIndex<Stored>): boolean {
  return key.text(key.columns) === textOf(columns)
}

function hold<Stored>(
  holders: Map<string, Entry<Stored>>,
  index: UniqueIndex<Stored>,
  entry: Entry<Stored>,
): void {
  holders.set(textOf(index.valuesOf(entry.record)), entry)
}

// One transaction may hand a value on from one record to another one, in either order.
function release<Stored>(
  holders: Map<string, Entry<Stored>>,
  index: UniqueIndex<Stored>,
  entry: Entry<Stored>,
): void {
  const value = textOf(index.valuesOf(entry.record))
  if (holders.get(value) === entry) holders.delete(value)
}

function isMoved<Stored>(index: ListIndex<Stored>, before: Stored, after: Stored): boolean {
  if (index.rank && index.rank.of(before) !== index.rank.of(after)) return true
  const [from, to] = [index.valuesOf(before), index.valuesOf(after)]
  return from && to ? textOf(from) !== textOf(to) : from !== to
}

export function orderOf<Stored>({ rank }: ListIndex<Stored>): Order<Stored> {
  if (!rank) return bySequence
  return (left, right) => {
    const [first, second] = [rank.of(left.record), rank.of(right.record)]
    return first < second ? -1 : first > second ? 1 : bySequence(left, right)
  }
}

function bySequence(left: Entry<unknown>, right: Entry<unknown>): number {
  return left.sequence - right.sequence
}

function textOf(values: Key): string {
  return values.length === 1 ? (values[0] ?? '') : values.join('/')
}

/** Which transaction changed what last, in one table: nobody is answered with a change before it is durable. */
class LastChanges {
  #last = 0
  /** By the key of a record, until that is durable. */
  readonly #byKey = new Map<string, number>()

  /** The last transaction that changed something here. */
  get last(): number {
    return this.#last
  }

  /** The transaction that has to be durable before anyone is answered with the record, or that there is none. */
  ofRecord(key: string): number {
    return this.#byKey.get(key) ?? 0
  }

  note(key: string, transaction: number): void {
    this.#last = transaction
    this.#byKey.set(key, transaction)
  }

  /** A later transaction may have changed the record meanwhile. */
  noteDurable(key: string, transaction: number): void {
    if (this.#byKey.get(key) === transaction) this.#byKey.delete(key)
  }

  /** What came after `durable` has been taken back. */
  takeBackTo(durable: number): void {
    this.#last = Math.min(this.#last, durable)
    this.#byKey.clear()
  }
}

/**
 * Keeps one copy of equal texts. Every parsed record brings its own copy of the ids it refers to; a million orders
 * share a few thousand of them.
 */
export class StringPool {
  readonly #texts = new Map<string, string>()

  /** `record` has just been parsed and is nobody else's yet. */
  shareIn(record: object, fields: readonly string[]): void {
    const values = record as Record<string, unknown>
    for (const field of fields) {
      const text = values[field]
      if (typeof text === 'string') values[field] = this.#share(text)
    }
  }

  #share(text: string): string {
    const shared = this.#texts.get(text)
    if (shared !== undefined) return shared
    this.#texts.set(text, text)
    return text
  }
}

const batchSize = 500

export function* batchesOf<Item>(items: Iterable<Item>): Generator<readonly Item[]> {
  let batch: Item[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** With a turn for others after each: a service that checks its store has requests to answer. */
export async function* batchesInTurns<Item>(
  items: Iterable<Item>,
): AsyncGenerator<readonly Item[]> {
  for (const batch of batchesOf(items)) {
    yield batch
    await nextTurn()
  }
}
