import type { Problem } from '../../domain/problem.ts'
import { isNewer, madeByNewer } from '../newer-form.ts'
import { bodyAt, openLine } from './chained-line.ts'
import type { Collections } from './collections.ts'
import {
  formatVersion,
  type JournalChange,
  type JournalHeader,
  journalFormat,
} from './line-forms.ts'
import { requireOwnForm } from './own-form.ts'
import { type Line, readLines } from './read-lines.ts'
import { damagedLine, type NumberedFile } from './store-files.ts'
import type { StringPool } from './string-pool.ts'

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

export interface LoadTarget {
  readonly collections: Collections
  readonly pool: StringPool
}

export interface JournalToLoad extends LoadTarget {
  readonly journal: NumberedFile
  /** Only the last journal can have been cut off: a new one is begun when the one before is durable. */
  readonly isLast: boolean
  readonly previous: string
}

export async function loadJournal(toLoad: JournalToLoad): Promise<JournalEnd> {
  const reader = new JournalReader(toLoad)
  await readLines(toLoad.journal, (line) => reader.add(line))
  return reader.finish()
}

class JournalReader {
  readonly #toLoad: JournalToLoad
  #checksum: string
  #bytes = 0
  #lines = 0
  #tornLine: number | undefined

  constructor(toLoad: JournalToLoad) {
    this.#toLoad = toLoad
    this.#checksum = toLoad.previous
  }

  add(line: Line): void {
    if (this.#tornLine) this.#requireUnacknowledged(line, this.#tornLine)
    else this.#read(line)
  }

  finish(): JournalEnd {
    const { journal, isLast } = this.#toLoad
    if (this.#lines === 0 && !isLast) throw this.#damaged(1, 'the file is empty.')
    return {
      number: journal.number,
      checksum: this.#checksum,
      changes: Math.max(0, this.#lines - 1),
      bytes: this.#bytes,
      tornBytes: journal.bytes - this.#bytes,
    }
  }

  #read(line: Line): void {
    const opened = line.isWhole ? openLine(this.#checksum, line.bytes) : undefined
    if (!opened) {
      requireOwnForm(this.#toLoad.journal.name, line, this.#checksum)
      this.#requireTorn(line)
      this.#tornLine = line.number
      return
    }
    this.#checksum = opened.checksum
    this.#bytes += line.bytes.length + 1
    this.#lines = line.number
    this.#take(line.number, opened.elements)
  }

  #requireTorn(line: Line): void {
    const isTorn = this.#toLoad.isLast && (!line.isWhole || isUnwritten(line))
    if (!isTorn) throw this.#damaged(line.number, 'it is not what was written.')
  }

  // A power loss may leave a hole anywhere in the last batch; a later batch proves that this one was durable.
  #requireUnacknowledged(line: Line, tornLine: number): void {
    if (opensBatch(line)) throw this.#damaged(tornLine, 'it is not all there.')
  }

  #take(number: number, elements: readonly unknown[]): void {
    if (number === 1) this.#requireHeader(elements[0] as JournalHeader)
    else for (const change of elements[1] as readonly JournalChange[]) this.#apply(change)
  }

  #apply([name, record, key]: JournalChange): void {
    const collection = this.#toLoad.collections[name]
    if (!collection) throw unknownKind(this.#toLoad.journal.name, this.#lines, name)
    if (record === null) collection.unload(key ?? '')
    else collection.load(record as never, this.#toLoad.pool)
  }

  #requireHeader({ format, version, number }: JournalHeader): void {
    const { name } = this.#toLoad.journal
    if (format === journalFormat && isNewer(version, formatVersion)) throw madeByNewer(name)
    const isKnown = format === journalFormat && version === formatVersion
    if (isKnown && number === this.#toLoad.journal.number) return
    throw this.#damaged(1, 'this is no journal of that number in a form that this program knows.')
  }

  #damaged(line: number, what: string) {
    return damagedLine(this.#toLoad.journal.name, line, what)
  }
}

export function unknownKind(file: string, line: number, kind: string): Problem {
  return madeByNewer(`A record of the kind ${kind} in ${file}, line ${line},`)
}

// Blocks that a disk never got to write read as zeros, which JSON never holds.
function isUnwritten({ bytes }: Line): boolean {
  return bytes.includes(0)
}

function opensBatch({ bytes }: Line): boolean {
  return bytes.toString('latin1', bodyAt, bodyAt + 2) === '1,'
}
