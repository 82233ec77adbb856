import type { Adapter } from 'lowdb'
import { syncDirectory } from '../disk.ts'
import { Compactor, removeLeftovers } from './compactor.ts'
import type { JournalPlace } from './create-journal-file.ts'
import { Journal } from './journal.ts'
import { type LoadedStore, loadStore } from './load-store.ts'
import { EndRecorder, readRecordedEnd, requireRecordedEnd } from './recorded-end.ts'
import type { StoreData } from './store-data.ts'
import { listFiles, type StoreFiles, selectStoreFiles } from './store-files.ts'

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
  #opened: Opened | undefined

  constructor(place: JournalPlace) {
    this.#place = place
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
    const loaded = await loadStore(files)
    requireRecordedEnd(directory, recorded, loaded.end)
    // A crash may have come between the name of a snapshot and its durability: nothing it covers goes before that.
    await syncDirectory(directory)
    await removeLeftovers(directory)
    const opened = await this.#open(files, loaded)
    const recorder = new EndRecorder(directory, opened.journal, recorded)
    this.#opened = { ...opened, recorder }
    await recorder.record()
    return { collections: loaded.collections, changes: [] }
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

  async #open(files: StoreFiles, { collections, end }: LoadedStore) {
    const journal = await Journal.open(this.#place, end)
    const earlier = files.journals.slice(0, -1)
    const compactor = new Compactor({
      place: this.#place,
      journal,
      collections,
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
