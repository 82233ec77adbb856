import { madeByNewer } from '../../store-refusals.ts'
import {
  chainStart,
  type FileHeader,
  formatVersion,
  type Line,
  verifyLine,
} from '../checksummed-lines.ts'
import { applyLine } from '../load-store.ts'
import { Tables } from '../tables.ts'

/** A part of a file that could not be salvaged. */
export interface LostLine {
  readonly file: string
  /** null if the whole file is missing. */
  readonly line: number | null
  readonly reason: string
  /** The ids that can still be read in the line. */
  readonly ids: readonly string[]
}

const checksums = /\["([\w-]{16})",/g
const idFields = /"(?:\w+Id|id|kid)":"([\w-]{1,64})"/g
const maximumIds = 100

/**
 * Applies every line that is verified: its checksum matches that of the previous line. A line after
 * a damaged one can be verified if the checksum of the damaged line can still be read. Lines
 * contain whole records, so each verified line is correct whatever was lost before it.
 */
export class VerifiedLines {
  readonly tables = new Tables()
  readonly #lost: (LostLine & { readonly at: number })[] = []
  readonly #changed = new Map<string, number>()
  /** The checksums that the previous line may have had. */
  #previous = new Set([chainStart])
  /** The checksums that the first line of a file may continue. */
  readonly #starts = new Set([chainStart])
  #position = 0
  /** Whether the last snapshot has not ended yet. */
  #isInSnapshot = false

  add(file: string, line: Line): void {
    this.#position += 1
    const elements = line.isWhole ? this.#open(line) : undefined
    if (elements) this.#apply(elements, `${file}, line ${line.number},`)
    else this.#lose(file, line, this.#reasonOf(line))
  }

  /** Call this after the last line of a file. */
  endFile(file: string): void {
    if (this.#isInSnapshot) this.noteMissing(file, 'the end of the snapshot is missing.')
  }

  /** Notes a loss: a file or its end is missing. */
  noteMissing(file: string, reason: string): void {
    this.#position += 1
    this.#lost.push({ file, line: null, reason, ids: [], at: this.#position })
  }

  /** A number that grows with each verified change. */
  changedAt(record: string): number {
    return this.#changed.get(record) ?? 0
  }

  /** Adds the records that a lost line names and that have only older verified versions: they may be out of date. */
  lostLines(): readonly (LostLine & { readonly older: readonly string[] })[] {
    const names = Object.keys(this.tables.counts())
    const kept = new Set<string>()
    for (const table of this.#lost.length > 0 ? this.tables.all() : []) {
      for (const record of table.values()) kept.add(table.nameOf(record))
    }
    return this.#lost.map(({ at, ...lost }) => {
      const records = names.flatMap((name) => lost.ids.map((id) => `${name} ${id}`))
      const isOlder = (record: string) => {
        const changed = this.changedAt(record)
        return changed > 0 && changed < at && kept.has(record)
      }
      return { ...lost, older: records.filter(isOlder) }
    })
  }

  #open({ bytes }: Line): readonly unknown[] | undefined {
    for (const previous of [...this.#previous, ...this.#starts]) {
      const verified = verifyLine(previous, bytes)
      if (!verified) continue
      this.#previous = new Set([verified.checksum])
      return verified.elements
    }
    return undefined
  }

  #lose(file: string, { number, bytes }: Line, reason: string): void {
    const text = bytes.toString('utf8')
    for (const [, checksum = ''] of text.matchAll(checksums)) this.#previous.add(checksum)
    const ids = new Set([...text.matchAll(idFields)].map(([, id = '']) => id))
    const named = [...ids].slice(0, maximumIds)
    this.#lost.push({ file, line: number, reason, ids: named, at: this.#position })
  }

  #reasonOf({ bytes, isWhole }: Line): string {
    if (!isWhole) return 'it was cut off.'
    try {
      JSON.parse(bytes.toString('utf8'))
      return 'its checksum does not match: it was changed, or a line before it is missing.'
    } catch {
      return 'it was changed or damaged.'
    }
  }

  #apply(elements: readonly unknown[], where: string): void {
    const [frame] = elements
    if (typeof frame === 'object') this.#applyFrame(frame as FileHeader, where)
    else {
      for (const [name, record, removed] of applyLine(this.tables, elements, where)) {
        const table = this.tables.named(name)
        const called = table && record ? table.nameOf(record) : `${name} ${removed}`
        this.#changed.set(called, this.#position)
      }
    }
  }

  #applyFrame(frame: FileHeader | { readonly counts: object }, where: string): void {
    if ('counts' in frame) this.#isInSnapshot = false
    if (!('format' in frame)) return
    if (frame.version > formatVersion) throw madeByNewer(where)
    if (frame.previous === undefined) return
    this.#isInSnapshot = true
    this.#starts.add(frame.previous)
  }
}
