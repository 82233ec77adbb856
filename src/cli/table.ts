import { getBorderCharacters, table } from 'table'
import { showOnOneLine } from '../domain/hidden-characters.ts'

export type Cell = string | number | boolean | null | undefined

/** Columns apart by two spaces, without lines: readable for people, and for awk. */
const plain = {
  border: { ...getBorderCharacters('void'), bodyJoin: '  ' },
  columnDefault: { paddingLeft: 0, paddingRight: 0 },
  drawHorizontalLine: () => false,
}

export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

/** `rows` as wide as they need; one column for each name in `columns`. */
export function renderTable<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  return render([Object.keys(columns), ...linesOf(rows, columns)])
}

/** The same of rows that come in batches: the first one says how wide the columns are. */
export async function* renderTableInParts<Row>(
  batches: AsyncIterable<readonly Row[]>,
  columns: Columns<Row>,
): AsyncGenerator<string> {
  let widest: readonly string[] | undefined
  for await (const rows of batches) {
    const lines = linesOf(rows, columns)
    if (widest) {
      // A line that is as wide as the first ones were, and is not shown.
      const shown = render([[...widest], ...lines])
      yield shown.slice(shown.indexOf('\n') + 1)
    } else {
      const head = Object.keys(columns)
      widest = widestOf([head, ...lines])
      yield render([head, ...lines])
    }
  }
  if (!widest) yield renderTable([], columns)
}

function linesOf<Row>(rows: readonly Row[], columns: Columns<Row>): string[][] {
  const cells = Object.values(columns)
  return rows.map((row) => cells.map((cell) => textOf(cell(row))))
}

function widestOf(lines: readonly string[][]): string[] {
  const [head = []] = lines
  return head.map((_, column) => {
    const parts = lines.flatMap((line) => line[column]?.split('\n') ?? [])
    return parts.reduce((left, right) => (right.length > left.length ? right : left), '')
  })
}

/** One thing: a name and a value on each line. */
export function renderFields(fields: Readonly<Record<string, Cell>>): string {
  return render(Object.entries(fields).map(([name, value]) => [name, textOf(value)]))
}

function render(lines: readonly string[][]): string {
  if (lines.length === 0) return ''
  return table(lines, plain).replace(/ +$/gm, '').trimEnd()
}

function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return '-'
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  // Before widths are counted. A line end makes a cell of two lines.
  return String(cell).split('\n').map(showOnOneLine).join('\n')
}
