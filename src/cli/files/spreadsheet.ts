// Sheets in XLSX and CSV. Nothing is guessed silently: a value that can be read in two ways is a
// fault of its cell.
import { parseCsv, writeCsv } from 'hucre/csv'
import type { CellValue, ColumnDef, ReadOptions, Cell as SheetCell } from 'hucre/xlsx'
import { readXlsx, streamXlsxRows, writeXlsx } from 'hucre/xlsx'
import { isBlank } from '../../domain/text.ts'
import { type Cell, CellFault, type PlainCell } from './cell.ts'
import { dateFault, readShownNumber, textFault } from './number-format.ts'
import { decodeText, fileProblem } from './read-file.ts'

export interface Sheet {
  readonly file: string
  /** All rows of the sheet, including blank ones. */
  readonly rows: readonly (readonly Cell[])[]
  /** The decimal mark of numbers in text cells. */
  readonly decimalMark: '.' | ','
  /** Which sheet of a workbook this is, if the workbook has others. */
  readonly choice?: string
}

type SheetFormat = 'csv' | 'xlsx'

const zipMark = Buffer.from('PK\x03\x04', 'latin1')
/** The first bytes of old and of encrypted Excel files. */
const compoundMark = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])

/**
 * The name decides. Standard input has no name, so the content decides. Returns undefined if the file is not a sheet.
 */
export function sheetFormatOf(file: string, bytes: Buffer): SheetFormat | undefined {
  if (/\.(xlsx|xlsm|xls|ods)$/i.test(file)) return 'xlsx'
  if (/\.(csv|tsv|tab)$/i.test(file)) return 'csv'
  if (file !== '-') return undefined
  if (bytes.subarray(0, 4).equals(zipMark) || bytes.subarray(0, 4).equals(compoundMark))
    return 'xlsx'
  // Without the marks of UTF-8 and UTF-16, and the zeros between the letters of UTF-16.
  const start = bytes
    .subarray(0, 4096)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf|^\xff\xfe|^\xfe\xff/, '')
    .replaceAll('\0', '')
  const [header = ''] = withoutDelimiterLine(start).text.split(/[\r\n]/)
  const names = header.split(/[,;\t]/)
  return names.some((name) => /^"?key"?$/i.test(name.trim())) && names.length > 1
    ? 'csv'
    : undefined
}

/** Limits far above any catalogue. A small file could otherwise fill the memory. */
const largestSheet = { rows: 5000, columns: 100 }

/** @param mostMiB the largest size of a workbook, unpacked */
export async function readSheet(
  file: string,
  bytes: Buffer,
  { format, mostMiB }: { readonly format: SheetFormat; readonly mostMiB: number },
): Promise<Sheet> {
  return format === 'csv' ? readCsvSheet(file, bytes) : readXlsxSheet(file, bytes, mostMiB)
}

function requireSmallSheet(file: string, { rows, columns }: typeof largestSheet): void {
  const { rows: mostRows, columns: mostColumns } = largestSheet
  // The first row has the names of the columns.
  if (rows <= mostRows + 1 && columns <= mostColumns) return
  const fault = `has more than 5,000 rows or ${mostColumns} columns: split it, and remove what is far below or beside the table`
  throw fileProblem([`${file}: ${fault}`], 'PAYLOAD_TOO_LARGE')
}

/** Excel writes UTF-8, UTF-16 ("Unicode text") and, in the West, Windows-1252 (plain "CSV"). */
const csvEncoding = {
  orWindows: true,
  howToSave: 'save it as "CSV UTF-8", or in LibreOffice with the character set "Unicode (UTF-8)"',
}

function readCsvSheet(file: string, bytes: Buffer): Sheet {
  const { text, delimiter } = withoutDelimiterLine(decodeText(file, bytes, csvEncoding))
  const { rows: lines, isOpen } = scanCsv(text)
  requireSmallSheet(file, { rows: lines, columns: 0 })
  const records = parseCsv(text, { delimiter })
  const columns = records.reduce((most, { length }) => Math.max(most, length), 0)
  requireSmallSheet(file, { rows: records.length, columns })
  if (isOpen)
    throw fileProblem([`${file}: row ${records.length}: a quotation mark (") is not closed`])
  const rows = records.map((record) =>
    record.map((value) => {
      const cell = String(value ?? '')
      return readText(cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell)
    }),
  )
  return { file, rows, decimalMark: delimiter === ';' ? ',' : '.' }
}

/** Counts the rows much faster than the library. Each quotation mark opens, closes or is doubled. */
function scanCsv(text: string): { readonly rows: number; readonly isOpen: boolean } {
  let [rows, isOpen] = [0, false]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') isOpen = !isOpen
    else if (character === '\n' && !isOpen) rows++
  }
  return { rows, isOpen }
}

/** Excel takes the delimiter from such a first line, and shows the line to nobody. */
const delimiterLine = /^"?sep=([^\w\s"]|\t)"?[,;\t]*(?:\r\n|[\r\n]|$)/i

function withoutDelimiterLine(text: string): { readonly text: string; readonly delimiter: string } {
  const [line = '', delimiter] = delimiterLine.exec(text) ?? []
  const rest = text.slice(line.length)
  return { text: rest, delimiter: delimiter ?? delimiterOf(rest) }
}

/** Names of columns contain none of the delimiters. */
function delimiterOf(text: string): ',' | ';' | '\t' {
  const [header = ''] = /^[^\r\n]*/.exec(text) ?? []
  const count = (delimiter: string) => header.split(delimiter).length
  if (count(';') > count(',') && count(';') >= count('\t')) return ';'
  return count('\t') > count(',') ? '\t' : ','
}

/**
 * Spreadsheet programs calculate cells that begin with these characters, unless a mark comes first. Reading the
 * file removes a mark, so a text that already begins with such a mark gets another one.
 */
const formulaStart = /^'*[=+\-@\t\r]/
const plainNumber = /^[+-]?\d+(?:[.,]\d+)?$/

function toCsv(value: PlainCell): CellValue {
  if (typeof value !== 'string') return value
  return formulaStart.test(value) && !plainNumber.test(value) ? `'${value}` : value
}

/** What spreadsheet programs show and write, in English and German, in place of a value that they cannot show. */
const errorText =
  /^(?:#(?:N\/A|NV|(?:REF|BEZUG|VALUE|WERT|DIV\/0|NUM|ZAHL|NULL|SPILL|ÜBERLAUF|CALC|KALK)!|NAME\?|#*)|Err:\d{3})$/

const errorFault = new CellFault('contains an error of the spreadsheet program')
const lossFault = new CellFault(
  'has a replacement character (U+FFFD) where a program has lost a letter: enter the text again',
)

function readText(text: string): Cell {
  if (isBlank(text)) return null
  if (errorText.test(text)) return errorFault
  return text.includes('\ufffd') ? lossFault : text
}

async function readXlsxSheet(file: string, bytes: Buffer, mostMiB: number): Promise<Sheet> {
  if (bytes.subarray(0, 4).equals(compoundMark)) {
    throw fileProblem([
      `${file}: is an old or an encrypted workbook: save it as .xlsx, without a password`,
    ])
  }
  if (!isSmallArchive(bytes, mostMiB * 1024 * 1024)) {
    throw fileProblem([
      `${file}: is not an XLSX workbook of up to ${mostMiB} MiB unpacked: save it as .xlsx again`,
    ])
  }
  const refuse = () => {
    // The messages of the library name parts of the archive that users do not know.
    throw fileProblem([`${file}: cannot be read as an XLSX workbook: save it as .xlsx again`])
  }
  const all: SheetInfo[] = []
  await readXlsx(bytes, { sheets: (sheet) => all.push(sheet) === 0 }).catch(refuse)
  const index = all.findIndex(({ hidden, veryHidden }) => !hidden && !veryHidden)
  if (index < 0) throw fileProblem([`${file}: has no sheet that is shown`])
  const refuseChart = (error: Error) => {
    if (!error.message.includes(noCells)) return refuse()
    throw fileProblem([
      `${file}: sheet ${index + 1}, the first one that is shown, has no cells: move it behind the table`,
    ])
  }
  requireSmallSheet(file, await measure(bytes, index).catch(refuseChart))
  const { rows: most, columns } = largestSheet
  const range = `A1:${letterOf(columns)}${most + 2}`
  const options = { sheets: [index], range, readStyles: true }
  const { sheets } = await readXlsx(bytes, options).catch(refuse)
  const rows = sheets.flatMap(({ rows, cells }) =>
    rows.map((values, row) =>
      values.map((value, column) => fromXlsx(value, cells?.get(`${row},${column}`))),
    ),
  )
  const choice = `Of the ${all.length} sheets, only the first one that is shown is read: sheet ${index + 1}.`
  return { file, rows, decimalMark: '.', ...(all.length > 1 && { choice }) }
}

/** The library says so of a chart on a sheet of its own. */
const noCells = 'missing worksheet file'

type SheetInfo = Parameters<Extract<ReadOptions['sheets'], (...given: never) => boolean>>[0]

/** The library makes a cell for each place up to the last one, so one cell far away would cost a million others. */
async function measure(bytes: Buffer, sheet: number): Promise<typeof largestSheet> {
  const size = { rows: 0, columns: 0 }
  for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
    const last = values.findLastIndex(
      (value) => value !== null && !(typeof value === 'string' && isBlank(value)),
    )
    if (last < 0) continue
    size.rows = Math.max(size.rows, index + 1)
    size.columns = Math.max(size.columns, last + 1)
    if (size.rows > largestSheet.rows + 1) break
  }
  return size
}

function fromXlsx(value: CellValue, cell: SheetCell | undefined): Cell {
  if (cell?.type === 'error') return errorFault
  const format = cell?.style?.numFmt
  if (typeof value === 'string') {
    const text = readText(value)
    return (typeof text === 'string' && format && textFault(format)) || text
  }
  if (value instanceof Date) return (format && dateFault(format)) || value
  if (typeof value === 'number') {
    // Spreadsheet programs calculate with 15 digits and show no more.
    const number = cell?.formula === undefined ? value : Number(value.toPrecision(15))
    return format ? readShownNumber(number, format) : number
  }
  if (typeof value === 'boolean') return value
  return cell?.formula === undefined ? null : unsavedFault
}

const unsavedFault = new CellFault(
  'has a formula without a stored result: save the file in a spreadsheet program',
)

const endMark = 0x06054b50
const entryMark = 0x02014b50

/**
 * Adds up the unpacked sizes that the entries of a zip archive declare. The library unpacks no
 * entry beyond its declared size, but has no limit for an entry that declares none, so such entries
 * are refused.
 */
function isSmallArchive(bytes: Buffer, most: number): boolean {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || end + 22 > bytes.length || bytes.readUInt32LE(end) !== endMark) return false
  let offset = bytes.readUInt32LE(end + 16)
  let total = 0
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (offset + 46 > bytes.length || bytes.readUInt32LE(offset) !== entryMark) return false
    const [packed, unpacked] = [bytes.readUInt32LE(offset + 20), bytes.readUInt32LE(offset + 24)]
    const isPacked = bytes.readUInt16LE(offset + 10) !== 0
    if (isPacked && (packed === 0 || unpacked === 0)) return false
    total += unpacked
    if (total > most) return false
    const [name, extra, comment] = [28, 30, 32].map((at) => bytes.readUInt16LE(offset + at))
    offset += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return true
}

/** A column of a sheet that is written. */
export interface SheetColumn {
  readonly name: string
  /** Texts keep leading zeros, and amounts two decimals, when a person edits the sheet. */
  readonly kind: 'text' | 'amount' | 'number' | 'flag' | 'date'
  /** The values that a person can choose. */
  readonly choices?: readonly string[]
  /** What may be shown beside a number, without spaces. */
  readonly units?: readonly string[]
}

const formats: Readonly<Record<SheetColumn['kind'], string | undefined>> = {
  text: '@',
  amount: '0.00',
  number: undefined,
  flag: undefined,
  date: 'yyyy-mm-dd',
}

/** A file begins with the mark by which Excel recognizes UTF-8, and has the line ends of RFC 4180. */
export function renderCsv(
  columns: readonly SheetColumn[],
  rows: readonly PlainCell[][],
  reader?: 'for people',
): string {
  const header = columns.map(({ name }) => name)
  const days = (value: PlainCell) =>
    value instanceof Date ? value.toISOString().slice(0, 10) : value
  const lines = rows.map((row) => row.map((value) => toCsv(days(value))))
  const lineSeparator = reader ? '\n' : '\r\n'
  const text = writeCsv([header, ...lines], { delimiter: ',', lineSeparator })
  return reader ? text.trimEnd() : `\ufeff${text}`
}

export async function renderXlsx(
  columns: readonly SheetColumn[],
  rows: readonly PlainCell[][],
): Promise<Uint8Array> {
  const header = columns.map(({ name }) => name)
  const lines = rows.map((row) => row.map(toXlsx))
  const validations = columns.flatMap(({ choices }, column) => {
    const letter = letterOf(column)
    const range = `${letter}2:${letter}${rows.length + 1000}`
    return choices ? [{ type: 'list' as const, values: [...choices], allowBlank: true, range }] : []
  })
  return writeXlsx({
    sheets: [
      {
        name: 'cooperatives',
        columns: columns.map(({ kind }): ColumnDef => {
          const numFmt = formats[kind]
          return { width: 18, ...(numFmt !== undefined && { numFmt }) }
        }),
        rows: [header, ...lines],
        freezePane: { rows: 1, columns: 1 },
        dataValidations: validations,
      },
    ],
  })
}

function toXlsx(value: PlainCell): CellValue {
  // Readers of XLSX take `_x000D_` in a text for the character with this code.
  return typeof value === 'string' ? value.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_') : value
}

/** The name of a column in a spreadsheet: A to Z, then AA. */
export function letterOf(column: number): string {
  const rest = Math.floor(column / 26)
  const letter = String.fromCharCode(65 + (column % 26))
  return rest === 0 ? letter : letterOf(rest - 1) + letter
}
