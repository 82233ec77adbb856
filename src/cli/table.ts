import { styleText } from 'node:util'
import stringWidth from 'string-width'
import { getBorderCharacters, table } from 'table'
import { escapeToOneLine } from '../domain/text.ts'

export type Cell = string | number | boolean | null | undefined

/** Two spaces between columns and no lines, so that awk can read a table, too. */
const plain = {
  border: { ...getBorderCharacters('void'), bodyJoin: '  ' },
  columnDefault: { paddingLeft: 0, paddingRight: 0 },
  drawHorizontalLine: () => false,
}

/** Headings, each with a key of the row or a function that makes the cell. */
export type Columns<Row> = Readonly<Record<string, (keyof Row & string) | ((row: Row) => Cell)>>

interface TableStyle {
  /** Width of the terminal. Without it, nothing is shortened. */
  readonly width?: number | undefined
  /** Whether instants are in UTC instead of local time. */
  readonly isUtc?: boolean | undefined
  readonly hasColors?: boolean | undefined
}

const asStored: TableStyle = { isUtc: true }

export function renderTable<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  const cells = cellsOf(rows, columns)
  const lines = cells.map((line) => line.map((cell) => textOf(cell, asStored)))
  return render([Object.keys(columns), ...lines], { numeric: numericColumnsOf(cells) })
}

/** About the number of rows that a person reads in one go. */
const rowsOfScreen = 50

/** The first rows set the widths of the columns. */
export async function* renderTableInParts<Row>(
  batches: AsyncIterable<readonly Row[]>,
  columns: Columns<Row>,
  style = asStored,
): AsyncGenerator<string> {
  let plan: Plan | undefined
  for await (const rows of inScreens(batches)) {
    const cells = cellsOf(rows, columns)
    const lines = cells.map((line) => line.map((cell) => textOf(cell, style)))
    const head = Object.keys(columns)
    if (plan) {
      // A hidden line keeps the columns as wide as in the first batch.
      const shown = render([plan.widest, ...fit([head, ...lines], plan).slice(1)], {
        ...style,
        numeric: plan.numeric,
      })
      yield shown.slice(shown.indexOf('\n') + 1)
    } else {
      plan = { ...planOf([head, ...lines], style), numeric: numericColumnsOf(cells) }
      yield render(fit([head, ...lines], plan), { ...style, numeric: plan.numeric })
    }
  }
  if (!plan) yield renderTable([], columns)
}

/** Batches can be small, and the columns of a short table must be straight. */
async function* inScreens<Row>(
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let first: readonly Row[] | undefined = []
  for await (const rows of batches) {
    first = first && [...first, ...rows]
    if (!first) yield rows
    else if (first.length >= rowsOfScreen) {
      yield first
      first = undefined
    }
  }
  if (first && first.length > 0) yield first
}

function cellsOf<Row>(rows: readonly Row[], columns: Columns<Row>): unknown[][] {
  const cells = Object.values(columns).map((cell) =>
    typeof cell === 'string' ? (row: Row) => row[cell] : cell,
  )
  return rows.map((row) => cells.map((cell) => cell(row)))
}

/** In JSON, an amount is a text, and a table may add its currency. */
const amount = /^-?\d+\.\d{2}( [A-Z]{3})?$/

/** The columns that have only numbers and amounts, which stand to the right: digits of one value are below each other. */
function numericColumnsOf(lines: readonly (readonly unknown[])[]): ReadonlySet<number> {
  const columns = lines[0]?.map((_, column) => column) ?? []
  return new Set(
    columns.filter((column) => {
      const given = lines
        .map((line) => line[column])
        .filter((cell) => cell !== null && cell !== undefined)
      const isNumeric = (cell: unknown) =>
        typeof cell === 'number' || (typeof cell === 'string' && amount.test(cell))
      return given.length > 0 && given.every(isNumeric)
    }),
  )
}

type Line = readonly string[]

/** Shortens the cells of a table to the width of the terminal. */
interface Plan {
  readonly hasShortIds: boolean
  /** Maximum width of each column; infinite if nothing is cut off. */
  readonly limits: readonly number[]
  /** The widest cell of each column. */
  readonly widest: Line
  readonly numeric: ReadonlySet<number>
}

const unlimited = Number.POSITIVE_INFINITY
const uuid =
  /^([0-9a-f]{8})-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{4}([0-9a-f]{8})$/
const leastWidth = 8
/** Half of an amount or a time would be wrong, and a shorter id would find nothing. */
const indivisible =
  /^(-|\u2026?[0-9a-f]{8}\u2026?|\d{4}-\d\d-\d\d[ T][\d:.]+Z?|-?\d+(\.\d+)?( [A-Z]{3})?|\d+[dhms])$/

/** Ids become short first. If that is not enough, the widest texts are cut off. */
function planOf(lines: readonly Line[], { width = unlimited }: TableStyle): Omit<Plan, 'numeric'> {
  const hasShortIds = widthOf(widestOf(lines)) > width
  const shown = fit(lines, { hasShortIds, limits: [] })
  const widest = widestOf(shown)
  const widths = widest.map(stringWidth)
  const least = leastWidthsOf(shown)
  const limits = [...widths]
  while (sum(limits) + 2 * (limits.length - 1) > width) {
    const spare = limits.map((limit, column) => (limit > (least[column] ?? 0) ? limit : 0))
    const largest = Math.max(...spare)
    if (largest === 0) break
    limits[spare.indexOf(largest)] = largest - 1
  }
  const isCut = limits.map((limit, column) => limit < (widths[column] ?? 0))
  const plan = {
    hasShortIds,
    // Without a terminal, later rows may be wider than the first ones.
    limits: width === unlimited ? [] : limits,
    widest,
  }
  return isCut.includes(true) ? { ...plan, widest: widestOf(fit([widest], plan)) } : plan
}

function leastWidthsOf([head = [], ...lines]: readonly Line[]): number[] {
  return head.map((heading, column) => {
    const cells = lines.map((line) => line[column] ?? '')
    // The outcome of an operation can be the code of a refusal, which is longer than any state.
    const isState = stateHeadings.has(heading) && !cells.some((cell) => /[A-Z]/.test(cell))
    const isWhole = isState || cells.every((cell) => indivisible.test(cell))
    return isWhole ? Math.max(0, ...cells.map(stringWidth)) : leastWidth
  })
}

function widthOf(line: Line): number {
  return sum(line.map(stringWidth)) + 2 * (line.length - 1)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((left, right) => left + right, 0)
}

function fit(
  lines: readonly Line[],
  { hasShortIds, limits }: Pick<Plan, 'hasShortIds' | 'limits'>,
): Line[] {
  return lines.map((line) =>
    line.map((cell, column) => {
      const text = hasShortIds ? cell.replace(uuid, shortId) : cell
      return cutOff(text, limits[column] ?? unlimited)
    }),
  )
}

/** A UUID of version 7 begins with the time, so those of one minute begin alike. `readShortId` reads both forms. */
function shortId(_: string, begin: string, version: string, end: string): string {
  return version === '7' ? `…${end}` : `${begin}…`
}

/** Created only if a text is too long, because this takes 9 ms. */
let characters: Intl.Segmenter | undefined

function cutOff(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  characters ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  let shown = ''
  for (const { segment } of characters.segment(text)) {
    if (stringWidth(shown + segment) > width - 1) break
    shown += segment
  }
  return `${shown}…`
}

function widestOf(lines: readonly Line[]): string[] {
  const [head = []] = lines
  return head.map((_, column) => {
    const cells = lines.map((line) => line[column] ?? '')
    return cells.reduce(
      (left, right) => (stringWidth(right) > stringWidth(left) ? right : left),
      '',
    )
  })
}

export function renderFields(fields: Readonly<Record<string, Cell>>): string {
  return render(Object.entries(fields).map(([name, value]) => [name, linesOfText(value)]))
}

/** In a table, the second line of a text would look like another row. */
function linesOfText(value: Cell): string {
  if (typeof value !== 'string') return textOf(value, asStored)
  const lines = value.split('\n')
  return lines.map((line) => textOf(line, asStored)).join('\n')
}

interface Rendering {
  readonly hasColors?: boolean | undefined
  readonly numeric?: ReadonlySet<number>
}

function render(lines: readonly Line[], { hasColors, numeric = new Set() }: Rendering = {}) {
  if (lines.length === 0) return ''
  const shown = hasColors ? colored(lines) : lines
  const columns = [...numeric].map((column) => [column, { alignment: 'right' }] as const)
  return table(shown as string[][], { ...plain, columns: Object.fromEntries(columns) })
    .replace(/ +$/gm, '')
    .trimEnd()
}

const stateHeadings = new Set(['STATUS', 'STATE', 'OUTCOME'])

const stateColors: Readonly<Record<string, Parameters<typeof styleText>[0]>> = {
  submitted: 'yellow',
  approved: 'cyan',
  settled: 'green',
  rejected: 'red',
  cancelled: 'gray',
  pending: 'yellow',
  delivered: 'green',
  dead: 'red',
  signing: 'green',
  active: 'green',
  done: 'green',
  proposed: 'yellow',
  paused: 'yellow',
  disabled: 'gray',
  revoked: 'red',
  refused: 'red',
}

function colored([head = [], ...lines]: readonly Line[]): Line[] {
  const states = new Set(head.flatMap((name, column) => (stateHeadings.has(name) ? [column] : [])))
  const paint = (cell: string, column: number) => {
    const color = states.has(column) ? stateColors[cell] : undefined
    return color ? styleText(color, cell, { validateStream: false }) : cell
  }
  return [head, ...lines.map((line) => line.map(paint))]
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

function textOf(cell: unknown, { isUtc }: TableStyle): string {
  if (cell === null || cell === undefined) return '-'
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  if (Array.isArray(cell)) return escapeToOneLine(cell.join(' ')) || '-'
  if (typeof cell === 'object') return escapeToOneLine(JSON.stringify(cell))
  if (!isUtc && typeof cell === 'string' && instant.test(cell)) return localTime(cell)
  // The text must be final before widths are counted.
  return escapeToOneLine(String(cell))
}

export function localTime(timestamp: string): string {
  const at = new Date(timestamp)
  const two = (part: number) => String(part).padStart(2, '0')
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`
}

const secondsOfUnits = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const

/** The largest unit alone, such as `3d`. */
export function ageOf(timestamp: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(timestamp)) / 1000))
  const unit = secondsOfUnits.find(([, length]) => seconds >= length)
  return unit ? `${Math.floor(seconds / unit[1])}${unit[0]}` : `${seconds}s`
}
