// Cooperatives as rows of a sheet. A cooperative with several projects has several rows with its key.
import {
  affiliations,
  dividendTypes,
  energyCategories,
} from '../../domain/cooperatives/cooperative.ts'
import { isSameText } from '../../domain/text.ts'
import { type Cell, CellFault, type PlainCell, ShownNumber } from './cell.ts'
import type { Fault, LocatedDocument, Path } from './located-document.ts'
import { fileProblem } from './read-file.ts'
import { letterOf, type Sheet, type SheetColumn } from './spreadsheet.ts'

const text = (name: string, choices?: readonly string[]) =>
  ({ name, kind: 'text', ...(choices && { choices }) }) as const
const amount = (name: string) => ({ name, kind: 'amount', units: ['€', 'EUR', 'Euro'] }) as const
const number = (name: string, units: readonly string[]) =>
  ({ name, kind: 'number', units }) as const
const flag = (name: string) => ({ name, kind: 'flag', choices: ['TRUE', 'FALSE'] }) as const
const date = (name: string) => ({ name, kind: 'date' }) as const

const requiredColumns = ['key', 'name', 'energy_category', 'share_price']

const ownColumns: readonly SheetColumn[] = [
  text('key'),
  text('name'),
  flag('published'),
  text('energy_category', energyCategories),
  amount('share_price'),
  amount('share_value'),
  amount('entry_fee'),
  number('minimum_shares', ['Anteile', 'Stück', 'shares']),
  text('dividend_type', dividendTypes),
  number('dividend_rate_percent', ['%']),
  text('description'),
  text('city'),
  text('postal_code'),
  text('website_url'),
  text('energy_type'),
  flag('bafa_funded'),
  text('affiliation', affiliations),
  number('latitude', ['°']),
  number('longitude', ['°']),
  text('creditor_name'),
  text('creditor_id'),
  text('creditor_iban'),
  number('creditor_notice_days', ['days', 'Tage']),
  number('creditor_lead_days', ['days', 'Tage']),
  text('id'),
]

/** Fields that consist of parts: the column of each part. */
const parts = {
  coordinates: { latitude: 'latitude', longitude: 'longitude' },
  creditor: {
    name: 'creditor_name',
    creditor_id: 'creditor_id',
    iban: 'creditor_iban',
    notice_days: 'creditor_notice_days',
    lead_days: 'creditor_lead_days',
  },
} as const satisfies Record<string, Record<string, string>>

type WithParts = keyof typeof parts
const withParts = Object.keys(parts) as WithParts[]

const columnsOf = (field: WithParts): readonly (readonly [part: string, column: string])[] =>
  Object.entries(parts[field])

/** The path in a definition of the field that has this column. */
function pathOf(column: string): readonly string[] {
  for (const field of withParts) {
    const found = columnsOf(field).find(([, name]) => name === column)
    if (found) return [field, found[0]]
  }
  return [column]
}

const projectPrefix = 'project_'

/** The columns of a project, without the prefix that they have in a sheet. */
const projectColumns: readonly SheetColumn[] = [
  text('name'),
  text('type'),
  text('energy_category', energyCategories),
  text('city'),
  number('capacity_kw', ['kW', 'kWp']),
  number('annual_yield_mwh', ['MWh', 'MWh/a']),
  number('co2_savings_tons', ['t', 't/a', 'tCO2', 'tCO₂']),
  date('commissioned_on'),
  text('id'),
]

export const cooperativeColumns: readonly SheetColumn[] = [
  ...ownColumns,
  ...projectColumns.map((column) => ({ ...column, name: projectPrefix + column.name })),
]

interface Definition extends Fields {
  readonly projects?: readonly Fields[]
}

interface Fields {
  readonly [name: string]: unknown
}

/** One row for each project, and one for a cooperative without projects. */
export function rowsOf(definitions: readonly object[]): PlainCell[][] {
  return definitions.flatMap((given) => {
    const definition = given as Definition
    const { projects = [] } = definition
    const valueIn = ({ name }: SheetColumn) =>
      pathOf(name).reduce<unknown>((value, key) => (value as Fields | null)?.[key], definition)
    const lines = projects.length === 0 ? [{}] : projects
    return lines.map((project, index) => [
      ...ownColumns.map((column) =>
        index === 0 || column.name === 'key' ? toCell(column, valueIn(column)) : null,
      ),
      ...projectColumns.map((column) => toCell(column, (project as Fields)[column.name])),
    ])
  })
}

function toCell({ kind }: SheetColumn, value: unknown): PlainCell {
  if (kind === 'date' && typeof value === 'string') return new Date(`${value}T00:00:00Z`)
  // An amount with more digits than a spreadsheet number stays a text.
  if (kind === 'amount' && Number(value).toFixed(2) === value && value.length <= 15)
    return Number(value)
  return (value ?? null) as PlainCell
}

interface CooperativeTable extends LocatedDocument {
  readonly value: readonly object[]
  /** For example `catalogue.xlsx: row 4, column C (share_price)`. */
  placeOf(path: Path): string
  /** The cells that cannot be read. */
  readonly faults: readonly Fault[]
}

interface Column extends SheetColumn {
  readonly at: number
}

/** Columns that the sheet does not have are left out of the definitions. @param most where the search for faults stops */
export function readCooperativeTable(sheet: Sheet, most: number): CooperativeTable {
  const columns = readHeader(sheet)
  const groups = groupRows(sheet, columns)
  const faults: Fault[] = []
  const all = [...groups.values()]
  const value: object[] = []
  for (const [index, group] of all.entries()) {
    if (faults.length >= most) break
    const found: Fault[] = []
    value.push(readDefinition({ sheet, columns, faults: found }, group))
    faults.push(...found.map(({ path, fault }) => ({ path: [index, ...path], fault })))
  }
  const place = (path: Path) => findPlace(all, columns, path)
  return {
    file: sheet.file,
    value,
    faults,
    lineOf: (path) => place(path).row,
    placeOf: (path) => {
      const { row, column } = place(path)
      const suffix = column ? `, column ${letterOf(column.at)} (${column.name})` : ''
      return `${sheet.file}: row ${row}${suffix}`
    },
  }
}

function readHeader({ file, rows, choice }: Sheet): ReadonlyMap<string, Column> {
  const columns = new Map<string, Column>()
  const faults: string[] = []
  for (const [at, cell] of (rows[0] ?? []).entries()) {
    const name = String(cell ?? '')
      .trim()
      .toLowerCase()
    const known = cooperativeColumns.find((column) => column.name === name)
    const place = `${file}: row 1, column ${letterOf(at)}`
    if (columns.has(name)) faults.push(`${place}: the column ${name} occurs twice`)
    else if (known) columns.set(name, { ...known, at })
    else if (cell !== null) faults.push(`${place}: is not the name of a column`)
    else if (rows.some((row) => row[at] != null)) faults.push(`${place}: the column has no name`)
  }
  const hasProjects = [...columns.keys()].some((name) => name.startsWith(projectPrefix))
  const needed = hasProjects ? [...requiredColumns, ...neededForProjects] : requiredColumns
  const missing = needed.filter((name) => !columns.has(name))
  if (missing.length > 0) faults.push(`${file}: row 1: has no column ${missing.join(', ')}`)
  if (faults.length > 0) {
    const hint = '`coopshare cooperative export -o xlsx` shows the names of all columns.'
    throw fileProblem([...faults, ...(choice === undefined ? [] : [choice]), hint])
  }
  return columns
}

/** The projects of a cooperative are replaced as a whole, so no part may be missing. */
const neededForProjects = projectColumns
  .map(({ name }) => projectPrefix + name)
  .filter((name) => name !== 'project_id')

const requiredInProjects = ['project_name', 'project_type', 'project_energy_category']

interface Group {
  readonly key: string
  /** Indexes of rows. The first one has the fields of the cooperative. */
  readonly rows: readonly number[]
  /** Indexes of rows with a project. */
  readonly projects: readonly number[]
}

/**
 * Groups the rows by key, in the order of the sheet. A person may have sorted the sheet, so the fields can be in any
 * row of the key.
 */
function groupRows(sheet: Sheet, columns: ReadonlyMap<string, Column>): ReadonlyMap<string, Group> {
  const byKey = new Map<string, number[]>()
  const faults: string[] = []
  const isFilled = (row: number, names: readonly string[]) =>
    names.some((name) => cellOf(sheet, row, columns.get(name)) !== null)
  const own = ownColumns.map(({ name }) => name).filter((name) => name !== 'key')
  const ofProjects = projectColumns.map(({ name }) => projectPrefix + name)
  for (const [row, cells] of sheet.rows.entries()) {
    if (row === 0 || cells.every((cell) => cell === null)) continue
    const surplus = cells.findIndex(
      (cell, at) => cell !== null && at >= (sheet.rows[0]?.length ?? 0),
    )
    if (surplus >= 0) {
      faults.push(
        `${sheet.file}: row ${row + 1}, column ${letterOf(surplus)}: is beyond the last column: put text that contains the delimiter in quotation marks`,
      )
    }
    const key = readText(cellOf(sheet, row, columns.get('key')))
    if (typeof key === 'string') {
      const usual = key.normalize('NFC')
      const rows = byKey.get(usual)
      if (rows) rows.push(row)
      else byKey.set(usual, [row])
    } else {
      const fault = key?.fault ?? 'must not be blank: each row of a cooperative has its key'
      faults.push(
        `${sheet.file}: row ${row + 1}, column ${letterOf(columns.get('key')?.at ?? 0)} (key): ${fault}`,
      )
    }
  }
  if (faults.length > 0) throw fileProblem(faults)
  return new Map(
    [...byKey].map(([key, rows]) => {
      const main = rows.find((row) => isFilled(row, own)) ?? rows[0] ?? 0
      const projects = rows.filter((row) => isFilled(row, ofProjects))
      return [key, { key, rows: [main, ...rows.filter((row) => row !== main)], projects }]
    }),
  )
}

/** Nobody sees the spaces around a chosen value, so they are not part of it. */
function cellOf({ rows }: Sheet, row: number, column: Column | undefined): Cell {
  const cell = (column && rows[row]?.[column.at]) ?? null
  return column?.choices && typeof cell === 'string' ? cell.trim() || null : cell
}

function findPlace(
  groups: readonly Group[],
  columns: ReadonlyMap<string, Column>,
  [index, name, position, field]: Path,
): { readonly row: number; readonly column: Column | undefined } {
  const group = groups[Number(index)]
  const [main = 0] = group?.rows ?? []
  if (name === 'projects' && position !== undefined) {
    const row = group?.projects[Number(position)] ?? main
    return { row: row + 1, column: columns.get(projectPrefix + String(field ?? 'name')) }
  }
  if (name === undefined) return { row: main + 1, column: undefined }
  const [own] = ownColumns.filter((column) => {
    const [field, part = position] = pathOf(column.name)
    return field === name && (position === undefined || part === position)
  })
  return { row: main + 1, column: own && columns.get(own.name) }
}

interface Reading {
  readonly sheet: Sheet
  readonly columns: ReadonlyMap<string, Column>
  /** The faults of the cooperative that is being read. */
  readonly faults: Fault[]
}

function readDefinition(reading: Reading, { rows, projects }: Group): object {
  const [main = 0, ...others] = rows
  refuseOtherValues(reading, main, others)
  const fields = readFields(reading, main)
  const joined: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    const [field = '', part] = pathOf(name)
    if (part === undefined) joined[field] = value
    else joined[field] = joinPart(joined[field], part, value)
  }
  const hasProjects = reading.columns.has(`${projectPrefix}name`)
  return {
    ...joined,
    ...(hasProjects && { projects: projects.map((row, at) => readFields(reading, row, at)) }),
  }
}

/** A field has no value if none of its parts has one. */
function joinPart(joined: unknown, part: string, value: unknown): object | null {
  if (value === null) return (joined as object | undefined) ?? null
  return { ...(joined as object | null), [part]: value }
}

/**
 * Reads the fields whose columns the sheet has.
 * @param project position among the projects; without it, the fields are those of the cooperative
 */
function readFields(
  { sheet, columns, faults }: Reading,
  row: number,
  project?: number,
): Record<string, unknown> {
  const isProject = project !== undefined
  const fields: Record<string, unknown> = {}
  for (const { name } of isProject ? projectColumns : ownColumns) {
    const column = columns.get(isProject ? projectPrefix + name : name)
    if (!column) continue
    const cell = cellOf(sheet, row, column)
    const isRequired =
      requiredColumns.includes(column.name) || requiredInProjects.includes(column.name)
    const value =
      cell === null && isRequired
        ? new CellFault('must not be blank')
        : readCell(column, cell, sheet.decimalMark)
    const path = isProject ? ['projects', project, name] : pathOf(name)
    if (value instanceof CellFault) faults.push({ path, fault: value.fault })
    fields[name] = value instanceof CellFault ? null : value
  }
  return fields
}

function refuseOtherValues(
  { sheet, columns, faults }: Reading,
  main: number,
  others: readonly number[],
): void {
  for (const { name } of ownColumns) {
    const column = columns.get(name)
    const first = cellOf(sheet, main, column)
    const other = others.find((row) => {
      const cell = cellOf(sheet, row, column)
      return cell !== null && !isSameText(String(cell), String(first))
    })
    if (other === undefined) continue
    const fault = `differs from row ${other + 1} with the same key: fill in the fields of a cooperative only once`
    faults.push({ path: [name], fault })
  }
}

function readCell(column: Column, cell: Cell, mark: Sheet['decimalMark']): unknown {
  if (cell === null || cell instanceof CellFault) return cell
  switch (column.kind) {
    case 'text':
      return column.name === 'postal_code' && typeof cell === 'number' && cell < 10_000
        ? new CellFault('may have lost a zero: format the cell as text, and enter it again')
        : readText(cell)
    case 'amount':
      return readAmount(withoutUnit(cell, column))
    case 'number':
      return readNumber(withoutUnit(cell, column), mark)
    case 'flag':
      return flags[String(cell).trim().toLowerCase()] ?? cell
    case 'date':
      return readDate(cell)
  }
}

type FilledCell = Exclude<Cell, null | CellFault>

const isPercentage = new CellFault('is a percentage: enter a plain number')
const hasUnit = new CellFault(
  'has a unit or currency that does not belong to this column: enter a plain number',
)
const isDate = new CellFault('is a date: format the cell as a number, and enter it again')

/** A unit that the column has says nothing new; with any other one, the number means something else. */
function withoutUnit(cell: FilledCell, { units = [] }: SheetColumn): Exclude<Cell, null> {
  if (cell instanceof Date) return isDate
  const { value, unit } = cell instanceof ShownNumber ? cell : splitUnit(cell)
  if (unit === '' || units.some((own) => own.toLowerCase() === unit.toLowerCase())) return value
  return unit === '%' ? isPercentage : hasUnit
}

/** A text keeps the form of its number, which depends on the decimal mark. */
function splitUnit(cell: string | number | boolean) {
  const [, before = '', digits, after = ''] =
    /^([^\d+-]*?)\s*([+-]?\d[\d.,\s]*?)\s*(\D*)$/.exec(String(cell).trim()) ?? []
  return typeof cell !== 'string' || digits === undefined
    ? { value: cell, unit: '' }
    : { value: digits, unit: (before + after).replace(/\s/g, '') }
}

function readText(cell: Cell): string | CellFault | null {
  if (cell === null || typeof cell === 'string' || cell instanceof CellFault) return cell
  const isWhole = Number.isSafeInteger(cell) && Math.abs(Number(cell)) < mostDigits
  const digits = cell instanceof ShownNumber ? cell.digits : isWhole && String(cell)
  if (digits) return digits
  const what = cell instanceof Date ? 'a date' : 'a number or a boolean value'
  return new CellFault(`is ${what}: format the cell as text, and enter it again`)
}

/** A spreadsheet program keeps 15 digits of a number, and replaces the others by zeros. */
const mostDigits = 1e15

const ambiguous = (example: string) =>
  new CellFault(
    `can be read in two ways: write it without a thousands separator, such as ${example}`,
  )

function readAmount(cell: Exclude<Cell, null>): unknown {
  if (typeof cell === 'number') return Number(cell.toPrecision(15))
  if (typeof cell !== 'string') return cell
  const digits = cell.replace(/\s/g, '')
  if (/^\d+[.,]\d{1,2}$/.test(digits)) return digits.replace(',', '.')
  if (/^\d{1,3}(\.\d{3})+,\d{1,2}$/.test(digits))
    return digits.replaceAll('.', '').replace(',', '.')
  if (/^\d{1,3}(,\d{3})+\.\d{1,2}$/.test(digits)) return digits.replaceAll(',', '')
  return /^\d{1,3}([.,]\d{3})+$/.test(digits) ? ambiguous('1250.00') : digits
}

function readNumber(cell: Exclude<Cell, null>, mark: Sheet['decimalMark']): unknown {
  if (typeof cell !== 'string') return cell
  const digits = cell.trim()
  const [, other, decimals] = /^[+-]?\d+(?:([.,])(\d+))?$/.exec(digits) ?? []
  if (other === undefined) return /^[+-]?\d+$/.test(digits) ? Number(digits) : digits
  if (other !== mark && decimals?.length === 3) return ambiguous(`1250${mark}5`)
  return Number(digits.replace(',', '.'))
}

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  ja: true,
  wahr: true,
  1: true,
  false: false,
  no: false,
  nein: false,
  falsch: false,
  0: false,
}

/** Workbooks count days from here; an earlier one is the result of a formula, or a time. */
const firstDay = Date.UTC(1900, 0, 1)

function readDate(cell: FilledCell): unknown {
  if (cell instanceof Date) {
    return cell.getTime() >= firstDay
      ? cell.toISOString().slice(0, 10)
      : new CellFault('is not a date')
  }
  if (typeof cell !== 'string') return cell
  const [, day = '', month = '', year = ''] =
    /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(cell.trim()) ?? []
  if (day !== '') return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  // A strict workbook has dates as text.
  return cell.trim().replace(/T00:00:00(?:\.0+)?Z?$/, '')
}
