import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type DiskFile, type OpenDiskFile, syncDirectory, truncateDurably } from '../disk.ts'
import { formatVersion, sealLine } from './lines.ts'
import { journalName } from './store-files.ts'

export const journalFormat = 'coopshare-journal'

export interface JournalHeader {
  readonly format: string
  readonly version: number
  readonly number: number
}

/** One change as a line has it. */
export type JournalChange =
  | readonly [collection: string, record: object]
  | readonly [collection: string, record: null, key: string]

/** One change as it is to be written. No `json` means that the record is gone. */
export interface WrittenChange {
  readonly collection: string
  readonly key: string
  readonly json: string | undefined
}

export function textLength(changes: readonly WrittenChange[]): number {
  return changes.reduce((sum, { json }) => sum + (json?.length ?? 0), 0)
}

export function journalHeader(number: number): string {
  const header: JournalHeader = { format: journalFormat, version: formatVersion, number }
  return JSON.stringify(header)
}

/** `mark` is 1 for the first line of a batch, which was begun when the one before was durable. */
function journalBody(changes: readonly WrittenChange[], mark: 0 | 1): string {
  return `${mark},[${changes.map(changeText).join(',')}]`
}

function changeText({ collection, key, json }: WrittenChange): string {
  return json === undefined
    ? `["${collection}",null,${JSON.stringify(key)}]`
    : `["${collection}",${json}]`
}

const batchLength = 16 * 1024 * 1024

interface Waiting<Result> {
  readonly resolve: (result: Result) => void
  readonly reject: (cause: unknown) => void
}

type WaitingAppend = Waiting<void> & { readonly changes: readonly WrittenChange[] }

/** Where one journal ended and the next began. */
export interface Rotation {
  readonly number: number
  readonly previous: string
  /** Size of the one that ended. */
  readonly endedAt: number
}

/**
 * The file that every change goes to first. All that wait share one sync. After a failure nothing more is taken:
 * a disk that failed once has dropped what it was given, and asking again would hide that.
 */
export class Journal {
  readonly #place: JournalPlace
  #file: DiskFile
  #number: number
  #checksum: string
  #changes: number
  #durableBytes: number
  #lastSyncMs = 0
  #appends: WaitingAppend[] = []
  #rotations: Waiting<Rotation>[] = []
  #lastAppend = Promise.resolve()
  #working: Promise<void> | undefined
  #failure: { readonly cause: unknown } | undefined

  private constructor(place: JournalPlace, file: DiskFile, end: JournalEnd) {
    this.#place = place
    this.#file = file
    this.#number = end.number
    this.#checksum = end.checksum
    this.#changes = end.changes
    this.#durableBytes = end.bytes
  }

  /** Goes on behind the last good line; what was torn is cut off. */
  static async open(place: JournalPlace, end: JournalEnd): Promise<Journal> {
    const path = join(place.directory, journalName(end.number))
    if (end.bytes === 0) {
      await rm(path, { force: true })
      return Journal.#begin(place, end)
    }
    const file = await place.openFile(path, 'extend')
    // A killed process may have written lines that it had no time to sync: from now on they are read, so they have to last.
    await truncateDurably(file, end.bytes)
    return new Journal(place, file, end)
  }

  static async #begin(place: JournalPlace, end: JournalEnd): Promise<Journal> {
    const { file, checksum, bytes } = await createJournalFile(place, end)
    return new Journal(place, file, { ...end, checksum, bytes })
  }

  get number(): number {
    return this.#number
  }

  /** How many are durable in this journal. */
  get changes(): number {
    return this.#changes
  }

  get durableBytes(): number {
    return this.#durableBytes
  }

  get lastSyncMs(): number {
    return this.#lastSyncMs
  }

  /** Resolves when the changes are durable. */
  append(changes: readonly WrittenChange[]): Promise<void> {
    this.#lastAppend = this.#enqueue((waiting) => this.#appends.push({ ...waiting, changes }))
    return this.#lastAppend
  }

  /** Begins a new journal, with what was appended and is not written yet: it may also be in a snapshot that is made now. */
  rotate(): Promise<Rotation> {
    return this.#enqueue<Rotation>((waiting) => this.#rotations.push(waiting))
  }

  /** Resolves when all that was appended until now is durable: others may go on for ever. */
  async flush(): Promise<void> {
    await this.#lastAppend
    if (this.#failure) throw this.#failure.cause
  }

  async close(): Promise<void> {
    await this.#working
    this.#failure ??= { cause: new Error('The journal is closed.') }
    await this.#file.close()
  }

  #enqueue<Result>(add: (waiting: Waiting<Result>) => void): Promise<Result> {
    if (this.#failure) return Promise.reject(this.#failure.cause)
    return new Promise((resolve, reject) => {
      add({ resolve, reject })
      this.#working ??= this.#work()
    })
  }

  async #work(): Promise<void> {
    while (this.#appends.length + this.#rotations.length > 0) {
      // Whoever writes in this turn of the event loop, those just answered too, gets into the batch.
      await nextTurn()
      await this.#persist(this.#takeBatch())
      for (const waiting of this.#rotations.splice(0)) await this.#turnOver(waiting)
    }
    this.#working = undefined
  }

  /** As many as fit into one text of a size that is no burden. */
  #takeBatch(): WaitingAppend[] {
    let length = 0
    const fitting = this.#appends.findIndex(({ changes }) => {
      length += textLength(changes)
      return length > batchLength
    })
    return this.#appends.splice(0, fitting === -1 ? this.#appends.length : Math.max(1, fitting))
  }

  async #persist(batch: readonly WaitingAppend[]): Promise<void> {
    if (batch.length === 0) return
    try {
      // It may have come while these were waiting: nothing that is put behind it would be read again.
      if (this.#failure) throw this.#failure.cause
      await this.#appendDurably(batch)
      for (const { resolve } of batch) resolve()
    } catch (cause) {
      await this.#fail(cause, batch)
    }
  }

  async #appendDurably(batch: readonly WaitingAppend[]): Promise<void> {
    const { text, checksum } = sealBatch(this.#checksum, batch)
    const bytes = Buffer.from(text)
    await this.#file.append(bytes)
    const start = performance.now()
    await this.#file.sync()
    this.#lastSyncMs = performance.now() - start
    this.#checksum = checksum
    this.#changes += batch.length
    this.#durableBytes += bytes.length
  }

  async #turnOver({ resolve, reject }: Waiting<Rotation>): Promise<void> {
    const end = { number: this.#number + 1, checksum: this.#checksum }
    const endedAt = this.#durableBytes
    try {
      if (this.#failure) throw this.#failure.cause
      const next = await createJournalFile(this.#place, end)
      await this.#file.close().catch(() => undefined)
      this.#file = next.file
      this.#number = end.number
      this.#checksum = next.checksum
      this.#changes = 0
      this.#durableBytes = next.bytes
      resolve({ number: end.number, previous: end.checksum, endedAt })
    } catch (cause) {
      await this.#goOnWithout(end.number, cause)
      reject(cause)
    }
  }

  // A half-made successor left behind would contradict what is appended here from now on.
  async #goOnWithout(successor: number, cause: unknown): Promise<void> {
    if (this.#failure) return
    await discardJournalFile(this.#place, successor).catch(() => {
      this.#failure = { cause }
    })
  }

  async #fail(cause: unknown, batch: readonly WaitingAppend[]): Promise<void> {
    this.#failure = { cause }
    // Best effort: nobody was told of these lines, so they had better not come back.
    await truncateDurably(this.#file, this.#durableBytes).catch(() => undefined)
    for (const { reject } of [...batch, ...this.#appends.splice(0)]) reject(cause)
  }
}

/** Where a journal ends, and what the next line goes on from. */
export interface JournalEnd {
  readonly number: number
  readonly checksum: string
  /** How many changes are in the journal. */
  readonly changes: number
  /** Up to the end of the last good line. */
  readonly bytes: number
  /** What follows it: a write that was cut off, which nobody was told of. */
  readonly tornBytes: number
}

export interface JournalPlace {
  readonly directory: string
  readonly openFile: OpenDiskFile
}

/** `checksum` is the end of the chain so far. */
export async function createJournalFile(
  { directory, openFile }: JournalPlace,
  { number, checksum: previous }: Pick<JournalEnd, 'number' | 'checksum'>,
): Promise<{ file: DiskFile; checksum: string; bytes: number }> {
  const file = await openFile(join(directory, journalName(number)), 'create')
  try {
    const { line, checksum } = sealLine(previous, journalHeader(number))
    await file.append(Buffer.from(line))
    await file.sync()
    await syncDirectory(directory)
    return { file, checksum, bytes: line.length }
  } catch (cause) {
    await file.close()
    throw cause
  }
}

async function discardJournalFile({ directory }: JournalPlace, number: number): Promise<void> {
  await rm(join(directory, journalName(number)), { force: true })
  await syncDirectory(directory)
}

/** The lines of one batch, chained to `previous`. */
function sealBatch(
  previous: string,
  batch: readonly { readonly changes: readonly WrittenChange[] }[],
): { text: string; checksum: string } {
  let checksum = previous
  let text = ''
  for (const [index, { changes }] of batch.entries()) {
    const sealed = sealLine(checksum, journalBody(changes, index === 0 ? 1 : 0))
    checksum = sealed.checksum
    text += sealed.line
  }
  return { text, checksum }
}
