import type { DiskFile } from '../disk.ts'
import { chainStart, sealLine } from './chained-line.ts'
import type { Rotation } from './journal.ts'
import { formatVersion, type SnapshotHeader, snapshotBody, snapshotFormat } from './line-forms.ts'

// Less than a millisecond of work between two turns of the event loop, and lines that are cheap to read back:
// V8 gives longer texts pages of their own, which took a quarter of the time of a start.
const sliceLength = 32 * 1024
// What a file system has not yet written out holds up the journal's next sync.
const unsyncedBytes = 8 * 1024 * 1024

/** A snapshot line by line: its header, records of one collection after the other, and how many there are. */
export class SnapshotWriter {
  readonly #file: DiskFile
  readonly #signal: AbortSignal | undefined
  readonly #counts: Record<string, number> = {}
  #checksum = chainStart
  #bytes = 0
  #unsynced = 0

  constructor(file: DiskFile, signal?: AbortSignal) {
    this.#file = file
    this.#signal = signal
  }

  async begin({ number: journal, previous }: Pick<Rotation, 'number' | 'previous'>): Promise<void> {
    const version = formatVersion
    const header: SnapshotHeader = { format: snapshotFormat, version, journal, previous }
    await this.#write(JSON.stringify(header))
  }

  async add(collection: string, records: Iterable<unknown>): Promise<void> {
    let slice: string[] = []
    let length = 0
    let count = 0
    for (const record of records) {
      const text = JSON.stringify(record)
      slice.push(text)
      length += text.length
      count += 1
      if (length < sliceLength) continue
      await this.#write(snapshotBody(collection, slice))
      slice = []
      length = 0
    }
    if (slice.length > 0) await this.#write(snapshotBody(collection, slice))
    this.#counts[collection] = (this.#counts[collection] ?? 0) + count
  }

  /** Returns the size of the file. */
  async end(): Promise<number> {
    await this.#write(JSON.stringify({ counts: this.#counts }))
    await this.#sync()
    return this.#bytes
  }

  async #write(body: string): Promise<void> {
    this.#signal?.throwIfAborted()
    const { line, checksum } = sealLine(this.#checksum, body)
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
