import { isNewer, madeByNewer } from '../newer-form.ts'
import {
  type JournalChange,
  type JournalEnd,
  type JournalHeader,
  journalFormat,
} from './journal.ts'
import {
  bodyAt,
  chainStart,
  formatVersion,
  type Line,
  openLine,
  readLines,
  requireOwnForm,
  unknownKind,
} from './lines.ts'
import { type OnRecords, readSnapshot } from './snapshot.ts'
import {
  damaged,
  damagedLine,
  type NumberedFile,
  requireContiguous,
  type StoreFiles,
} from './store-files.ts'
import { StringPool, type Table } from './table.ts'
import { type Collections, Tables } from './tables.ts'

export interface LoadedStore {
  readonly tables: Tables
  /** Where the next line goes. */
  readonly end: JournalEnd
}

/** Reads a snapshot and the journals after it, and checks every line of them. */
export async function loadStore(
  files: StoreFiles,
  collections?: Collections,
): Promise<LoadedStore> {
  requireContiguous(files)
  const target = { tables: new Tables(collections), pool: new StringPool() }
  let checksum = files.snapshot ? await readSnapshot(files.snapshot, loadInto(target)) : chainStart
  let end: JournalEnd = { number: 0, checksum, changes: 0, bytes: 0, tornBytes: 0 }
  for (const journal of files.journals) {
    const isLast = journal === files.journals.at(-1)
    end = await loadJournal({ journal, isLast, previous: checksum, ...target })
    checksum = end.checksum
  }
  for (const table of target.tables.all()) await requireUnique(table)
  return { tables: target.tables, end }
}

async function requireUnique(table: Table<object>): Promise<void> {
  const taken = await table.buildIndexes()
  if (taken) throw damaged(`Two records of ${table.collection.name} have the same ${taken}.`)
}

function loadInto({ tables, pool }: LoadTarget): OnRecords {
  return (name, records) => {
    const table = tables.named(name)
    if (!table) return false
    for (const record of records) table.load(record, pool)
    return true
  }
}

interface LoadTarget {
  readonly tables: Tables
  readonly pool: StringPool
}

interface JournalToLoad extends LoadTarget {
  readonly journal: NumberedFile
  /** Only the last journal can have been cut off: a new one is begun when the one before is durable. */
  readonly isLast: boolean
  readonly previous: string
}

async function loadJournal(toLoad: JournalToLoad): Promise<JournalEnd> {
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
    const table = this.#toLoad.tables.named(name)
    if (!table) throw unknownKind(this.#toLoad.journal.name, this.#lines, name)
    if (record === null) table.unload(key)
    else table.load(record, this.#toLoad.pool)
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

// Blocks that a disk never got to write read as zeros, which JSON never holds.
function isUnwritten({ bytes }: Line): boolean {
  return bytes.includes(0)
}

function opensBatch({ bytes }: Line): boolean {
  return bytes.toString('latin1', bodyAt, bodyAt + 2) === '1,'
}
