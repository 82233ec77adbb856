import type { Encrypted } from '../domain/text.ts'
import type { Timestamp } from '../domain/timestamp.ts'
import type { CollectionName, StoredRecords } from './collections.ts'
import type { AuditTrail, ReadableRecords, Records } from './store.ts'
import type { Vault } from './vault.ts'

/** Maintenance of a store as a whole. */
export interface StoreAdmin {
  /**
   * Throws if the files of the store are no longer those that were opened, because somebody has removed or replaced them
   * or their directory. The store then accepts no more writes, and nothing may be written beside its files.
   */
  requireOwnFiles(): Promise<void>
  /** null if the store is in a database. */
  stats(): StoreStats | null
  /** Reads and verifies everything on disk. Reads and writes continue. */
  check(): Promise<StoreCheck>
  /** Rewrites the store without replaced records. Reads and writes continue. */
  compact(): Promise<unknown>
  /** Streams one file with checksums that contains everything that was durable when it began. */
  backup(options?: BackupOptions): AsyncIterable<Uint8Array>
  /**
   * Replaces the key of the store, the search key and the keys of all investors while reads and writes continue.
   * Afterwards the previous key decrypts and confirms nothing in the store. If the change is interrupted, the store opens
   * with either key, and the next call finishes the change.
   * @param newKey if absent, a store that keeps its key itself makes a new one
   */
  rekey(renewal: KeyRenewal, newKey?: string): Promise<Rekeyed>
  /** Finishes a change that was interrupted. Returns undefined if there is none, or if it is running here. */
  resumeRekey(renewal: KeyRenewal): Promise<Rekeyed | undefined>
  /** The change that is running here, or the last one. */
  readonly lastRekey: Promise<Rekeyed> | undefined
  /**
   * Remembers all records, in memory. The returned function restores them and removes all others, in one write.
   * Serves tests that begin with the same data. The function must not be called while others write.
   */
  remember(): Promise<() => Promise<void>>
}

export interface BackupOptions {
  /** A backup of a database needs as much space here as its records. Default: the directory for temporary files. */
  readonly workDirectory?: string
  readonly signal?: AbortSignal
}

/** A store whose keys are being replaced. Its writes have no entry in the audit: they change nothing that people see. */
export interface RenewedStore {
  /** Calls `onBatch` with all records of a collection, while others change them. */
  readAll<Name extends DamagedValue['collection']>(
    name: Name,
    onBatch: (records: readonly StoredRecords[Name][]) => Promise<void>,
  ): Promise<void>
  read<Result>(work: (records: ReadableRecords) => Promise<Result>): Promise<Result>
  write<Result>(work: (records: Records) => Promise<Result>): Promise<Result>
  /** Resolves when all instances know what was written before. */
  settle(): Promise<void>
}

/** A value that no key decrypts. */
export interface DamagedValue {
  readonly collection: 'investors' | 'sharePurchases' | 'idempotencyRecords' | 'directDebits'
  readonly record: object
  readonly field: string
}

export interface RenewedKeys {
  /** The number of records that were encrypted again. */
  readonly renewed: number
  readonly damaged: readonly DamagedValue[]
}

/** The part of a change of the keys that knows what is in the records. */
export interface KeyRenewal {
  /** Whether a renewal was interrupted, or the search key was lost and replaced after a salvage. */
  isDue(store: RenewedStore): Promise<boolean>
  /** @param change identifies the change of the key of the store; if absent, only a due renewal is done */
  run(store: RenewedStore, change?: string): Promise<RenewedKeys>
}

export interface Rekeyed {
  /** The number of records that were encrypted again. */
  readonly renewed: number
  /** One sentence for each value that neither key decrypts. Such a value is not changed. */
  readonly damaged: readonly string[]
  /** Whether an interrupted change of the key was finished. */
  readonly isResumed: boolean
  /** Whether the store keeps the new key itself. */
  readonly isOwn: boolean
}

export interface StoreStats {
  readonly journalBytes: number
  readonly snapshotBytes: number
  /** The duration of the last fsync in milliseconds. */
  readonly lastSyncMs: number
  /** The time since the last fsync; null before the first one. */
  readonly sinceSyncMs: number | null
  /** Why the last compaction failed; null if it succeeded. */
  readonly compactionFailure: string | null
  readonly records: Readonly<Record<string, number>>
}

/** Grows with every write, so a later position includes an earlier one. */
export interface JournalPosition {
  readonly journal: number
  readonly bytes: number
}

export interface StoreCheck {
  readonly records: Readonly<Record<string, number>>
  /** The bytes of an interrupted write, which was never acknowledged. The next start drops them. */
  readonly tornBytes: number
  /** The number of encrypted values that could be opened; null without a key. */
  readonly encryptedValues: number | null
  /** One sentence per problem; empty if the store is intact. */
  readonly problems: readonly string[]
  /** null if the store was not moved. */
  readonly moved: StoreMove | null
  /** Whether the keys are being replaced, or the change was interrupted. */
  readonly isRekeying: boolean
  /** The end of the last journal; undefined in a database and if files are damaged. */
  readonly end?: JournalPosition
}

export interface RecordBatch {
  readonly collection: CollectionName
  readonly records: readonly object[]
}

/** One write to a store that no process has open. */
export interface OfflineChange<Result> {
  readonly trail: AuditTrail
  /** The vault is undefined if there is no key. */
  work(records: Records, vault: Vault | undefined): Promise<Result>
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
  readonly keyCheck: Encrypted
  /** The number of records in all collections. */
  readonly count: number
  /** The path of the key that the store created; undefined if the key was given. */
  readonly keyFile: string | undefined
  /** Reads collections in the order of `collectionNames`, and each collection oldest first. */
  read(onBatch: (batch: RecordBatch) => Promise<void>): Promise<void>
  /** Marks the store as moved. Once it resolves, the mark is durable and the store refuses writes. */
  markMoved(move: StoreMove): Promise<void>
  close(): Promise<void>
}

/** The target of a copy. It becomes a store with `commit`. If the copy ends earlier, nothing is left. */
export interface CopyTarget {
  put(batch: RecordBatch): Promise<void>
  /** Reads everything back from disk or database. Nothing can be put afterwards. */
  readBack(onBatch: (batch: RecordBatch) => void): Promise<void>
  commit(): Promise<void>
  discard(): Promise<void>
}
