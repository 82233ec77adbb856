import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { renderTable } from '../../src/cli/table.ts'
import { productionVariables } from '../children.ts'
import { fillStore } from '../fill-store.ts'
import { copyToDatabase } from '../operators/copy-to-database.ts'
import { fillHistory, type History } from '../operators/fill-history.ts'
import { peakResidentBytesOf } from '../process-tree.ts'
import { type RunningService, startCoopshare } from '../service.ts'
import { stoppingAtEnd } from '../stop-at-end.ts'
import { writeCatalogue, writeDependents, writeFixtures, writeLargeFixtures } from './files.ts'
import { type Waits, watchHealth } from './watch.ts'

const run = promisify(execFile)

interface Stalls {
  readonly directory: string
  readonly orders: number
  readonly engines: readonly ('directory' | 'postgres')[]
  readonly program: string
  readonly large: boolean
  /** Keeps the filled store for the next run. */
  readonly filled?: string | undefined
}

/** A file of 250,000 investors fills a heap of the default size on a small machine. */
const heapMiB = 4096

export async function runStalls({ directory, orders, engines, ...asked }: Stalls): Promise<void> {
  const filled = asked.filled ?? join(directory, 'filled')
  const history = await fillOnce(filled, orders)
  const data = join(directory, 'data')
  cpSync(join(filled, 'data'), data, { recursive: true })
  say(`${orders} orders are stored.`)
  const files = {
    fixtures: join(directory, 'fixtures.json'),
    large: join(directory, 'large.json'),
    catalogue: join(directory, 'catalogue.json'),
    dependents: join(directory, 'dependents.json'),
  }
  writeFixtures(files.fixtures)
  writeCatalogue(files.catalogue)
  writeDependents(files.dependents)
  if (asked.large) await writeLargeFixtures(files.large)
  await stoppingAtEnd(async (stopAtEnd) => {
    if (engines.includes('directory')) {
      await measureAll('directory', { ...asked, data, history, files, flags: [] })
    }
    if (!engines.includes('postgres')) return
    const source = join(directory, 'source')
    cpSync(join(filled, 'data'), source, { recursive: true })
    const database = stopAtEnd(await copyToDatabase(source))
    const own = join(directory, 'of-database')
    mkdirSync(own)
    const flags = database.flagsFor(database.url)
    await measureAll('postgres', { ...asked, data: own, history, files, flags })
  })
}

async function fillOnce(filled: string, orders: number): Promise<History> {
  const note = join(filled, 'history.json')
  if (!existsSync(note)) {
    mkdirSync(filled, { recursive: true, mode: 0o700 })
    const history = await fillStore(join(filled, 'data'), fillHistory(orders))
    writeFileSync(note, JSON.stringify(history))
  }
  return JSON.parse(readFileSync(note, 'utf8'))
}

interface Measured {
  readonly data: string
  readonly history: History
  readonly flags: readonly string[]
  readonly files: Readonly<Record<'fixtures' | 'large' | 'catalogue' | 'dependents', string>>
  readonly program: string
  readonly large: boolean
}

interface Row extends Waits {
  readonly work: string
  readonly seconds: number
  readonly turnMs: number
  readonly peakMiB: number
  readonly said: string
}

async function measureAll(engine: string, measured: Measured): Promise<void> {
  const { data, history, files, flags, program, large } = measured
  const { clientId: client_id, clientSecret: client_secret } = history
  const client = { client_id, client_secret }
  const turns = `${data}.turns`
  Object.assign(productionVariables, {
    NODE_OPTIONS: `--import=${new URL('./turns.mjs', import.meta.url)}`,
    COOPSHARE_BENCH_TURNS: turns,
  })
  const service = await startCoopshare({
    directory: data,
    client,
    program,
    flags: ['--event-retention', '0', '--allow-private-webhooks', ...flags],
  })
  const command = (...argv: string[]) => commandOn({ program, data }, argv)
  const rows: Row[] = []
  const measure = async (work: string, does: () => Promise<string>) => {
    const row = await measureOne({ service, turns }, work, does)
    rows.push(row)
    say(`${engine}: ${work}: ${JSON.stringify(row)}`)
  }
  try {
    await measure('nothing for 3 s', async () => {
      await pause(3000)
      return ''
    })
    await measure('fixtures apply, 2 MB', () => command('fixtures', 'apply', files.fixtures))
    await measure('fixtures apply, 2 MB again', () => command('fixtures', 'apply', files.fixtures))
    await measure('cooperative import, 1,000', () =>
      command('cooperative', 'import', files.catalogue),
    )
    await measure('purchase list --sort -total', () =>
      command('purchase', 'list', '--sort', '-total', '--limit', '50'),
    )
    await measure('store check', () => command('store', 'check'))
    await measure('audit export', () => command('audit', 'export'))
    if (engine === 'directory') await measure('store compact', () => command('store', 'compact'))
    await measure('fixtures apply, 1,001 orders of one investor', () =>
      command('fixtures', 'apply', files.dependents),
    )
    const first = await firstOrderOfDependents(command)
    await measure('purchase cancel, 1,000 dependents', () => command('purchase', 'cancel', first))
    if (large) {
      await measure('fixtures apply, 120 MB', () => command('fixtures', 'apply', files.large))
    }
  } finally {
    await service.stop()
  }
  console.log(`\n${engine}\n`)
  console.log(
    renderTable(rows, {
      WORK: ({ work }) => work,
      SECONDS: ({ seconds }) => seconds.toFixed(1),
      'TURN CPU MS': ({ turnMs }) => turnMs.toFixed(0),
      'LIVEZ MS': ({ livezMs }) => livezMs.toFixed(0),
      'READYZ MS': ({ readyzMs }) => readyzMs.toFixed(0),
      'NOT READY': ({ unready }) => unready,
      'PEAK MIB': ({ peakMiB }) => peakMiB.toFixed(0),
      SAID: ({ said }) => said,
    }),
  )
}

interface Watched {
  readonly service: RunningService
  /** The file for the longest turn of the event loop. */
  readonly turns: string
}

async function longestTurnOf({ service, turns }: Watched): Promise<number> {
  rmSync(turns, { force: true })
  process.kill(service.pid, 'SIGUSR2')
  while (!existsSync(turns)) await pause(20)
  return Number(readFileSync(turns, 'utf8'))
}

async function measureOne(
  watched: Watched,
  work: string,
  does: () => Promise<string>,
): Promise<Row> {
  const { service } = watched
  await longestTurnOf(watched)
  // Linux forgets the peak so far.
  writeFileSync(`/proc/${service.pid}/clear_refs`, '5')
  const stop = await watchHealth(service.origin)
  const startedAt = performance.now()
  const said = await does()
  const seconds = (performance.now() - startedAt) / 1000
  const waits = await stop()
  const peakMiB = peakResidentBytesOf(service.pid) / 2 ** 20
  const turnMs = await longestTurnOf(watched)
  return { work, seconds, turnMs, ...waits, peakMiB, said: said.slice(0, 60) }
}

interface Place {
  readonly program: string
  readonly data: string
}

/** Returns the error of a refused command. */
async function commandOn({ program, data }: Place, argv: readonly string[]): Promise<string> {
  const heap = `--max-old-space-size=${heapMiB}`
  const args = [heap, program, ...argv, '--data-dir', data]
  try {
    const { stdout } = await run(process.execPath, args, { maxBuffer: 2 ** 30 })
    return argv.includes('--json') ? stdout : ''
  } catch (error) {
    return String((error as { stderr?: string }).stderr || error)
  }
}

async function firstOrderOfDependents(
  command: (...argv: string[]) => Promise<string>,
): Promise<string> {
  const said = await command(
    ...['purchase', 'list', '--cooperative', 'dependents', '--sort', 'created_at'],
    ...['--limit', '1', '--json'],
  )
  const [order] = JSON.parse(said)
  return order.share_purchase_id
}

function say(text: string): void {
  console.error(text)
}
