// The proof of what a write has read. The descriptor of a list says how it is proven (`proof` in collection.ts).
import { type Collection, joinKey, type Key } from './collection.ts'

/** What a write has read. It may be committed as long as none of this has changed. */
export interface Proof {
  /** Records by key, each as it was first seen. If one changed in between, the write saw two states. */
  readonly rows: readonly ProvenRow[]
  /** Cached collections by version. */
  readonly collections: ReadonlyMap<Collection<object>, number>
}

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
