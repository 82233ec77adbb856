import type { Adapter, Low } from 'lowdb'
import { Problem } from '../../domain/problem.ts'
import type { StoreMove } from '../../ports/store-copy.ts'
import type { StoreCheck, StoreStats, StoreUpkeep } from '../../ports/store-upkeep.ts'
import type { Vault } from '../../ports/vault.ts'
import { syncDirectory } from '../disk.ts'
import type { Lock } from '../file-lock/lock.ts'
import { requireNotMoved } from '../moved-store.ts'
import type { Transaction } from '../store/transaction.ts'
import { listDurable, streamBackup } from './backup.ts'
import { checkFiles } from './check-store.ts'
import { type Compaction, Compactor, removeLeftovers } from './compactor.ts'
import { Journal, type JournalPlace } from './journal.ts'
import { type LoadedStore, loadStore } from './load.ts'
import { LowdbStore, type StoreData } from './lowdb-store.ts'
import { EndRecorder, readRecordedEnd, requireRecordedEnd } from './recorded-end.ts'
import { listFiles, type StoreFiles, selectStoreFiles } from './store-files.ts'
import type { Collections } from './tables.ts'

interface Opened {
  readonly journal: Journal
  readonly compactor: Compactor
  readonly recorder: EndRecorder
}

/**
 * What lowdb reads and writes through. Its own JSONFile writes the whole file at every change; this one appends what
 * changed, at a cost that depends on the change alone.
 */
export class JournalAdapter implements Adapter<StoreData> {
  readonly #place: JournalPlace
  readonly #collections: Collections | undefined
  #opened: Opened | undefined

  constructor(place: JournalPlace, collections: Collections | undefined) {
    this.#place = place
    this.#collections = collections
  }

  get journal(): Journal {
    return this.#require().journal
  }

  get compactor(): Compactor {
    return this.#require().compactor
  }

  async read(): Promise<StoreData> {
    const { directory } = this.#place
    const recorded = await readRecordedEnd(directory)
    const files = selectStoreFiles(await listFiles(directory))
    const loaded = await loadStore(files, this.#collections)
    requireRecordedEnd(directory, recorded, loaded.end)
    // A crash may have come between the name of a snapshot and its durability: nothing it covers goes before that.
    await syncDirectory(directory)
    await removeLeftovers(directory)
    const opened = await this.#open(files, loaded)
    const recorder = new EndRecorder(directory, opened.journal, recorded)
    this.#opened = { ...opened, recorder }
    await recorder.record()
    return { tables: loaded.tables, changes: [] }
  }

  async write({ changes }: StoreData): Promise<void> {
    const { journal, compactor, recorder } = this.#require()
    await journal.append(changes)
    recorder.note()
    compactor.compactIfDue()
  }

  async close(): Promise<void> {
    await this.#opened?.compactor.close()
    await this.#opened?.journal.close()
    await this.#opened?.recorder.close()
  }

  async #open(files: StoreFiles, { tables, end }: LoadedStore) {
    const journal = await Journal.open(this.#place, end)
    const earlier = files.journals.slice(0, -1)
    const compactor = new Compactor({
      place: this.#place,
      journal,
      tables,
      snapshotBytes: files.snapshot?.bytes ?? 0,
      earlierBytes: earlier.reduce((sum, { bytes }) => sum + bytes, 0),
    })
    return { journal, compactor }
  }

  #require(): Opened {
    if (!this.#opened) throw new Error('The store is read before it is written.')
    return this.#opened
  }
}

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

  override async transact<Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    requireNotMoved(this.moved)
    return super.transact(work)
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
      records: this.low.data.tables.counts(),
    }
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

const full = new Set(['ENOSPC', 'EDQUOT'])

/** What to do when there was no room to compact the store; any other error as it is. */
function explainFullDisk(cause: unknown, directory: string, isWriting: boolean): unknown {
  if (!full.has((cause as NodeJS.ErrnoException).code ?? '')) return cause
  const advice = isWriting ? 'make some first' : stopped
  const detail = `There is no room left on the disk of ${directory}: compaction writes the store anew before it takes the old files away, so ${advice}.`
  return new Problem('SERVICE_UNAVAILABLE', detail, { cause })
}

/** The journal takes nothing more after a failure. */
const stopped = 'make some first, then restart the service, which takes no writes until then'
