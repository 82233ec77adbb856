import type { Collection, Key, ListIndex, UniqueIndex } from '../store/collection.ts'
import { type Found, isMatching, type Lookup, type Range } from '../store/lookup.ts'
import { collections as allCollections } from '../store/records.ts'
import type { Entry, SortedEntries } from './sorted-entries.ts'
import { orderOf, Table } from './table.ts'

export type Collections = readonly Collection<object>[]

/** All that a store holds: a table for each collection. Those that others refer to come first. */
export class Tables {
  readonly #tables: ReadonlyMap<string, Table<object>>

  constructor(collections: Collections = Object.values(allCollections) as unknown as Collections) {
    this.#tables = new Map(
      collections.map((collection) => [collection.name, new Table(collection)]),
    )
  }

  /** undefined for a name that this program does not know. */
  named(name: string): Table<object> | undefined {
    return this.#tables.get(name)
  }

  of<Stored extends object>({ name }: Collection<Stored>): Table<Stored> {
    const table = this.#tables.get(name)
    if (!table) throw new Error(`The store has no collection ${name}.`)
    return table as unknown as Table<Stored>
  }

  all(): IterableIterator<Table<object>> {
    return this.#tables.values()
  }

  counts(): Record<string, number> {
    return Object.fromEntries([...this.#tables].map(([name, { size }]) => [name, size]))
  }

  get size(): number {
    return [...this.#tables.values()].reduce((sum, { size }) => sum + size, 0)
  }
}

/** Finds records in memory. It notes which transactions it saw, so that no answer rests on one that is not yet durable. */
export class MemoryLookup implements Lookup {
  readonly tables: Tables
  #seen = 0

  constructor(tables: Tables) {
    this.tables = tables
  }

  /** The last transaction that changed anything of what was looked at: of a record by its key, or of all its kind. */
  get seen(): number {
    return this.#seen
  }

  /** The record of another tenant is nothing, whatever the text of its key. */
  async get<Stored extends object>(
    collection: Collection<Stored>,
    key: Key,
  ): Promise<Found<Stored> | undefined> {
    const table = this.tables.of(collection)
    const text = collection.key.text(key)
    const entry = table.get(text)
    this.note(table, text)
    return entry && hasKey(collection, entry.record, key) ? foundAt(entry) : undefined
  }

  async find<Stored extends object>(
    collection: Collection<Stored>,
    index: UniqueIndex<Stored>,
    values: Key,
  ): Promise<Found<Stored> | undefined> {
    const table = this.tables.of(collection)
    const entry = table.find(index, values)
    if (entry) this.note(table, table.keyOf(entry.record))
    // Any record may have had the values before.
    else this.noteAll(table)
    return entry && foundAt(entry)
  }

  async list<Stored extends object>(
    collection: Collection<Stored>,
    index: ListIndex<Stored>,
    range: Range<Stored>,
  ): Promise<readonly Found<Stored>[]> {
    const table = this.tables.of(collection)
    this.noteAll(table)
    const entries = table.list(index, range.values)
    return entries ? select(entries, index, range) : []
  }

  async count<Stored extends object>(
    collection: Collection<Stored>,
    index: ListIndex<Stored>,
    values: Key,
  ): Promise<number> {
    const table = this.tables.of(collection)
    this.noteAll(table)
    return table.list(index, values)?.size ?? 0
  }

  async listed<Stored extends object>(
    collection: Collection<Stored>,
    index: ListIndex<Stored>,
  ): Promise<readonly Key[]> {
    const table = this.tables.of(collection)
    this.noteAll(table)
    return [...table.lists(index).values()].flatMap(({ first }) => {
      const values = first && index.valuesOf(first.record)
      return values ? [values] : []
    })
  }

  async version<Stored extends object>(collection: Collection<Stored>): Promise<number> {
    const table = this.tables.of(collection)
    this.noteAll(table)
    return table.revision
  }

  /** One record only, so that nobody waits for the others. */
  note<Stored extends object>({ changes }: Table<Stored>, key: string): void {
    this.#seen = Math.max(this.#seen, changes.ofRecord(key))
  }

  noteAll<Stored extends object>({ changes }: Table<Stored>): void {
    this.#seen = Math.max(this.#seen, changes.last)
  }
}

/** A later change leaves it as it is. */
function foundAt<Stored>({ record, sequence }: Entry<Stored>): Found<Stored> {
  return { record, sequence }
}

function hasKey<Stored>({ key }: Collection<Stored>, record: Stored, wanted: Key): boolean {
  return key.valuesOf(record).every((value, at) => value === wanted[at])
}

function select<Stored extends object>(
  entries: SortedEntries<Stored>,
  index: ListIndex<Stored>,
  range: Range<Stored>,
): Found<Stored>[] {
  const { matching, isReversed, offset = 0, limit = Number.POSITIVE_INFINITY } = range
  const found: Found<Stored>[] = []
  if (limit < 1) return found
  const [first, last] = boundsOf(entries, index, range)
  // Without a look at the records, those that are left out need not be met.
  const skipped = matching ? 0 : offset
  let left = offset - skipped
  const chosen = isReversed
    ? entries.backwards(first, last - skipped)
    : entries.between(first + skipped, last)
  for (const entry of chosen) {
    if (matching && !isMatching(matching, entry.record)) continue
    if (left-- > 0) continue
    if (found.push(foundAt(entry)) >= limit) break
  }
  return found
}

function boundsOf<Stored extends object>(
  entries: SortedEntries<Stored>,
  index: ListIndex<Stored>,
  { after, from, until, isReversed }: Range<Stored>,
): [number, number] {
  const order = orderOf(index)
  const rankOf = (record: Stored) => index.rank?.of(record) ?? ''
  const ranked = (rank: string) => entries.positionOf(({ record }) => rankOf(record) >= rank)
  const start = from === undefined ? 0 : ranked(from)
  const end = until === undefined ? entries.size : ranked(until)
  if (!after) return [start, end]
  if (isReversed)
    return [
      start,
      Math.min(
        end,
        entries.positionOf((one) => order(one, after) >= 0),
      ),
    ]
  return [
    Math.max(
      start,
      entries.positionOf((one) => order(one, after) > 0),
    ),
    end,
  ]
}
