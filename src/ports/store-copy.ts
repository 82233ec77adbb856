import type { Sealed } from '../domain/sealed.ts'
import type { Timestamp } from '../domain/timestamp.ts'
import type { CollectionName } from './collections.ts'

export interface RecordBatch {
  readonly collection: CollectionName
  readonly records: readonly object[]
}

/** Where and when a store was moved. From then on, the copy is the live store. */
export interface StoreMove {
  /** A directory, or the address of a database without credentials. */
  readonly to: string
  readonly at: Timestamp
}

/** A consistent snapshot of a store. Only `markMoved` changes the store. */
export interface CopySource {
  /** A known text that only the store's key opens. */
  readonly keyCheck: Sealed
  /** The number of records in all collections. */
  readonly count: number
  /** The path of the key that the store created; undefined if the key was given. */
  readonly keyFile: string | undefined
  /** Reads collections in the order of `collectionNames`, and each collection oldest first. */
  read(onBatch: (batch: RecordBatch) => Promise<void>): Promise<void>
  /** Marks the store as moved. Once it resolves, this is durable and the store refuses writes. */
  markMoved(move: StoreMove): Promise<void>
  close(): Promise<void>
}

/** Becomes a store with `commit`. If it ends earlier, nothing is left. */
export interface CopyTarget {
  put(batch: RecordBatch): Promise<void>
  /** Reads everything back from disk or database. Nothing can be put afterwards. */
  readBack(onBatch: (batch: RecordBatch) => void): Promise<void>
  commit(): Promise<void>
  discard(): Promise<void>
}
