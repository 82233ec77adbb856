import { type Collections, createCollections } from './collections.ts'
import type { Change } from './staged.ts'

/** What lowdb holds: everything in memory, and what the write under way changes. An adapter takes `changes` at once. */
export interface StoreData {
  readonly collections: Collections
  changes: readonly Change[]
}

export function createStoreData(): StoreData {
  return { collections: createCollections(), changes: [] }
}
