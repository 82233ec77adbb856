import type { Adapter } from 'lowdb'
import { syncDirectory } from '../../machine/durable-files.ts'
import { stopwatchMs } from '../../machine/time.ts'
import type { StoreStats } from '../../ports/store-admin.ts'
import type { JournalEnd } from './checksummed-lines.ts'
import { Journal, type OwnPlace } from './journal.ts'
import { loadDirectory } from './load-store.ts'
import type { StoreData } from './lowdb-store.ts'
import { EndRecorder, rewriteUnrecordedEnd } from './recorded-end.ts'
import { SnapshotDraft } from './snapshot.ts'
import { removeLeftovers, type StoreFiles } from './store-files.ts'
import type { Collections, Tables } from './tables.ts'

const smallestBound = 16 * 1024 * 1024
const restMs = 1000

interface Opened {
  readonly place: OwnPlace
  readonly journal: Journal
  readonly tables: Tables
  readonly recorder: EndRecorder
  /** The files when the store was opened. */
  readonly files: StoreFiles
}

/**
 * An adapter for lowdb. The JSONFile of lowdb writes the whole file at each change. This one appends each change, so
 * the cost of a write is proportional to the change. Compaction keeps the journal, and so the time of a start, in
 * proportion to the records.
 */
export class JournalAdapter implements Adapter<StoreData> {
  readonly journal: Journal
  readonly #opened: Opened
  readonly #stop = new AbortController()
  #snapshotBytes: number
  /** The size of all journals before the current one. */
  #earlierBytes: number
  #bound: number
  /** No compaction begins automatically before this time. */
  #restsUntilMs = 0
  #isScheduled = false
  #idle: Promise<unknown> = Promise.resolve()
  /** Why the last compaction failed. The journal then continues to grow. */
  #failure: string | null = null

  private constructor(opened: Opened) {
    this.#opened = opened
    this.journal = opened.journal
    const { snapshot, journals } = opened.files
    this.#snapshotBytes = snapshot?.bytes ?? 0
    this.#earlierBytes = journals.slice(0, -1).reduce((sum, { bytes }) => sum + bytes, 0)
    this.#bound = boundFor(this.#snapshotBytes)
  }

  static async open(place: OwnPlace, collections?: Collections): Promise<JournalAdapter> {
    const { directory } = place
    await rewriteUnrecordedEnd(directory)
    const { recorded, files, tables, end } = await loadDirectory(directory, collections)
    for (const table of tables.all()) await table.buildLists()
    // After a crash, the name of the snapshot may not be durable. The files that it covers stay until it is.
    await syncDirectory(directory)
    await removeLeftovers(directory)
    const journal = await Journal.open(place, end)
    const requireOwn = () => place.own.require()
    const recorder = new EndRecorder({ directory, journal, recorded, requireOwn })
    await recorder.record()
    return new JournalAdapter({ place, journal, tables, recorder, files })
  }

  async read(): Promise<StoreData> {
    return { tables: this.#opened.tables, changes: [] }
  }

  async write({ changes }: StoreData): Promise<void> {
    await this.journal.append(changes)
    this.#opened.recorder.note()
    if (this.#isScheduled || this.#journalBytes <= this.#bound) return
    if (stopwatchMs() < this.#restsUntilMs) return
    this.#isScheduled = true
    this.compact()
      .catch(() => undefined)
      .finally(() => {
        this.#isScheduled = false
      })
  }

  stats(): StoreStats {
    return {
      journalBytes: this.#journalBytes,
      snapshotBytes: this.#snapshotBytes,
      lastSyncMs: this.journal.lastSyncMs,
      sinceSyncMs: this.journal.sinceSyncMs,
      compactionFailure: this.#failure,
      records: this.#opened.tables.counts(),
    }
  }

  compact(): Promise<void> {
    return this.exclusively(() => this.#compact())
  }

  /** If the directory, its lock or its journal is lost, this throws, and nothing is written any more. */
  async requireOwn(): Promise<void> {
    try {
      await this.#opened.place.own.require(this.journal)
    } catch (cause) {
      this.journal.fail(cause)
      this.#stop.abort(cause)
      throw cause
    }
  }

  /** While `work` runs, no file of the store is replaced or removed. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#idle.then(async () => {
      await this.requireOwn()
      return work()
    })
    this.#idle = result.catch(() => undefined)
    return result
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('The store is closed.'))
    await this.#idle
    await this.journal.close()
    await this.#opened.recorder.close()
  }

  async #compact(): Promise<void> {
    const { number } = this.journal.end
    try {
      await this.#replaceSnapshot()
      this.#failure = null
    } catch (cause) {
      this.#failure = cause instanceof Error ? cause.message : String(cause)
      // The next attempt waits for a longer journal: attempts at every write would fill a disk that is already full. If
      // no file could be opened, for example because there were too few descriptors, nothing was written.
      if (this.journal.end.number === number) this.#restsUntilMs = stopwatchMs() + restMs
      else this.#bound = this.#journalBytes + smallestBound
      throw cause
    }
    this.#bound = boundFor(this.#snapshotBytes)
  }

  get #journalBytes(): number {
    return this.#earlierBytes + this.journal.end.bytes
  }

  async #replaceSnapshot(): Promise<void> {
    this.#stop.signal.throwIfAborted()
    const { place } = this.#opened
    const number = this.journal.end.number + 1
    // If no file can be opened, no journal has ended either.
    const draft = await SnapshotDraft.open({ ...place, number, signal: this.#stop.signal })
    try {
      const ended = await this.journal.rotate()
      this.#earlierBytes += ended.bytes
      this.#snapshotBytes = await this.#writeSnapshot(draft, ended)
    } catch (cause) {
      await this.requireOwn().then(
        () => draft.discard(),
        () => draft.close(),
      )
      throw cause
    }
    this.#earlierBytes = 0
    await this.requireOwn()
    await removeLeftovers(place.directory)
  }

  /**
   * Writes the records in memory while they change. The snapshot may mix older and newer records. The journal that
   * began before the snapshot contains whole records and is replayed over it, so the result is correct.
   */
  async #writeSnapshot(draft: SnapshotDraft, ended: JournalEnd): Promise<number> {
    const { tables } = this.#opened
    await draft.begin(ended.checksum)
    for (const table of tables.all()) await draft.add(table.collection.name, table.values())
    const bytes = await draft.end()
    // The snapshot becomes valid only after the journal contains all changes that may be in it.
    await this.journal.flush()
    await this.requireOwn()
    await draft.commit()
    return bytes
  }
}

function boundFor(snapshotBytes: number): number {
  return Math.max(smallestBound, snapshotBytes / 2)
}
