import { getBorderCharacters, table } from 'table'

export type Cell = string | number | boolean | null | undefined

/** Columns apart by two spaces, without lines: readable for people, and for awk. */
const plain = {
  border: { ...getBorderCharacters('void'), bodyJoin: '  ' },
  columnDefault: { paddingLeft: 0, paddingRight: 0 },
  drawHorizontalLine: () => false,
}

/** `rows` as wide as they need; one column for each name in `columns`. */
export function renderTable<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => Cell>>,
): string {
  const cells = Object.values(columns)
  const lines = rows.map((row) => cells.map((cell) => textOf(cell(row))))
  return render([Object.keys(columns), ...lines])
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
  // What others have written, as the reason of a partner, must not move the cursor of a terminal.
  return String(cell).replace(/[^\P{Cc}\n]/gu, ' ')
}
