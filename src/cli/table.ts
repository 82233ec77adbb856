import { getBorderCharacters, table } from 'table'
import { escapeToOneLine } from '../domain/text.ts'

export type Cell = string | number | boolean | null | undefined

/** Two spaces between columns and no lines, so that awk can read a table, too. */
const plain = {
  border: { ...getBorderCharacters('void'), bodyJoin: '  ' },
  columnDefault: { paddingLeft: 0, paddingRight: 0 },
  drawHorizontalLine: () => false,
}

export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

export function renderTable<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  return render([Object.keys(columns), ...linesOf(rows, columns)])
}

/** The first batch sets the widths of the columns. */
export async function* renderTableInParts<Row>(
  batches: AsyncIterable<readonly Row[]>,
  columns: Columns<Row>,
): AsyncGenerator<string> {
  let widest: readonly string[] | undefined
  for await (const rows of batches) {
    const lines = linesOf(rows, columns)
    if (widest) {
      // A hidden line keeps the columns as wide as in the first batch.
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
  // The text must be final before widths are counted. A line break makes a cell of two lines.
  return String(cell).split('\n').map(escapeToOneLine).join('\n')
}
