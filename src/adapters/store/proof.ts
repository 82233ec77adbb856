// The proof of what a write has read. Lists are proven as their descriptor says (`proof` in collection.ts).
import { type Collection, joinKey, type Key } from './collection.ts'

/** What a write rests on: it may be committed as long as all of this is still so. */
export interface Proof {
  /** Records by key, each as it was seen first: of one that has changed in between, two states were seen. */
  readonly rows: readonly ProvenRow[]
  /** Kept collections by their version. */
  readonly collections: ReadonlyMap<Collection<object>, number>
}

export interface ProvenRow {
  readonly collection: Collection<object>
  readonly key: Key
  /** `null`: there was no record. */
  readonly version: number | null
}

/** The name of a record, which no other one has. */
export function nameOf({ collection, key }: Pick<ProvenRow, 'collection' | 'key'>): string {
  return `${collection.name}/${joinKey(key)}`
}
