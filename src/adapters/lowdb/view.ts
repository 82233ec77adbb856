import type { Collection, GroupIndex, UniqueIndex } from './collection.ts'
import type { SortedEntries } from './sorted-entries.ts'

/** What a `read` sees. It notes which transactions it saw, so that no answer rests on one that is not yet durable. */
export class View {
  #seen = 0

  /** The last transaction that changed anything of what was looked at: of a record by its key, or of all its kind. */
  get seen(): number {
    return this.#seen
  }

  get<Stored>(collection: Collection<Stored>, key: string): Stored | undefined {
    return this.lookAt(collection, key).get(key)
  }

  find<Stored>(
    collection: Collection<Stored>,
    index: UniqueIndex<Stored>,
    value: string,
  ): Stored | undefined {
    const key = collection.keyBy(index, value)
    if (key !== undefined) return this.get(collection, key)
    // Any record may have had the value before.
    this.look(collection)
    return undefined
  }

  /** Oldest first. */
  all<Stored>(collection: Collection<Stored>): Iterable<Stored> {
    return this.look(collection).values()
  }

  group<Stored>(
    collection: Collection<Stored>,
    index: GroupIndex<Stored>,
    value: string,
  ): SortedEntries<Stored> | undefined {
    return this.look(collection).group(index, value)
  }

  /** Of a group that is small: inside a write, with what it has put. */
  list<Stored>(
    collection: Collection<Stored>,
    index: GroupIndex<Stored>,
    value: string,
  ): readonly Stored[] {
    return [...(this.group(collection, index, value) ?? [])]
  }

  /** Those of a group that come after the record of a key. */
  after<Stored>(
    collection: Collection<Stored>,
    index: GroupIndex<Stored>,
    { value, key }: { readonly value: string; readonly key: string },
  ): Iterable<Stored> {
    return this.look(collection).after(index, value, key)
  }

  /** All groups, by their value. */
  groups<Stored>(
    collection: Collection<Stored>,
    index: GroupIndex<Stored>,
  ): ReadonlyMap<string, SortedEntries<Stored>> {
    return this.look(collection).groups(index)
  }

  revision<Stored>(collection: Collection<Stored>): number {
    return this.look(collection).revision
  }

  /** One record only, so that nobody waits for the others. */
  protected lookAt<Stored>(collection: Collection<Stored>, key: string): Collection<Stored> {
    this.#seen = Math.max(this.#seen, collection.changes.ofRecord(key))
    return collection
  }

  protected look<Stored>(collection: Collection<Stored>): Collection<Stored> {
    this.#seen = Math.max(this.#seen, collection.changes.last)
    return collection
  }
}
