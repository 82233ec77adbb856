import { type Collection, joinKey } from '../store/collection.ts'
import type { Found, Lookup } from '../store/lookup.ts'
import { collections as allCollections } from '../store/records.ts'
import type { Entry } from './sorted-entries.ts'
import { foundAt, Table } from './table.ts'

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
  /** The last transaction that changed anything of what was looked at: of a record by its key, or of all its kind. */
  seen = 0

  constructor(tables: Tables) {
    this.tables = tables
  }

  /** The record of another tenant is not found, whatever the text of its key. */
  readonly get: Lookup['get'] = async (collection, key) => {
    const found = this.#one(collection, (table) => table.get(collection.key.text(key)))
    const isOwn = found && joinKey(collection.key.valuesOf(found.record)) === joinKey(key)
    return isOwn ? found : undefined
  }

  readonly find: Lookup['find'] = async (collection, index, values) =>
    this.#one(collection, (table) => table.find(index, values))

  readonly list: Lookup['list'] = async (collection, index, range) =>
    this.#tableOf(collection).select(index, range)

  readonly count: Lookup['count'] = async (collection, index, values) =>
    this.#tableOf(collection).count(index, values)

  readonly listed: Lookup['listed'] = async (collection, index) =>
    this.#tableOf(collection).listed(index)

  readonly version: Lookup['version'] = async (collection) => this.#tableOf(collection).revision

  noteAll<Stored extends object>({ lastChange }: Table<Stored>): void {
    this.seen = Math.max(this.seen, lastChange)
  }

  #tableOf<Stored extends object>(collection: Collection<Stored>): Table<Stored> {
    const table = this.tables.of(collection)
    this.noteAll(table)
    return table
  }

  /** One record only, so that nobody waits for the others. Where there is none, any change may have taken it away. */
  #one<Stored extends object>(
    collection: Collection<Stored>,
    find: (table: Table<Stored>) => Entry<Stored> | undefined,
  ): Found<Stored> | undefined {
    const table = this.tables.of(collection)
    const entry = find(table)
    if (!entry) this.noteAll(table)
    else this.seen = Math.max(this.seen, entry.changedBy ?? 0)
    return entry && foundAt(entry)
  }
}
