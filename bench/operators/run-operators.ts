import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { renderTable } from '../../src/cli/table.ts'
import { fillStore } from '../fill-store.ts'
import { startCoopshare } from '../service.ts'
import { stoppingAtEnd } from '../stop-at-end.ts'
import { copyToDatabase } from './copy-to-database.ts'
import { fillHistory, type History } from './fill-history.ts'
import { OperatorClient } from './operator-client.ts'
import { type Asked, requestsFor } from './requests.ts'
import { RowsRead } from './rows-read.ts'

export type Engine = 'directory' | 'postgres'

const maximumMs = 100
/** The page Today counts about twenty kinds of records, up to 1,000 of each. */
const maximumRows = 20_000
const times = 20
/** With a retention, the service would remove the measured records. */
const flags = ['--event-retention', '0']

interface Row {
  readonly name: string
  readonly isWhole: boolean
  readonly firstMs: number
  readonly medianMs: number
  readonly worstMs: number
  /** undefined with a data directory. */
  readonly rows: number | undefined
  readonly scans: readonly string[]
}

interface Operators {
  readonly directory: string
  readonly orders: number
  readonly engines: readonly Engine[]
}

/** Returns the requests that took too long or read too many rows. */
export async function runOperators({
  directory,
  orders,
  engines,
}: Operators): Promise<readonly string[]> {
  const data = join(directory, 'data')
  const startedAt = performance.now()
  const history = await fillStore(data, fillHistory(orders))
  say(`${orders} orders were stored in ${seconds(startedAt)}.`)
  const faults: string[] = []
  if (engines.includes('directory')) {
    faults.push(...report('directory', await measure({ data, history, flags })))
  }
  if (!engines.includes('postgres')) return faults
  return stoppingAtEnd(async (stopAtEnd) => {
    const copiedAt = performance.now()
    const database = stopAtEnd(await copyToDatabase(data))
    say(`The orders were copied to PostgreSQL in ${seconds(copiedAt)}.`)
    const own = join(directory, 'of-database')
    mkdirSync(own)
    const served = { data: own, history }
    const rows = await measure({ ...served, flags: [...flags, ...database.flagsFor(database.url)] })
    const rowsRead = stopAtEnd(await RowsRead.open(database.url))
    const read = await count(
      { ...served, flags: [...flags, ...database.flagsFor(rowsRead.url)] },
      rowsRead,
    )
    const known = rows.map((row) => ({ ...row, ...read.get(row.name) }))
    return [...faults, ...report('postgres', known)]
  })
}

interface Served {
  readonly data: string
  readonly history: History
  readonly flags: readonly string[]
}

async function measure(served: Served): Promise<readonly Row[]> {
  return withClient(served, async (client, requests) => {
    const rows: Row[] = []
    for (const asked of requests) {
      const [firstMs = 0, ...later] = await repeat(times + 1, () => client.time(asked))
      const sorted = later.sort((left, right) => left - right)
      const [medianMs = 0, worstMs = 0] = [sorted[times / 2], sorted.at(-1)]
      const { name, isWhole = false } = asked
      rows.push({ name, isWhole, firstMs, medianMs, worstMs, rows: undefined, scans: [] })
    }
    return rows
  })
}

/** Sends all requests once more, through a proxy that records the statements. */
async function count(served: Served, rowsRead: RowsRead) {
  return withClient(served, async (client, requests) => {
    const found = new Map<string, Pick<Row, 'rows' | 'scans'>>()
    for (const asked of requests) {
      rowsRead.forget()
      await client.time(asked)
      found.set(asked.name, await rowsRead.count())
    }
    return found
  })
}

async function withClient<Result>(
  { data, history, flags: given }: Served,
  work: (client: OperatorClient, requests: readonly Asked[]) => Promise<Result>,
): Promise<Result> {
  const { clientId: client_id, clientSecret: client_secret } = history
  const client = { client_id, client_secret }
  const service = await startCoopshare({ directory: data, client, flags: given })
  try {
    return await work(await OperatorClient.signIn(data), requestsFor(history))
  } finally {
    await service.stop()
  }
}

async function repeat(count: number, ask: () => Promise<number>): Promise<number[]> {
  const measured: number[] = []
  for (let time = 0; time < count; time += 1) measured.push(await ask())
  return measured
}

function report(engine: Engine, rows: readonly Row[]): readonly string[] {
  const slowest = rows.toSorted((left, right) => right.firstMs - left.firstMs)
  console.log(`\n${engine}\n`)
  console.log(
    renderTable(slowest, {
      ASKED: ({ name }) => name,
      'FIRST MS': ({ firstMs }) => firstMs.toFixed(1),
      'MEDIAN MS': ({ medianMs }) => medianMs.toFixed(1),
      'WORST MS': ({ worstMs }) => worstMs.toFixed(1),
      'ROWS READ': ({ rows }) => rows,
    }),
  )
  const bounded = rows.filter(({ isWhole }) => !isWhole)
  return bounded.flatMap(({ name, firstMs, worstMs, rows: read = 0, scans }) => [
    ...(Math.max(firstMs, worstMs) > maximumMs
      ? [`${engine}, ${name}: ${Math.max(firstMs, worstMs).toFixed(0)} ms.`]
      : []),
    ...(read > maximumRows ? [`${engine}, ${name}: ${read} rows were read.`] : []),
    ...scans.map((scan) => `${engine}, ${name}: ${scan}.`),
  ])
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(0)} s`
}

function say(text: string): void {
  console.error(text)
}
