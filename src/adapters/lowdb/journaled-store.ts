import type { Low } from 'lowdb'
import type { Records } from '../../ports/store.ts'
import type { StoreMove } from '../../ports/store-copy.ts'
import type { StoreCheck, StoreStats, StoreUpkeep } from '../../ports/store-upkeep.ts'
import type { Vault } from '../../ports/vault.ts'
import type { Lock } from '../file-lock/lock.ts'
import { requireNotMoved } from '../moved-store.ts'
import { listDurable, streamBackup } from './backup.ts'
import { checkFiles } from './check-store.ts'
import type { Compaction } from './compactor.ts'
import { countRecords } from './count-records.ts'
import { explainFullDisk } from './explain-full-disk.ts'
import type { JournalAdapter } from './journal-adapter.ts'
import { LowdbStore } from './lowdb-store.ts'
import type { StoreData } from './store-data.ts'

export interface JournaledStoreParts {
  readonly low: Low<StoreData>
  readonly adapter: JournalAdapter
  readonly lock: Lock
  readonly directory: string
  readonly vault: Vault
  readonly moved: StoreMove | null
}

/** The store in a directory, with what its upkeep needs beside the port. */
export class JournaledStore extends LowdbStore implements StoreUpkeep {
  readonly directory: string
  /** Seals and opens with the store's own key. */
  readonly vault: Vault
  readonly moved: StoreMove | null
  readonly #adapter: JournalAdapter
  readonly #lock: Lock
  #closing: Promise<void> | undefined

  constructor({ low, adapter, lock, directory, vault, moved }: JournaledStoreParts) {
    super(low)
    this.#adapter = adapter
    this.#lock = lock
    this.directory = directory
    this.vault = vault
    this.moved = moved
  }

  override async write<Result>(work: (records: Records) => Promise<Result>): Promise<Result> {
    requireNotMoved(this.moved)
    return super.write(work)
  }

  /** Writes a snapshot of everything, so that the journal starts anew. Reads and writes go on. */
  async compact(): Promise<Compaction> {
    requireNotMoved(this.moved)
    try {
      return await this.#adapter.compactor.compact()
    } catch (error) {
      const { ready } = await this.health()
      throw explainFullDisk(error, this.directory, ready)
    }
  }

  stats(): StoreStats {
    const { journal, compactor } = this.#adapter
    return {
      journalBytes: compactor.journalBytes,
      snapshotBytes: compactor.snapshotBytes,
      lastSyncMs: journal.lastSyncMs,
      compactionFailure: compactor.failure,
      records: countRecords(this.low.data.collections),
    }
  }

  /** All writes go into one journal. */
  sharedWrites(): null {
    return null
  }

  /** One file that checks itself, of everything durable when it begins. It carries the key when the store made it. */
  backup(): AsyncIterable<Uint8Array> {
    return streamBackup(this.directory, this.#adapter)
  }

  /** Reads everything back from the disk. Reads and writes go on. */
  check(): Promise<StoreCheck> {
    return this.#adapter.compactor.exclusively(async () =>
      checkFiles(this.directory, {
        list: () => listDurable(this.directory, this.#adapter),
        vault: this.vault,
        moved: this.moved,
      }),
    )
  }

  override close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await super.close()
    await this.#adapter.close()
    await this.#lock.release()
  }
}
