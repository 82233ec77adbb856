import { isKnownFormat, madeByNewer } from '../store-refusals.ts'
import {
  bodyAt,
  chainStart,
  type FileHeader,
  formatVersion,
  type JournalChange,
  type JournalEnd,
  type Line,
  readLines,
  verifyLine,
} from './checksummed-lines.ts'
import { readRecordedEnd, requireRecordedEnd } from './recorded-end.ts'
import {
  damaged,
  damagedLine,
  listFiles,
  missingJournals,
  type NumberedFile,
  type StoreFiles,
  selectStoreFiles,
  snapshotName,
} from './store-files.ts'
import { type Collections, Tables } from './tables.ts'

/** Reads the store in a directory. Refuses a store that has lost its last changes. */
export async function loadDirectory(directory: string, collections?: Collections) {
  const recorded = await readRecordedEnd(directory)
  const files = selectStoreFiles(await listFiles(directory))
  const { tables, end } = await loadStore(files, collections)
  requireRecordedEnd(directory, recorded, end)
  return { recorded, files, tables, end }
}

/**
 * Reads a snapshot and the journals after it, and checks every line. The next line is written at `end`. Torn bytes
 * after `end` belong to an interrupted write, which was never acknowledged.
 */
export async function loadStore(files: StoreFiles, collections?: Collections, running?: Tables) {
  const [missing] = missingJournals(files)
  if (missing) throw damaged(describeMissing(missing, files))
  const tables = new Tables(collections, running)
  const onLine: OnLine = (elements, where) => applyLine(tables, elements, where)
  let checksum = files.snapshot ? await readSnapshot(files.snapshot, onLine) : chainStart
  let end: JournalEnd = { number: 0, checksum, changes: 0, bytes: 0 }
  for (const journal of files.journals) {
    const isLast = journal === files.journals.at(-1)
    end = await readJournal(new Chain(journal, checksum, onLine), isLast)
    checksum = end.checksum
  }
  for (const table of tables.all()) {
    const taken = await table.buildIndexes()
    if (taken) throw damaged(`Two records of ${table.collection.name} have the same ${taken}.`)
  }
  const tornBytes = (files.journals.at(-1)?.bytes ?? 0) - end.bytes
  return { tables, end, tornBytes }
}

/** Journals are removed when a snapshot covers them, so without both it is unknown which of them was lost. */
function describeMissing(journal: string, { snapshot, journals: [first] }: StoreFiles): string {
  if (snapshot || !first || first.number === 1) return `${journal} is missing.`
  return `${snapshotName(first.number)} is missing, or all journals before ${first.name} are.`
}

/** Takes the elements of a verified line. `where` names the line at the beginning of a clause. */
type OnLine = (elements: readonly unknown[], where: string) => void

/** Applies a line: records of one collection from a snapshot, or changes of several collections from a journal. */
export function applyLine(
  tables: Tables,
  [first, second]: readonly unknown[],
  where: string,
): readonly JournalChange[] {
  const changes =
    typeof first === 'string'
      ? (second as readonly object[]).map((record) => [first, record] as const)
      : (second as readonly JournalChange[])
  for (const [name, record, removed] of changes) {
    const table = tables.named(name)
    if (!table) throw madeByNewer(`A record of the kind ${name} in ${where}`)
    if (record === null) table.unload(removed)
    else table.load(record)
  }
  return changes
}

/** Checks that the lines of a file follow from each other. */
class Chain {
  readonly file: NumberedFile
  readonly #onLine: OnLine
  checksum: string
  bytes = 0
  lines = 0
  header: FileHeader | undefined

  constructor(file: NumberedFile, previous: string, onLine: OnLine) {
    this.file = file
    this.checksum = previous
    this.#onLine = onLine
  }

  /** Returns false if the line was altered. */
  take(line: Line): boolean {
    const verified = line.isWhole ? verifyLine(this.checksum, line.bytes) : undefined
    if (!verified) {
      if (line.number === 1) requireOwnForm(this.file.name, line, this.checksum)
      return false
    }
    this.checksum = verified.checksum
    this.bytes += line.bytes.length + 1
    this.lines = line.number
    if (this.header) this.#onLine(verified.elements, `${this.file.name}, line ${line.number},`)
    else this.header = requireHeader(this.file, verified.elements[0] as FileHeader)
    return true
  }
}

function requireHeader({ name, kind, number }: NumberedFile, header: FileHeader): FileHeader {
  const form = { format: `coopshare-${kind}`, version: formatVersion }
  const isNumbered = (kind === 'journal' ? header.number : header.journal) === number
  if (isKnownFormat(header, form, name) && isNumbered) return header
  const what = `this is not a ${kind} of that number in a form that this program knows.`
  throw damagedLine(name, 1, what)
}

const ownForm = /^(.*"format":"coopshare-(?:journal|snapshot)","version":)(\d+)/

/**
 * The first line of a file may fail its checksum because a newer format computes it in another way.
 * If the checksum matches with our own version in its place, only the version was damaged.
 */
function requireOwnForm(name: string, { bytes }: Line, previous: string): void {
  const text = bytes.toString('utf8')
  const found = ownForm.exec(text)
  if (!found || Number(found[2]) <= formatVersion) return
  const own = Buffer.from(text.replace(ownForm, `$1${formatVersion}`))
  if (!verifyLine(previous, own)) throw madeByNewer(name)
}

const notWritten = 'it was changed or damaged.'

/** Checks every line. Returns the end of the chain, which the first journal after the snapshot continues. */
export async function readSnapshot(file: NumberedFile, onLine: OnLine): Promise<string> {
  const { name } = file
  let due: Readonly<Record<string, number>> | undefined
  // A record that was removed and added again while the snapshot was written is in the snapshot twice.
  const counts: Record<string, number> = {}
  const chain = new Chain(file, chainStart, (elements, where) => {
    if (elements.length === 1) {
      due = (elements[0] as { counts: typeof counts }).counts
      return
    }
    onLine(elements, where)
    const [collection, records] = elements as [string, readonly object[]]
    counts[collection] = (counts[collection] ?? 0) + records.length
  })
  await readLines(file, (line) => {
    if (due || !chain.take(line)) throw damagedLine(name, line.number, notWritten)
  })
  const { previous } = chain.header ?? {}
  if (!due || previous === undefined)
    throw damagedLine(name, chain.lines + 1, 'the end is missing.')
  for (const [collection, count] of Object.entries(due)) {
    const read = counts[collection] ?? 0
    if (read !== count)
      throw damagedLine(name, chain.lines, `it has only ${read} of ${count} ${collection}.`)
  }
  return previous
}

/** @param isLast only the last journal can be cut off: a new one begins when the previous one is durable */
async function readJournal(chain: Chain, isLast: boolean): Promise<JournalEnd> {
  const { file } = chain
  const { name, number } = file
  let tornAt: number | undefined
  await readLines(file, (line) => {
    if (tornAt !== undefined) {
      // A power loss may leave a gap only in the last batch: a later batch proves that the earlier ones were durable.
      const isNewBatch = line.bytes.toString('latin1', bodyAt, bodyAt + 2) === '1,'
      if (isNewBatch) throw damagedLine(name, tornAt, 'it is incomplete.')
    } else if (!chain.take(line)) {
      // Blocks that never reached the disk read as zeros, which JSON never contains.
      const isTorn = isLast && (!line.isWhole || line.bytes.includes(0))
      if (!isTorn) throw damagedLine(name, line.number, notWritten)
      tornAt = line.number
    }
  })
  const { checksum, bytes, lines } = chain
  if (lines === 0 && !isLast) throw damagedLine(name, 1, 'the file is empty.')
  return { number, checksum, changes: Math.max(0, lines - 1), bytes }
}
