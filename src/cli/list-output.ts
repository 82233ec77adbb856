import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { Flags, type Interfaces } from '@oclif/core'
import { invalid } from '../config/common-flags.ts'
import { maximumListLimit } from '../domain/page.ts'
import { type JsonSchema, nameOf } from '../wire/json-schema.ts'
import { type Answer, definitionsOf } from '../wire/view.ts'
import { limitFlag } from './arguments.ts'
import { hasColors, renderCsvInParts, renderJsonInParts, renderLinesInParts } from './output.ts'
import { waitForStopSignal } from './stop-signal.ts'
import { type Columns, renderTableInParts } from './table.ts'

const listGroup = 'LIST'

const formats = ['table', 'wide', 'csv', 'json', 'ndjson'] as const

/** The flags of every command that prints a list. */
export const listFlags = {
  output: Flags.option({
    char: 'o',
    options: formats,
    helpGroup: listGroup,
    description: 'Output format; wide has more columns and shortens no values. Default: table.',
  })(),
  columns: Flags.string({
    helpGroup: listGroup,
    helpValue: 'KEYS',
    description: 'Show these JSON keys, separated by commas.',
  }),
  sort: Flags.string({
    helpGroup: listGroup,
    helpValue: 'KEY',
    description: 'Sort by a JSON key; -KEY sorts in descending order.',
  }),
  limit: limitFlag({
    helpGroup: listGroup,
    description: 'Maximum number of results. Default for tables: 50.',
  }),
  watch: Flags.boolean({
    helpGroup: listGroup,
    description: 'Refresh the table every 2 seconds.',
  }),
  utc: Flags.boolean({ helpGroup: listGroup, description: 'Show UTC instead of local time.' }),
}

export type ListFlags = Partial<Interfaces.InferredFlags<typeof listFlags>>

export type Batches<Row> = AsyncIterable<readonly Row[]>

/** The parts of a request that `read` handles itself. */
export interface Asked {
  readonly sort?: string | undefined
  readonly limit?: number | undefined
}

/** The order for operations that sort by the time of creation, or by the time by which they filter. */
export function orderOf(sort: string): 'created_at' | '-created_at' {
  return sort.startsWith('-') ? '-created_at' : 'created_at'
}

export interface List<Row> {
  /** Called again for each refresh of `--watch`. */
  read(asked: Asked): Promise<Batches<Row> | readonly Row[]>
  readonly columns: Columns<Row>
  /** What a person can do next if there are no rows at all. */
  readonly empty: string
  /** Columns that only `-o wide` shows. */
  readonly wide?: Columns<Row>
  /**
   * The keys by which `read` sorts a list that can be long; undefined if the list is always short. This process sorts by
   * other keys, up to `sortedHere` rows of a long list.
   */
  readonly sorts?: readonly string[]
  /** Sums up the rows that are shown, for a line below the table. */
  sum?(): { add(rows: readonly Row[]): void; render(): string | undefined }
  /**
   * The number of all rows. If there is no such function, some rows after the last one shown are read and counted.
   */
  count?(): Promise<number>
}

interface Screen {
  show(parts: AsyncIterable<string>, hasColors: boolean): Promise<void>
  tell(message: string): void
  /** Called after each refresh of `--watch`, so that others can use the store meanwhile. */
  rest(): Promise<void>
}

/** Wrong flags are refused before the store is opened. */
export async function requireListFlags(
  flags: ListFlags,
  describe: () => Promise<Answer<never, unknown>>,
  filters: readonly string[],
): Promise<ListOutput> {
  const format = flags.json ? 'json' : (flags.output ?? 'table')
  if (flags.json && flags.output !== undefined && flags.output !== 'json') {
    throw invalid(`Give either --json or --output ${flags.output}.`)
  }
  const isTable = format === 'table' || format === 'wide'
  if (flags.watch && !isTable) throw invalid('--watch shows tables only: leave out --json and -o.')
  // The description takes a while to load.
  const isKeyed = flags.columns !== undefined || flags.sort !== undefined || format === 'csv'
  const keys: string[] = []
  if (isKeyed) {
    // The keys of a row as `--json` prints it.
    const { schema, views } = await describe()
    const { items = {} } = schema
    const { properties = {} }: JsonSchema =
      items.$ref === undefined ? items : (definitionsOf(views)[nameOf(items.$ref)] ?? {})
    keys.push(...Object.keys(properties))
  }
  const known = (key: string) => {
    if (keys.includes(key)) return key
    throw invalid(`No row has the key "${key}". Keys: ${keys.join(', ')}.`)
  }
  const columns = flags.columns?.split(',').map((key) => known(key.trim()))
  const sort =
    flags.sort && `${flags.sort.startsWith('-') ? '-' : ''}${known(flags.sort.replace(/^-/, ''))}`
  return { ...flags, format, isTable, keys, chosen: columns, sort, filters }
}

interface ListOutput extends ListFlags {
  readonly format: (typeof formats)[number]
  readonly isTable: boolean
  /** The keys of every row; empty if no key is needed. */
  readonly keys: readonly string[]
  readonly chosen: readonly string[] | undefined
  /** The filters that the user gave, as words of a command line. */
  readonly filters: readonly string[]
}

const pollIntervalMs = 2000

export async function showList<Row extends object>(
  output: ListOutput,
  list: List<Row>,
  screen: Screen,
): Promise<void> {
  if (!output.watch) return showOnce(output, list, screen)
  const over = new AbortController()
  void waitForStopSignal(over.signal).then(() => over.abort())
  let last: string | undefined
  while (!over.signal.aborted) {
    const parts: string[] = []
    const notes: string[] = []
    await showOnce(output, list, {
      ...screen,
      show: async (each) => void parts.push(...(await collect(each))),
      tell: (note) => notes.push(note),
    })
    await screen.rest()
    const look = [...parts, ...notes].join('\n')
    // A terminal shows the table again only if it has changed. The table also shows ages, which change.
    if (look !== last) {
      const clear = process.stdout.isTTY ? '\u001b[H\u001b[2J\u001b[3J' : ''
      await screen.show(Readable.from([clear + look]), true)
    }
    last = look
    await pause(pollIntervalMs, undefined, { signal: over.signal }).catch(() => {})
  }
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

async function showOnce<Row extends object>(
  output: ListOutput,
  list: List<Row>,
  screen: Screen,
): Promise<void> {
  const { format, keys, chosen, limit } = output
  if (output.isTable) return showTable(output, list, screen)
  const rows = take(await readSorted(output, list, limit), limit)
  const parts =
    format === 'csv'
      ? renderCsvInParts(rows, chosen ?? keys)
      : format === 'ndjson'
        ? renderLinesInParts(only(rows, chosen))
        : renderJsonInParts(only(rows, chosen))
  return screen.show(parts, false)
}

const tableLimit = 50
/** A list without its own count is counted up to this number. */
const countedOn = 1000

async function showTable<Row extends object>(
  output: ListOutput,
  list: List<Row>,
  screen: Screen,
): Promise<void> {
  const { limit = tableLimit, utc, format } = output
  const asked = Math.min(maximumListLimit, limit + (list.count ? 1 : countedOn))
  const sum = list.sum?.()
  let [count, more] = [0, 0]
  async function* firstRows() {
    let left = limit
    for await (const rows of await readSorted(output, list, asked)) {
      const shown = rows.slice(0, left)
      left -= shown.length
      count += shown.length
      more += rows.length - shown.length
      sum?.add(shown)
      if (shown.length > 0) yield shown
    }
  }
  const style = {
    width: format === 'table' && process.stdout.isTTY ? process.stdout.columns : undefined,
    isUtc: utc,
    hasColors: hasColors(process.stdout),
  }
  await screen.show(
    renderTableInParts(firstRows(), columnsOf(output, list), style),
    style.hasColors,
  )
  if (count === 0) screen.tell(describeEmpty(list, output.filters))
  const foot = sum?.render()
  if (foot !== undefined) screen.tell(more > 0 ? `Shown: ${foot}` : foot)
  if (more === 0) return
  const exact = list.count ? (await list.count()) - limit : more
  const number = !list.count && more >= countedOn ? `At least ${countedOn}` : String(exact)
  screen.tell(`${number} more. Use --limit, or -o csv, json or ndjson for all.`)
}

function describeEmpty({ empty }: Pick<List<never>, 'empty'>, filters: readonly string[]): string {
  if (filters.length === 0) return empty
  return `Nothing matches ${filters.join(' ')}. Leave out or change a filter.`
}

function columnsOf<Row extends object>(
  { chosen, format }: ListOutput,
  { columns, wide = {} }: List<Row>,
): Columns<Row> {
  const all: Columns<Row> = { ...columns, ...wide }
  if (!chosen) return format === 'wide' ? all : columns
  const headings = new Map(Object.entries(all).map(([heading, cell]) => [cell, heading]))
  return Object.fromEntries(
    chosen.map((key) => {
      const heading = headings.get(key as keyof Row & string)
      return [heading ?? key.replaceAll('_', ' ').toUpperCase(), key as keyof Row & string]
    }),
  )
}

/** The store has no list in the order of every key: each would make every write of an order slower. */
const sortedHere = 1000

async function readSorted<Row extends object>(
  { sort }: ListOutput,
  { read, sorts }: List<Row>,
  limit: number | undefined,
): Promise<Batches<Row>> {
  if (sort === undefined) return inBatches(await read({ limit }))
  const key = sort.replace(/^-/, '')
  if (sorts?.includes(key)) return inBatches(await read({ sort, limit }))
  const most = sorts ? sortedHere : Number.POSITIVE_INFINITY
  const asked = sorts ? { limit: most + 1 } : {}
  const rows = (await collect(inBatches(await read(asked)))).flat()
  if (rows.length > most) {
    throw invalid(
      `The list has more than 1,000 rows. The store keeps them sorted only by time, so sorting them by ${key} would read all rows. Add filters until at most 1,000 rows are left, or write all rows with -o csv and sort them in a spreadsheet.`,
    )
  }
  const sorted = rows.toSorted(compareBy(key as keyof Row))
  return inBatches(sort.startsWith('-') ? sorted.reverse() : sorted)
}

async function* inBatches<Row>(
  list: Batches<Row> | readonly Row[],
): AsyncGenerator<readonly Row[]> {
  if (!Array.isArray(list)) return yield* list as Batches<Row>
  if (list.length > 0) yield list
}

async function* take<Row>(batches: Batches<Row>, limit = Number.POSITIVE_INFINITY) {
  let left = limit
  for await (const rows of batches) {
    const some = rows.slice(0, left)
    if (some.length > 0) yield some
    left -= some.length
    if (left <= 0) return
  }
}

const decimal = /^-?\d+(\.\d+)?$/

/** Compares amounts by their value, although they are texts in JSON. A missing value comes first. */
function compareBy<Row>(key: keyof Row) {
  // Creating one takes 5 ms, so only a sorted list does it.
  const texts = new Intl.Collator('en')
  return (one: Row, other: Row): number => {
    const [left, right] = [one[key], other[key]]
    const isMissing = [left, right].map((value) => value === null || value === undefined)
    if (isMissing.includes(true)) return Number(isMissing[1]) - Number(isMissing[0])
    const [first, second] = [String(left), String(right)]
    if (decimal.test(first) && decimal.test(second)) return Number(first) - Number(second)
    return texts.compare(first, second)
  }
}

async function* only<Row extends object>(
  batches: Batches<Row>,
  keys: readonly string[] | undefined,
): AsyncGenerator<readonly object[]> {
  const pick = (row: Row) =>
    keys ? Object.fromEntries(keys.map((key) => [key, row[key as keyof Row]])) : row
  for await (const rows of batches) yield rows.map(pick)
}
