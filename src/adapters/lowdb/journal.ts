import { join } from 'node:path'
import { syncDirectory, truncateDurably } from '../../machine/durable-files.ts'
import { open, rm } from '../../machine/files.ts'
import { nextTurn, stopwatchMs } from '../../machine/time.ts'
import type { DiskFile, FileState, OpenDiskFile, OpenFile } from '../../ports/machine.ts'
import {
  chainLine,
  chainPieces,
  type FileHeader,
  formatVersion,
  type JournalEnd,
} from './checksummed-lines.ts'
import type { OwnDirectory } from './own-directory.ts'
import { journalName } from './store-files.ts'

/** A change to write. Without `json`, the record is removed. */
export interface WrittenChange {
  readonly collection: string
  readonly key: string
  readonly json: string | undefined
}

export function textLength(changes: readonly WrittenChange[]): number {
  return changes.reduce((sum, { json }) => sum + (json?.length ?? 0), 0)
}

export function journalHeader(number: number): string {
  const header: FileHeader = { format: 'coopshare-journal', version: formatVersion, number }
  return JSON.stringify(header)
}

/** `mark` is 1 for the first line of a batch. A batch begins when the previous one is durable. */
function journalBody(changes: readonly WrittenChange[], mark: 0 | 1): string {
  return `${mark},[${changes.map(changeText).join(',')}]`
}

// Writing a piece of this length blocks the event loop for about a millisecond.
const pieceLength = 256 * 1024

/** The same text in pieces. */
function* piecesOfBody(changes: readonly WrittenChange[], mark: 0 | 1): Generator<string> {
  let piece = `${mark},[`
  for (const [index, change] of changes.entries()) {
    piece += index === 0 ? changeText(change) : `,${changeText(change)}`
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  yield `${piece}]`
}

function changeText({ collection, key, json }: WrittenChange): string {
  return json === undefined
    ? `["${collection}",null,${JSON.stringify(key)}]`
    : `["${collection}",${json}]`
}

// A batch of this size is still cheap to hold in memory.
const batchLength = 16 * 1024 * 1024

/** Lines that are written and synced together. */
interface Batch {
  readonly lines: (readonly WrittenChange[])[]
  /** The length of all lines together. */
  length: number
  readonly written: Promise<void>
}

/**
 * The file to which every change is appended first. All waiting changes share one sync. After a failure it accepts no
 * more changes: a failed fsync may have dropped data, and a second attempt could succeed without that data.
 */
export class Journal {
  readonly #place: JournalPlace
  #file: DiskFile
  #end: JournalEnd
  #lastSyncMs = 0
  #syncedAt: number | undefined
  /** The batch that still accepts changes. */
  #batch: Batch | undefined
  #lastBatch: Batch | undefined
  /** Resolves when no batch is open or being written. */
  #idle: Promise<unknown> = Promise.resolve()
  #failure: { readonly cause: unknown } | undefined

  private constructor(place: JournalPlace, { file, end }: JournalFile) {
    this.#place = place
    this.#file = file
    this.#end = end
  }

  /** Continues after the last intact line and cuts off an incomplete one. */
  static async open(place: JournalPlace, end: JournalEnd): Promise<Journal> {
    const path = join(place.directory, journalName(end.number))
    if (end.bytes === 0) {
      await rm(path, { force: true })
      return new Journal(place, await createJournalFile(place, end))
    }
    const file = await place.openFile(path, 'extend')
    await truncateDurably(file, end.bytes)
    return new Journal(place, { file, end })
  }

  /** The end of the durable part. */
  get end(): JournalEnd {
    return this.#end
  }

  /** The state of the file that is written, whatever its path leads to now. */
  stat(): Promise<FileState> {
    return this.#file.stat()
  }

  get lastSyncMs(): number {
    return this.#lastSyncMs
  }

  get sinceSyncMs(): number | null {
    return this.#syncedAt === undefined ? null : stopwatchMs() - this.#syncedAt
  }

  /** Resolves when the changes are durable. */
  append(changes: readonly WrittenChange[]): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure.cause)
    const length = textLength(changes)
    const open = this.#batch
    const batch = open && open.length + length <= batchLength ? open : this.#beginBatch()
    batch.lines.push(changes)
    batch.length += length
    return batch.written
  }

  /** Begins a new journal. Later changes are appended to it. Returns the end of the old one. */
  rotate(): Promise<JournalEnd> {
    this.#batch = undefined
    return this.#enqueue(() => this.#turnOver())
  }

  /** Resolves when all earlier changes are durable, without waiting for later ones. */
  async flush(): Promise<void> {
    await this.#lastBatch?.written
    if (this.#failure) throw this.#failure.cause
  }

  /** From now on no change is accepted, and none becomes durable that is being written. */
  fail(cause: unknown): void {
    this.#failure ??= { cause }
  }

  async close(): Promise<void> {
    await this.#idle
    this.#failure ??= { cause: new Error('The journal is closed.') }
    await this.#file.close()
  }

  #beginBatch(): Batch {
    const lines: Batch['lines'] = []
    const written = this.#enqueue(async () => {
      // The batch waits for the end of this turn of the event loop, so that it includes all writes of the turn.
      await nextTurn()
      if (this.#batch === batch) this.#batch = undefined
      await this.#persist(lines)
    })
    const batch: Batch = { lines, length: 0, written }
    this.#batch = batch
    this.#lastBatch = batch
    return batch
  }

  /** Runs works one after the other, and none after a failed write: lines after it would never be read again. */
  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#idle.then(() => {
      if (this.#failure) throw this.#failure.cause
      return work()
    })
    this.#idle = result.catch(() => undefined)
    return result
  }

  async #persist(lines: Batch['lines']): Promise<void> {
    try {
      await this.#appendDurably(lines)
    } catch (cause) {
      // A file that was lost may be in use by another process.
      if (this.#failure) throw cause
      this.fail(cause)
      // Best effort: these lines were never acknowledged, so they should not come back.
      await truncateDurably(this.#file, this.#end.bytes).catch(() => undefined)
      throw cause
    }
    if (this.#failure) throw this.#failure.cause
  }

  async #appendDurably(lines: Batch['lines']): Promise<void> {
    let { checksum } = this.#end
    const long: Buffer[] = []
    let text = ''
    for (const [index, changes] of lines.entries()) {
      const mark = index === 0 ? 1 : 0
      if (textLength(changes) > pieceLength) {
        const chained = await chainPieces(checksum, piecesOfBody(changes, mark))
        checksum = chained.checksum
        long.push(Buffer.from(text), ...chained.line)
        text = ''
      } else {
        const chained = chainLine(checksum, journalBody(changes, mark))
        checksum = chained.checksum
        text += chained.line
      }
    }
    const written = Buffer.concat([...long, Buffer.from(text)])
    await this.#file.append(written)
    const start = stopwatchMs()
    await this.#file.sync()
    this.#syncedAt = stopwatchMs()
    this.#lastSyncMs = this.#syncedAt - start
    const { number, changes, bytes } = this.#end
    const end = { changes: changes + lines.length, bytes: bytes + written.length }
    this.#end = { number, checksum, ...end }
  }

  async #turnOver(): Promise<JournalEnd> {
    const ended = this.#end
    const number = ended.number + 1
    const { directory } = this.#place
    // Without a free descriptor this fails before anything is created, so that the cleanup below needs none.
    const names = await open(directory)
    try {
      const { file, end } = await createJournalFile(this.#place, { ...ended, number }, names)
      await this.#file.close().catch(() => undefined)
      this.#file = file
      this.#end = end
      return ended
    } catch (cause) {
      // A half-written new journal would contradict the lines that are appended to the present one.
      await this.#removeHalfMade(number, names).catch(() => this.fail(cause))
      throw cause
    } finally {
      await names.close()
    }
  }

  async #removeHalfMade(number: number, names: OpenFile): Promise<void> {
    const { directory, own } = this.#place
    await own?.require()
    await rm(join(directory, journalName(number)), { force: true })
    await names.sync()
  }
}

export interface JournalPlace {
  readonly directory: string
  readonly openFile: OpenDiskFile
  /** Absent if no process may open the store yet. */
  readonly own?: OwnDirectory
}

export type OwnPlace = Required<JournalPlace>

interface JournalFile {
  readonly file: DiskFile
  readonly end: JournalEnd
}

/**
 * `checksum` is the end of the chain so far.
 * @param names the directory, if it is open already
 */
export async function createJournalFile(
  { directory, openFile }: JournalPlace,
  { number, checksum: previous }: Pick<JournalEnd, 'number' | 'checksum'>,
  names?: OpenFile,
): Promise<JournalFile> {
  const file = await openFile(join(directory, journalName(number)), 'create')
  try {
    const { line, checksum } = chainLine(previous, journalHeader(number))
    await file.append(Buffer.from(line))
    await file.sync()
    await (names ? names.sync() : syncDirectory(directory))
    return { file, end: { number, checksum, changes: 0, bytes: line.length } }
  } catch (cause) {
    await file.close()
    throw cause
  }
}
