import { type Collection, joinKey } from '../store/collection.ts'
import type { Found, Lookup } from '../store/lookup.ts'
import { collections as allCollections } from '../store/records.ts'
import type { Entry } from './sorted-entries.ts'
import { foundAt, Table } from './table.ts'

export type Collections = readonly Collection<object>[]

/** All records of a store: a table for each collection. Referenced collections come first. */
export class Tables {
  readonly #tables: ReadonlyMap<string, Table<object>>

  /** @param running the tables of the running store, whose equal records are not kept twice */
  constructor(
    collections: Collections = Object.values(allCollections) as unknown as Collections,
    running?: Tables,
  ) {
    this.#tables = new Map(
      collections.map((collection) => {
        const { name } = collection
        return [name, new Table(collection, running?.named(name))]
      }),
    )
  }

  /** Returns undefined for an unknown name. */
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

/** Finds records in memory, and notes the last transaction that an answer depends on. */
export class MemoryLookup implements Lookup {
  readonly tables: Tables
  /** The last transaction that changed what was read: a record, or any record of the collection. */
  seen = 0

  constructor(tables: Tables) {
    this.tables = tables
  }

  /** A record of another organization is not found, even if the key is the same. */
  readonly get: Lookup['get'] = async (collection, key) => {
    const found = this.#one(collection, (table) => table.get(collection.key.text(key)))
    const isOwn = found && joinKey(collection.key.valuesOf(found.record)) === joinKey(key)
    return isOwn ? found : undefined
  }

  readonly find: Lookup['find'] = async (collection, index, values) =>
    this.#one(collection, (table) => table.find(index, values))

  readonly list: Lookup['list'] = async (collection, index, range) =>
    this.#tableOf(collection).select(index, range)

  readonly count: Lookup['count'] = async (collection, index, part) =>
    this.#tableOf(collection).count(index, part)

  readonly tally: Lookup['tally'] = async (collection, tally, range) =>
    this.#tableOf(collection).tally(tally, range)

  readonly listed: Lookup['listed'] = async (collection, index) =>
    this.#tableOf(collection).listed(index)

  readonly search: Lookup['search'] = async (collection, terms, limit) =>
    this.#tableOf(collection).search(terms, limit)

  readonly version: Lookup['version'] = async (collection) => this.#tableOf(collection).revision

  noteAll<Stored extends object>({ lastChange }: Table<Stored>): void {
    this.seen = Math.max(this.seen, lastChange)
  }

  #tableOf<Stored extends object>(collection: Collection<Stored>): Table<Stored> {
    const table = this.tables.of(collection)
    this.noteAll(table)
    return table
  }

  /** Notes the change of one record. If it is missing, any transaction may have removed it. */
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
