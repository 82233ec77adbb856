import { join } from 'node:path'
import { syncDirectory } from '../../machine/durable-files.ts'
import { rename, rm } from '../../machine/files.ts'
import type { DiskFile } from '../../ports/machine.ts'
import { chainLine, chainStart, type FileHeader, formatVersion } from './checksummed-lines.ts'
import type { JournalPlace } from './journal.ts'
import { snapshotName } from './store-files.ts'

// Writing a slice of this length blocks the event loop for less than a millisecond. For longer strings, V8 allocates
// separate pages, which took a quarter of the time of a start.
const sliceLength = 32 * 1024
// Limits the bytes that are not on the disk yet, because the next sync of the journal also waits for them.
const unsyncedBytes = 8 * 1024 * 1024

interface SnapshotPlace extends JournalPlace {
  /** The number of the first journal that the snapshot does not cover. */
  readonly number: number
  /** Aborts the writing. */
  readonly signal?: AbortSignal
}

/** Writes a snapshot line by line. The file has a temporary name until the commit. */
export class SnapshotDraft {
  /** The path at which the draft can be read before the commit. */
  readonly path: string
  readonly #place: SnapshotPlace
  readonly #file: DiskFile
  readonly #counts: Record<string, number> = {}
  #checksum = chainStart
  #bytes = 0
  #unsynced = 0
  #closing: Promise<void> | undefined

  private constructor(place: SnapshotPlace, path: string, file: DiskFile) {
    this.#place = place
    this.path = path
    this.#file = file
  }

  static async open(place: SnapshotPlace): Promise<SnapshotDraft> {
    const path = join(place.directory, `${snapshotName(place.number)}.tmp`)
    await rm(path, { force: true })
    return new SnapshotDraft(place, path, await place.openFile(path, 'create'))
  }

  /** `previous` is the end of the chain of the journals that the snapshot covers. */
  async begin(previous: string): Promise<void> {
    const form = { format: 'coopshare-snapshot', version: formatVersion }
    const header: FileHeader = { ...form, journal: this.#place.number, previous }
    await this.#write(JSON.stringify(header))
  }

  async add(collection: string, records: Iterable<unknown>): Promise<void> {
    let slice: string[] = []
    let [length, count] = [0, 0]
    for (const record of records) {
      const text = JSON.stringify(record)
      slice.push(text)
      length += text.length
      count += 1
      if (length < sliceLength) continue
      await this.#write(`"${collection}",[${slice.join(',')}]`)
      slice = []
      length = 0
    }
    if (slice.length > 0) await this.#write(`"${collection}",[${slice.join(',')}]`)
    this.#counts[collection] = (this.#counts[collection] ?? 0) + count
  }

  /** Returns the size of the file. */
  async end(): Promise<number> {
    await this.#write(JSON.stringify({ counts: this.#counts }))
    await this.#sync()
    return this.#bytes
  }

  async commit(): Promise<void> {
    await this.close()
    const { directory, number } = this.#place
    await rename(this.path, join(directory, snapshotName(number)))
    await syncDirectory(directory)
  }

  async discard(): Promise<void> {
    await this.close()
    await rm(this.path, { force: true })
  }

  /** Leaves the draft where it is. */
  close(): Promise<void> {
    this.#closing ??= this.#file.close()
    return this.#closing
  }

  async #write(body: string): Promise<void> {
    this.#place.signal?.throwIfAborted()
    const { line, checksum } = chainLine(this.#checksum, body)
    const bytes = Buffer.from(line)
    this.#checksum = checksum
    this.#bytes += bytes.length
    this.#unsynced += bytes.length
    await this.#file.append(bytes)
    if (this.#unsynced >= unsyncedBytes) await this.#sync()
  }

  async #sync(): Promise<void> {
    await this.#file.sync()
    this.#unsynced = 0
  }
}
