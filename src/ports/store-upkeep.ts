import type { StoreMove } from './store-copy.ts'

/** What an operator can do to the store as a whole, whatever is in it. */
export interface StoreUpkeep {
  /** null where a database keeps the files. */
  stats(): StoreStats | null
  /** Reads everything back from the disk. Reads and writes go on. */
  check(): Promise<StoreCheck>
  /** Writes the store anew without what was replaced since. Reads and writes go on. */
  compact(): Promise<unknown>
  /** One file that checks itself, of everything durable when it begins. */
  backup(): AsyncIterable<Uint8Array>
}

export interface StoreStats {
  readonly journalBytes: number
  readonly snapshotBytes: number
  /** How long the last write waited for the disk. */
  readonly lastSyncMs: number
  /** Why the last compaction failed; null when it did not. */
  readonly compactionFailure: string | null
  readonly records: Readonly<Record<string, number>>
}

/** Grows with everything that is written: what has a later one has more in it. */
export interface JournalPosition {
  readonly journal: number
  readonly bytes: number
}

export interface StoreCheck {
  readonly records: Readonly<Record<string, number>>
  /** Bytes of a write that was cut off; the next start drops them, and nobody was told that it was done. */
  readonly tornBytes: number
  /** How many that are sealed were opened; null when there was no key to do it with. */
  readonly sealedValues: number | null
  /** What is wrong, one sentence each; none when all is well. */
  readonly problems: readonly string[]
  /** null when it lives where it is. */
  readonly moved: StoreMove | null
  /** Where the last journal ends; absent in a database, and where the files are damaged. */
  readonly end?: JournalPosition
}
