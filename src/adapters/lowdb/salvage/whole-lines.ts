import { isNewer, madeByNewer } from '../../newer-form.ts'
import { nameOf } from '../check-store.ts'
import type { JournalChange } from '../journal.ts'
import { chainStart, formatVersion, type Line, openLine } from '../lines.ts'
import type { SnapshotHeader } from '../snapshot.ts'
import { StringPool } from '../table.ts'
import { Tables } from '../tables.ts'

/** What could not be salvaged of a file. */
export interface LostLine {
  readonly file: string
  /** null for what is missing as a whole. */
  readonly line: number | null
  readonly reason: string
  /** As many as can still be read in it. */
  readonly ids: readonly string[]
}

const checksums = /\["([\w-]{16})",/g
const idFields = /"(?:\w+Id|id|kid)":"([\w-]{1,64})"/g
const mostIds = 100

/**
 * Applies every line that is proven: its checksum fits itself together with the checksum that stands in the line before.
 * That holds behind a damaged line, too, as long as the checksum of that line can be read. Lines hold whole records, so
 * each proven line is right by itself, whatever was lost before it.
 */
export class WholeLines {
  readonly tables = new Tables()
  readonly lost: LostLine[] = []
  readonly #pool = new StringPool()
  readonly #changed = new Map<string, number>()
  readonly #lostAt: number[] = []
  /** What the line before may have ended with. */
  #previous = new Set([chainStart])
  /** What the first line of a file may continue. */
  readonly #starts = new Set([chainStart])
  #position = 0
  #isInSnapshot = false

  add(file: string, line: Line): void {
    this.#position += 1
    const elements = line.isWhole ? this.#open(line) : undefined
    if (elements) this.#take(elements, `${file}, line ${line.number},`)
    else this.#lose(file, line, this.#reasonOf(line))
  }

  /** Of a whole file, or its end. */
  noteMissing(file: string, reason: string): void {
    this.#position += 1
    this.#note({ file, line: null, reason, ids: [] })
  }

  /** Whether the last snapshot has its end. */
  get isInSnapshot(): boolean {
    return this.#isInSnapshot
  }

  /** Counts upwards with each proven change. */
  changedAt(record: string): number {
    return this.#changed.get(record) ?? 0
  }

  /** With the records that a lost line names and that were proven before it only: they may be older than they were. */
  lostLines(): readonly (LostLine & { readonly older: readonly string[] })[] {
    const names = Object.keys(this.tables.counts())
    const kept = new Set(this.lost.length > 0 ? this.#records() : [])
    return this.lost.map((lost, index) => {
      const at = this.#lostAt[index] ?? 0
      const isOlder = (record: string) => {
        const changed = this.#changed.get(record) ?? 0
        return changed > 0 && changed < at && kept.has(record)
      }
      const records = names.flatMap((name) => lost.ids.map((id) => `${name} ${id}`))
      return { ...lost, older: records.filter(isOlder) }
    })
  }

  *#records(): Generator<string> {
    for (const table of this.tables.all()) {
      for (const record of table.values()) yield `${table.collection.name} ${nameOf(table, record)}`
    }
  }

  #open({ bytes }: Line): readonly unknown[] | undefined {
    for (const previous of [...this.#previous, ...this.#starts]) {
      const opened = openLine(previous, bytes)
      if (!opened) continue
      this.#previous = new Set([opened.checksum])
      return opened.elements
    }
    return undefined
  }

  #lose(file: string, { number, bytes }: Line, reason: string): void {
    const text = bytes.toString('utf8')
    for (const [, checksum = ''] of text.matchAll(checksums)) this.#previous.add(checksum)
    const ids = new Set([...text.matchAll(idFields)].map(([, id = '']) => id))
    this.#note({ file, line: number, reason, ids: [...ids].slice(0, mostIds) })
  }

  #note(lost: LostLine): void {
    this.lost.push(lost)
    this.#lostAt.push(this.#position)
  }

  #reasonOf({ bytes, isWhole }: Line): string {
    if (!isWhole) return 'it was cut off.'
    try {
      JSON.parse(bytes.toString('utf8'))
      return 'its checksum does not fit: it was changed, or a line before it is missing.'
    } catch {
      return 'it is not what was written.'
    }
  }

  #take(elements: readonly unknown[], where: string): void {
    const [first, second] = elements
    if (typeof first === 'number') {
      for (const change of second as readonly JournalChange[]) this.#apply(change, where)
    } else if (typeof first === 'string') {
      for (const record of second as readonly object[]) {
        this.#apply([first, record], where)
      }
    } else {
      this.#takeFrame(first as object, where)
    }
  }

  #takeFrame(frame: object, where: string): void {
    if ('counts' in frame) this.#isInSnapshot = false
    if (!('format' in frame)) return
    if ('version' in frame && isNewer(frame.version, formatVersion)) throw madeByNewer(where)
    if (!('previous' in frame)) return
    this.#isInSnapshot = true
    this.#starts.add((frame as SnapshotHeader).previous)
  }

  #apply([name, record, removed]: JournalChange, where: string): void {
    const table = this.tables.named(name)
    if (!table) throw madeByNewer(`A record of the kind ${name} in ${where}`)
    this.#changed.set(`${name} ${record ? nameOf(table, record) : removed}`, this.#position)
    if (record === null) table.unload(removed)
    else table.load(record, this.#pool)
  }
}
