import type { CollectionName } from '../../ports/store-copy.ts'
import { isNewer, madeByNewer } from '../newer-form.ts'
import { chainStart, openLine } from './chained-line.ts'
import {
  formatVersion,
  type SnapshotFooter,
  type SnapshotHeader,
  snapshotFormat,
} from './line-forms.ts'
import { unknownKind } from './load-journal.ts'
import { requireOwnForm } from './own-form.ts'
import { type Line, readLines } from './read-lines.ts'
import { damagedLine, type NumberedFile } from './store-files.ts'

/** Returns whether the kind is one that this program knows. */
export type OnRecords = (collection: CollectionName, records: readonly object[]) => boolean

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
    else this.#load(elements[0] as CollectionName, elements[1] as readonly object[])
  }

  #load(name: CollectionName, records: readonly object[]): void {
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
