import { type Collection, joinKey, type Key } from './collection.ts'
import type { Found } from './lookup.ts'

export interface ProvenRow {
  readonly collection: Collection<object>
  readonly key: Key
  /** `null` if there was no record. */
  readonly version: number | null
}

/** A unique name across all collections. */
export function nameOf({ collection, key }: Pick<ProvenRow, 'collection' | 'key'>): string {
  return `${collection.name}/${joinKey(key)}`
}

/** Everything that a write has read. The write may be committed as long as none of it has changed. */
export class Proof {
  /** Cached collections by version. */
  readonly collections = new Map<Collection<object>, number>()
  readonly #rows = new Map<string, ProvenRow>()
  readonly #records = new Map<string, object>()

  /** Records by key, each as it was first seen. If one has changed since then, the write saw two states. */
  get rows(): readonly ProvenRow[] {
    return [...this.#rows.values()]
  }

  /** The record as it was first found; undefined if there was none, or if the write has not read it. */
  recordOf(row: Pick<ProvenRow, 'collection' | 'key'>): object | undefined {
    return this.#records.get(nameOf(row))
  }

  /** @param found undefined if there is no record */
  add(collection: Collection<object>, key: Key, found: Found<object> | undefined): void {
    const row = { collection, key, version: found ? (found.version ?? 0) : null }
    const name = nameOf(row)
    if (found && !this.#records.has(name)) this.#records.set(name, found.record)
    if (!collection.isCached && !this.#rows.has(name)) this.#rows.set(name, row)
  }
}
