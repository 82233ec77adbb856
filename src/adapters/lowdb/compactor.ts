import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Journal, JournalPlace } from './journal.ts'
import { writeSnapshot } from './snapshot.ts'
import { listFiles, selectLeftovers, selectStoreFiles } from './store-files.ts'
import type { Tables } from './tables.ts'

const smallestBound = 16 * 1024 * 1024

export interface Compaction {
  readonly snapshotBytes: number
  readonly journalBytes: number
}

export interface StoreToCompact {
  readonly place: JournalPlace
  readonly journal: Journal
  readonly tables: Tables
  readonly snapshotBytes: number
  /** Of the journals before the one that is written to. */
  readonly earlierBytes: number
}

/** Keeps the journal, and with it the time that a start takes, in proportion to what is stored. */
export class Compactor {
  readonly #store: StoreToCompact
  readonly #stop = new AbortController()
  #snapshotBytes: number
  #earlierBytes: number
  #bound: number
  #isScheduled = false
  #idle: Promise<unknown> = Promise.resolve()
  #failure: string | null = null

  constructor(store: StoreToCompact) {
    this.#store = store
    this.#snapshotBytes = store.snapshotBytes
    this.#earlierBytes = store.earlierBytes
    this.#bound = boundFor(store.snapshotBytes)
  }

  get journalBytes(): number {
    return this.#earlierBytes + this.#store.journal.durableBytes
  }

  get snapshotBytes(): number {
    return this.#snapshotBytes
  }

  /** Why the last compaction failed; the journal just goes on then. */
  get failure(): string | null {
    return this.#failure
  }

  compactIfDue(): void {
    if (this.#isScheduled || this.journalBytes <= this.#bound) return
    this.#isScheduled = true
    this.compact()
      .catch(() => undefined)
      .finally(() => {
        this.#isScheduled = false
      })
  }

  compact(): Promise<Compaction> {
    return this.exclusively(() => this.#compact())
  }

  /** No file goes away while `work` runs. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#idle.then(work)
    this.#idle = result.catch(() => undefined)
    return result
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('The store is closed.'))
    await this.#idle
  }

  async #compact(): Promise<Compaction> {
    try {
      await this.#replaceSnapshot()
      this.#failure = null
    } catch (cause) {
      this.#failure = cause instanceof Error ? cause.message : String(cause)
      // Not at every write again: that would fill a full disk with attempts.
      this.#bound = this.journalBytes + smallestBound
      throw cause
    }
    this.#bound = boundFor(this.#snapshotBytes)
    return { snapshotBytes: this.#snapshotBytes, journalBytes: this.journalBytes }
  }

  async #replaceSnapshot(): Promise<void> {
    const { journal, tables, place } = this.#store
    this.#stop.signal.throwIfAborted()
    const rotation = await journal.rotate()
    this.#earlierBytes += rotation.endedAt
    const { bytes } = await writeSnapshot({
      ...place,
      tables,
      rotation,
      barrier: () => journal.flush(),
      signal: this.#stop.signal,
    })
    this.#snapshotBytes = bytes
    this.#earlierBytes = 0
    await removeLeftovers(place.directory)
  }
}

/** What a snapshot covers, and what a crash left half done. */
export async function removeLeftovers(directory: string): Promise<void> {
  const current = selectStoreFiles(await listFiles(directory))
  const leftovers = selectLeftovers(await readdir(directory), current)
  for (const name of leftovers) await rm(join(directory, name), { force: true })
}

function boundFor(snapshotBytes: number): number {
  return Math.max(smallestBound, snapshotBytes / 2)
}
