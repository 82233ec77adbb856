import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing, writeFileDurably } from '../../system/disk.ts'
import { isKnownForm } from '../store-refusals.ts'
import type { Journal } from './journal.ts'
import { chainStart, type JournalEnd, openLine, sealLine } from './lines.ts'
import { damaged, journalName, recordedEndName } from './store-files.ts'

/**
 * Whole lines cut from the end of the last journal leave a journal that looks whole. So a small file beside it records
 * how far the journal reached. It is written after the journal was synced: it may be older than the journal, never newer.
 */

const recordForm = { format: 'coopshare-journal-end', version: 1 }
const pauseMs = 1000

/** The number of the last journal, and how many changes are in it. It grows with every change, across compactions, too. */
type JournalLength = Pick<JournalEnd, 'number' | 'changes'>

/** undefined where nothing was recorded: by an earlier program, or because an operator removed it. */
export async function readRecordedEnd(directory: string): Promise<JournalLength | undefined> {
  const bytes = await unlessMissing(readFile(join(directory, recordedEndName)))
  if (!bytes) return undefined
  const record = parse(bytes)
  const { journal, changes } = record
  if (isKnownForm(record, recordForm, recordedEndName)) return { number: journal, changes }
  throw damaged(`${recordedEndName} is not what was written. ${goOn(directory)}`)
}

// biome-ignore lint/suspicious/noExplicitAny: what a checksum proves was written by this program or a newer one.
function parse(bytes: Buffer): any {
  return openLine(chainStart, bytes.subarray(0, -1))?.elements[0] ?? {}
}

/** What a store that ends at `end` lacks; undefined when that is nothing that is known of. */
export function describeMissingEnd(
  recorded: JournalLength | undefined,
  end: JournalLength,
): string | undefined {
  if (!recorded) return undefined
  const { number, changes } = recorded
  const name = journalName(number)
  if (end.number < number) return `${name} is missing, and at least ${countOf(changes)} with it.`
  const missing = changes - end.changes
  if (end.number > number || missing <= 0) return undefined
  return `${countOf(missing)} ${missing === 1 ? 'is' : 'are'} missing at the end of ${name}, which had ${changes}.`
}

/** Refuses a store that ends before what was recorded as acknowledged. */
export function requireRecordedEnd(
  directory: string,
  recorded: JournalLength | undefined,
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

/** Records where the journal ends, at most once a second and at the end. If that fails, an older record stays, which is also true. */
export class EndRecorder {
  readonly #directory: string
  readonly #journal: Pick<Journal, 'end'>
  #recorded: JournalLength | undefined
  #timer: NodeJS.Timeout | undefined
  #writing = Promise.resolve()

  constructor(
    directory: string,
    journal: Pick<Journal, 'end'>,
    recorded: JournalLength | undefined,
  ) {
    this.#directory = directory
    this.#journal = journal
    this.#recorded = recorded
  }

  /** The journal may have grown. */
  note(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.record()
    }, pauseMs).unref()
  }

  /** One after the other. */
  record(): Promise<void> {
    return this.#writing.then(() => this.#record())
  }

  close(): Promise<void> {
    clearTimeout(this.#timer)
    return this.record()
  }

  async #record(): Promise<void> {
    const { number, changes } = this.#journal.end
    if (this.#recorded?.number === number && this.#recorded.changes === changes) return
    const record = { ...recordForm, journal: number, changes }
    const { line } = sealLine(chainStart, JSON.stringify(record))
    try {
      await writeFileDurably(join(this.#directory, recordedEndName), line)
      this.#recorded = { number, changes }
    } catch {
      // A full disk, for example. The journal itself says what is wrong.
    }
  }
}
