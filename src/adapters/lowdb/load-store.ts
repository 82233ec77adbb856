import { chainStart, openLine } from './chained-line.ts'
import { type Collections, createCollections } from './collections.ts'
import {
  formatVersion,
  type SnapshotFooter,
  type SnapshotHeader,
  snapshotFormat,
} from './line-forms.ts'
import { type JournalEnd, type LoadTarget, loadJournal, unknownKind } from './load-journal.ts'
import { type Line, readLines } from './read-lines.ts'
import {
  damaged,
  damagedLine,
  type NumberedFile,
  requireContiguous,
  type StoreFiles,
} from './store-files.ts'
import { StringPool } from './string-pool.ts'

export interface LoadedStore {
  readonly collections: Collections
  /** Where the next line goes. */
  readonly end: JournalEnd
}

/** Reads a snapshot and the journals after it, and checks every line of them. */
export async function loadStore(files: StoreFiles): Promise<LoadedStore> {
  requireContiguous(files)
  const target = { collections: createCollections(), pool: new StringPool() }
  let checksum = files.snapshot ? await loadSnapshot(files.snapshot, target) : chainStart
  let end: JournalEnd = { number: 0, checksum, bytes: 0, tornBytes: 0 }
  for (const journal of files.journals) {
    const isLast = journal === files.journals.at(-1)
    end = await loadJournal({ journal, isLast, previous: checksum, ...target })
    checksum = end.checksum
  }
  for (const collection of Object.values(target.collections)) requireUnique(collection)
  return { collections: target.collections, end }
}

function requireUnique(collection: Collections[keyof Collections]): void {
  const taken = collection.buildIndexes()
  if (taken) throw damaged(`Two records of ${collection.name} have the same ${taken}.`)
}

/** Returns the end of the chain that the first journal after it continues. */
async function loadSnapshot(file: NumberedFile, target: LoadTarget): Promise<string> {
  const reader = new SnapshotReader(file, target)
  await readLines(file, (line) => reader.add(line))
  return reader.finish()
}

class SnapshotReader {
  readonly #file: NumberedFile
  readonly #target: LoadTarget
  #checksum = chainStart
  #header: SnapshotHeader | undefined
  #footer: SnapshotFooter | undefined
  #lines = 0
  // A record that was removed and came back while the snapshot was written is in it twice.
  readonly #counts: Record<string, number> = {}

  constructor(file: NumberedFile, target: LoadTarget) {
    this.#file = file
    this.#target = target
  }

  add(line: Line): void {
    const opened = line.isWhole ? openLine(this.#checksum, line.bytes) : undefined
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
    else this.#load(elements[0] as keyof Collections, elements[1] as readonly never[])
  }

  #load(name: keyof Collections, records: readonly never[]): void {
    const collection = this.#target.collections[name]
    if (!collection) throw this.#damaged(this.#lines, unknownKind(name))
    for (const record of records) collection.load(record, this.#target.pool)
    this.#counts[name] = (this.#counts[name] ?? 0) + records.length
  }

  #requireHeader(header: SnapshotHeader): SnapshotHeader {
    const { format, version, journal } = header
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
