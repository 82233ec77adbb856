import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { writeFileDurably } from '../disk.ts'
import { isNewer, madeByNewer } from '../newer-form.ts'
import { chainStart, openLine, sealLine } from './lines.ts'
import { damaged, journalName, recordedEndName } from './store-files.ts'

/**
 * Whole lines cut from the end of the last journal leave a journal that looks whole. So a small file beside it records
 * how far the journal reached. It is written after the journal was synced: it may be older than the journal, never newer.
 */

const recordFormat = 'coopshare-journal-end'
const recordVersion = 1
const shortestPauseMs = 1000

/** Grows with every change, across compactions, too. */
export interface RecordedEnd {
  /** The number of the last journal. */
  readonly journal: number
  /** How many changes were in it. */
  readonly changes: number
}

interface JournalLength {
  readonly number: number
  readonly changes: number
}

/** undefined where nothing was recorded: by a program from before, or because somebody removed it. */
export async function readRecordedEnd(directory: string): Promise<RecordedEnd | undefined> {
  const path = join(directory, recordedEndName)
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (!bytes) return undefined
  const { format, version, journal, changes } = parse(bytes)
  if (format === recordFormat && isNewer(version, recordVersion)) throw madeByNewer(recordedEndName)
  if (format === recordFormat && version === recordVersion) return { journal, changes }
  throw damaged(`${recordedEndName} is not what was written. ${goOn(directory)}`)
}

// biome-ignore lint/suspicious/noExplicitAny: what a checksum proves was written by this program or a newer one.
function parse(bytes: Buffer): any {
  return openLine(chainStart, bytes.subarray(0, -1))?.elements[0] ?? {}
}

/** What a store that ends at `end` lacks; undefined when that is nothing that is known of. */
export function describeMissingEnd(
  recorded: RecordedEnd | undefined,
  end: JournalLength,
): string | undefined {
  if (!recorded) return undefined
  const { journal, changes } = recorded
  const name = journalName(journal)
  if (end.number < journal) return `${name} is missing, and at least ${countOf(changes)} with it.`
  const missing = changes - end.changes
  if (end.number > journal || missing <= 0) return undefined
  const are = missing === 1 ? 'is' : 'are'
  return `${countOf(missing)} ${are} missing at the end of ${name}, which had ${changes}.`
}

/** Refuses a store that ends before what was recorded as acknowledged. */
export function requireRecordedEnd(
  directory: string,
  recorded: RecordedEnd | undefined,
  end: JournalLength,
): void {
  const missing = describeMissingEnd(recorded, end)
  if (missing) throw damaged(`${missing} ${goOn(directory)}`)
}

function goOn(directory: string): string {
  return `To go on without what may be missing, remove ${join(directory, recordedEndName)}.`
}

function countOf(changes: number): string {
  return changes === 1 ? '1 change' : `${changes} changes`
}

/** Records where the journal ends, at most once a second and at the end. What cannot be recorded leaves an older record, which is true, too. */
export class EndRecorder {
  readonly #directory: string
  readonly #journal: JournalLength
  readonly #closing = new AbortController()
  #recorded: RecordedEnd | undefined
  #working: Promise<void> | undefined

  constructor(directory: string, journal: JournalLength, recorded: RecordedEnd | undefined) {
    this.#directory = directory
    this.#journal = journal
    this.#recorded = recorded
  }

  /** The journal may have grown. */
  note(): void {
    if (!this.#closing.signal.aborted && this.#isBehind) this.#working ??= this.#work()
  }

  async record(): Promise<void> {
    if (!this.#isBehind) return
    const { number: journal, changes } = this.#journal
    const record = { format: recordFormat, version: recordVersion, journal, changes }
    const { line } = sealLine(chainStart, JSON.stringify(record))
    try {
      await writeFileDurably(join(this.#directory, recordedEndName), line)
      this.#recorded = { journal, changes }
    } catch {
      // A full disk, for example. The journal itself says what is wrong.
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#working
    await this.record()
  }

  get #isBehind(): boolean {
    const { number, changes } = this.#journal
    return this.#recorded?.journal !== number || this.#recorded.changes !== changes
  }

  async #work(): Promise<void> {
    const { signal } = this.#closing
    while (this.#isBehind && !signal.aborted) {
      await pause(shortestPauseMs, undefined, { ref: false, signal }).catch(() => undefined)
      await this.record()
    }
    this.#working = undefined
  }
}
