import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type DiskFile, type OpenDiskFile, syncDirectory } from '../disk.ts'
import { isNewer, madeByNewer } from '../newer-form.ts'
import type { Rotation } from './journal.ts'
import {
  chainStart,
  formatVersion,
  type Line,
  openLine,
  readLines,
  requireOwnForm,
  sealLine,
  unknownKind,
} from './lines.ts'
import { damagedLine, type NumberedFile, snapshotName } from './store-files.ts'
import type { Tables } from './tables.ts'

const snapshotFormat = 'coopshare-snapshot'

export interface SnapshotHeader {
  readonly format: string
  readonly version: number
  /** The first journal that is not in it, and the end of the chain before that. */
  readonly journal: number
  readonly previous: string
}

/** Its absence shows that a snapshot was cut. */
interface SnapshotFooter {
  readonly counts: Readonly<Record<string, number>>
}

interface SnapshotToWrite {
  readonly directory: string
  readonly openFile: OpenDiskFile
  readonly tables: Tables
  readonly rotation: Rotation
  /** Resolves when all that the snapshot may have seen is durable in a journal. */
  readonly barrier: () => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Writes what is in memory while it changes. Records seen before a change and records seen after it may stand side by
 * side; the journal begun before is replayed over them, and its lines hold whole records, so both end the same.
 */
export async function writeSnapshot(toWrite: SnapshotToWrite): Promise<{ bytes: number }> {
  const { directory, openFile, rotation, barrier, signal } = toWrite
  const path = join(directory, snapshotName(rotation.number))
  const temporary = `${path}.tmp`
  const file = await openFile(temporary, 'create')
  try {
    const writer = new SnapshotWriter(file, signal)
    const bytes = await writeAll(writer, toWrite).finally(() => file.close())
    await barrier()
    await rename(temporary, path)
    await syncDirectory(directory)
    return { bytes }
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause
  }
}

async function writeAll(
  writer: SnapshotWriter,
  { tables, rotation }: SnapshotToWrite,
): Promise<number> {
  await writer.begin(rotation)
  for (const table of tables.all()) await writer.add(table.collection.name, table.values())
  return writer.end()
}

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

/** Returns whether the kind is one that this program knows. */
export type OnRecords = (collection: string, records: readonly object[]) => boolean

/** Checks every line. Returns the end of the chain that the first journal after it continues. */
export async function readSnapshot(file: NumberedFile, onRecords: OnRecords): Promise<string> {
  const reader = new SnapshotReader(file, onRecords)
  await readLines(file, (line) => reader.add(line))
  return reader.finish()
}

class SnapshotReader {
  readonly #file: NumberedFile
  readonly #onRecords: OnRecords
  #checksum = chainStart
  #header: SnapshotHeader | undefined
  #footer: SnapshotFooter | undefined
  #lines = 0
  // A record that was removed and came back while the snapshot was written is in it twice.
  readonly #counts: Record<string, number> = {}

  constructor(file: NumberedFile, onRecords: OnRecords) {
    this.#file = file
    this.#onRecords = onRecords
  }

  add(line: Line): void {
    const opened = line.isWhole ? openLine(this.#checksum, line.bytes) : undefined
    if (!opened) requireOwnForm(this.#file.name, line, this.#checksum)
    if (!opened || this.#footer) throw this.#damaged(line.number, 'it is not what was written.')
    this.#checksum = opened.checksum
    this.#lines = line.number
    this.#take(opened.elements)
  }

  finish(): string {
    if (!this.#header || !this.#footer) throw this.#damaged(this.#lines + 1, 'the end is missing.')
    for (const [name, count] of Object.entries(this.#footer.counts)) {
      const read = this.#counts[name] ?? 0
      if (read !== count) throw this.#damaged(this.#lines, `${read} of ${count} ${name} are there.`)
    }
    return this.#header.previous
  }

  #take(elements: readonly unknown[]): void {
    if (!this.#header) this.#header = this.#requireHeader(elements[0] as SnapshotHeader)
    else if (elements.length === 1) this.#footer = elements[0] as SnapshotFooter
    else this.#load(elements[0] as string, elements[1] as readonly object[])
  }

  #load(name: string, records: readonly object[]): void {
    if (!this.#onRecords(name, records)) throw unknownKind(this.#file.name, this.#lines, name)
    this.#counts[name] = (this.#counts[name] ?? 0) + records.length
  }

  #requireHeader(header: SnapshotHeader): SnapshotHeader {
    const { format, version, journal } = header
    if (format === snapshotFormat && isNewer(version, formatVersion)) {
      throw madeByNewer(this.#file.name)
    }
    if (format !== snapshotFormat || version !== formatVersion || journal !== this.#file.number) {
      throw this.#damaged(
        1,
        'this is no snapshot of that number in a form that this program knows.',
      )
    }
    return header
  }

  #damaged(line: number, what: string) {
    return damagedLine(this.#file.name, line, what)
  }
}
