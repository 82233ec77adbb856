import Table from 'cli-table3'

export type Cell = string | number | boolean | null | undefined

const none = ''
/** Columns apart by two spaces, without lines: readable for people, and for awk. */
const plain = {
  chars: {
    top: none,
    'top-mid': none,
    'top-left': none,
    'top-right': none,
    bottom: none,
    'bottom-mid': none,
    'bottom-left': none,
    'bottom-right': none,
    left: none,
    'left-mid': none,
    mid: none,
    'mid-mid': none,
    right: none,
    'right-mid': none,
    middle: '  ',
  },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
}

/** `rows` as wide as they need; one column for each name in `columns`. */
export function renderTable<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => Cell>>,
): string {
  const table = new Table({ ...plain, head: Object.keys(columns) })
  const cells = Object.values(columns)
  table.push(...rows.map((row) => cells.map((cell) => textOf(cell(row)))))
  return trimmed(table.toString())
}

/** One thing: a name and a value on each line. */
export function renderFields(fields: Readonly<Record<string, Cell>>): string {
  const table = new Table(plain)
  table.push(...Object.entries(fields).map(([name, value]) => [name, textOf(value)]))
  return trimmed(table.toString())
}

function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return '-'
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return String(cell)
}

function trimmed(text: string): string {
  return text.replace(/ +$/gm, '')
}
