import { join } from 'node:path'
import { unlessMissing, writeFileDurably } from '../../machine/durable-files.ts'
import { readFile, rewrite } from '../../machine/files.ts'
import { clearTimeout, setTimeout } from '../../machine/time.ts'
import type { Timer } from '../../ports/machine.ts'
import { isKnownFormat } from '../store-refusals.ts'
import { chainLine, chainStart, type JournalEnd, verifyLine } from './checksummed-lines.ts'
import type { Journal } from './journal.ts'
import {
  damaged,
  journalName,
  listFiles,
  recordedEndName,
  selectStoreFiles,
} from './store-files.ts'

/**
 * If whole lines are cut from the end of the last journal, the remaining lines look complete. So a small file records how
 * far it reached. It is written after the journal is synced, so it may be older than the journal but never newer.
 */
const recordForm = { format: 'coopshare-journal-end', version: 1 }
const pauseMs = 1000

/** The number of the last journal and of its changes. Both only grow, even across compactions. */
type JournalLength = Pick<JournalEnd, 'number' | 'changes'>
type Recorded = Omit<JournalEnd, 'checksum'> | undefined

/** Returns undefined if no end is recorded yet, or if an operator has removed the record. */
export async function readRecordedEnd(directory: string): Promise<Recorded> {
  const file = await unlessMissing(readFile(join(directory, recordedEndName)))
  if (!file) return undefined
  const record = parse(file)
  const { journal: number, changes, bytes } = record
  if (isKnownFormat(record, recordForm, recordedEndName)) return { number, changes, bytes }
  throw damaged(`${recordedEndName} was changed or damaged.`, undefined, goOn(directory))
}

// biome-ignore lint/suspicious/noExplicitAny: what a checksum proves was written by this program or a newer one.
function parse(bytes: Buffer): any {
  return verifyLine(chainStart, bytes.subarray(0, -1))?.elements[0] ?? {}
}

/**
 * Makes the end of the last journal durable before it is read. A killed process may have written lines without syncing
 * them. If its last sync failed, they may be in memory only, and a further sync would not write them to the disk.
 */
export async function rewriteUnrecordedEnd(directory: string): Promise<void> {
  const recorded = await readRecordedEnd(directory)
  const last = selectStoreFiles(await listFiles(directory)).journals.at(-1)
  const from = recorded && recorded.number === last?.number ? recorded.bytes : 0
  if (last && from < last.bytes) await rewrite(last.path, from)
}

/** Describes what a store that ends at `end` lacks. Returns undefined if nothing is known to be missing. */
export function describeMissingEnd(recorded: Recorded, end: JournalLength): string | undefined {
  if (!recorded) return undefined
  const { number, changes } = recorded
  const name = journalName(number)
  if (end.number < number) return `${name} is missing, and at least ${countOf(changes)} with it.`
  const missing = changes - end.changes
  if (end.number > number || missing <= 0) return undefined
  return `${countOf(missing)} ${missing === 1 ? 'is' : 'are'} missing at the end of ${name}, which had ${changes}.`
}

/** Refuses a store that ends before the recorded, acknowledged end. */
export function requireRecordedEnd(directory: string, recorded: Recorded, end: JournalLength) {
  const missing = describeMissingEnd(recorded, end)
  if (missing) throw damaged(missing, undefined, goOn(directory))
}

function goOn(directory: string): string {
  return ` To continue without the changes that may be missing, remove ${join(directory, recordedEndName)}.`
}

function countOf(changes: number): string {
  return changes === 1 ? '1 change' : `${changes} changes`
}

interface EndRecorderOptions {
  readonly directory: string
  readonly journal: Pick<Journal, 'end'>
  readonly recorded: Recorded
  /** Throws if the directory may not be written to. */
  readonly requireOwn: () => Promise<void>
}

/** Records the end of the journal once a second and at shutdown. If that fails, an older one stays valid. */
export class EndRecorder {
  readonly #directory: string
  readonly #journal: Pick<Journal, 'end'>
  readonly #requireOwn: () => Promise<void>
  #recorded: Recorded
  #timer: Timer | undefined
  #writing = Promise.resolve()

  constructor({ directory, journal, recorded, requireOwn }: EndRecorderOptions) {
    this.#directory = directory
    this.#journal = journal
    this.#recorded = recorded
    this.#requireOwn = requireOwn
  }

  /** Call this when the journal may have grown. */
  note(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.record()
    }, pauseMs).unref()
  }

  /** Calls run one after the other. */
  record(): Promise<void> {
    return this.#writing.then(() => this.#record())
  }

  close(): Promise<void> {
    clearTimeout(this.#timer)
    return this.record()
  }

  async #record(): Promise<void> {
    const { number, changes, bytes } = this.#journal.end
    if (this.#recorded?.number === number && this.#recorded.changes === changes) return
    const record = { ...recordForm, journal: number, changes, bytes }
    const { line } = chainLine(chainStart, JSON.stringify(record))
    try {
      await this.#requireOwn()
      await writeFileDurably(join(this.#directory, recordedEndName), line)
      this.#recorded = { number, changes, bytes }
    } catch {
      // The disk may be full, for example. The journal reports that itself.
    }
  }
}
