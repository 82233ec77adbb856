// How long it takes to collect many payments, to make the file, and to import a statement in which all come back; how long
// the event loop is held meanwhile, and how much memory it takes.
import { cpSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { completeProfile } from '../../fixtures/builders/investors.ts'
import type { Bench, Engine } from '../bench.ts'
import { copyDatabase, startDatabase, withKeyOf } from '../servers/database.ts'
import { writeFixtures } from '../servers/filled-service.ts'
import { askOperator } from '../servers/operator.ts'
import { type RunningService, startService } from '../servers/service.ts'
import { keyOf, organization } from '../servers/set-up.ts'
import { readTurns } from '../servers/turns.ts'

/** Half of the stored orders of other works, which is what a large platform collects in a month. */
const share = 2

/** Whether investors get an e-mail about the direct debit, which is then sent meanwhile. */
const variants = { 'no e-mails': false, 'with e-mails': true }

type Measured = Map<string, { readonly unit: string; readonly values: number[] }>

export async function measure(bench: Bench): Promise<void> {
  const count = Math.ceil(bench.orders / share)
  const filled = await fill(bench, count)
  for (const engine of bench.engines) {
    const open = await storeOf(bench, engine, filled)
    const measured: Measured = new Map()
    for (let round = 1; round <= bench.rounds; round++) {
      for (const [variant, isMailed] of Object.entries(variants)) {
        const name = `${count} payments, ${engine}, ${variant}`
        const copy = await open(`${engine}-${round}-${isMailed ? 'mailed' : 'quiet'}`)
        const mail = isMailed
          ? ['--mail-directory', `${copy.directory}-mail`]
          : ['--no-investor-mail']
        const flags = ['--event-retention', '0', ...mail]
        const service = await startService(bench, { ...copy, name, flags, isWatched: true })
        await measureDay(service, { measured, isMailed })
        await service.stop()
      }
    }
    for (const [figure, { values, unit }] of measured) bench.show(figure, values, unit)
  }
}

/** Stores approved orders, each of another investor, and opens their payments. */
async function fill(bench: Bench, count: number): Promise<RunningService> {
  const name = `${count} payments`
  const flags = ['--no-investor-mail']
  const service = await startService(bench, { name, flags, setUp: { cooperatives: 1 } })
  for (const [part, fixtures] of approvedOrders(count).entries())
    await service.command('fixtures', 'apply', writeFixtures(bench, `approved-${part}`, fixtures))
  const creditor = { name: 'Bench eG', creditor_id: 'DE98ZZZ09999999999' }
  const iban = 'DE02120300000000202051'
  await ask(service, 'cooperative.set_creditor', { cooperative: keyOf(0), ...creditor, iban })
  await service.stop()
  return service
}

/** Returns a function that makes a copy of the store, because a payment is collected once. */
async function storeOf(bench: Bench, engine: Engine, { directory, command }: RunningService) {
  const copyDirectory = (name: string) => {
    const copy = join(bench.directory, name)
    cpSync(directory, copy, { recursive: true })
    return copy
  }
  if (engine === 'directory') return async (name: string) => ({ directory: copyDirectory(name) })
  const empty = await startDatabase(bench)
  const copied = JSON.parse(await command('store', 'copy', '--to', empty.url, '--json'))
  const database = withKeyOf(copied.encryption_key_file, empty)
  return async (name: string) => ({
    directory: join(bench.directory, name),
    database: await copyDatabase(database, name.replaceAll('-', '_')),
  })
}

interface Day {
  readonly measured: Measured
  readonly isMailed: boolean
}

async function measureDay(service: RunningService, { measured }: Day): Promise<void> {
  const { directory } = service
  const timed = <Result>(what: string, work: () => Promise<Result>) =>
    measureOne(service, what, { measured, work })
  const created = await timed('created', () => ask(service, 'collection.create', {}))
  const [{ collection_id }] = JSON.parse(created).collections
  await timed('exported', () => ask(service, 'collection.export', { collection_id }))
  const shown = await timed('shown', () => ask(service, 'collection.show', { collection_id }))
  const returns = JSON.parse(shown).payments.map(
    ({ share_purchase_id }: Readonly<Record<string, string>>) => ({
      share_purchase_id,
      code: 'AM04',
    }),
  )
  const simulated = await ask(service, 'statement.simulate', { collection_id, returns })
  const file = `${directory}-statement.xml`
  writeFileSync(file, JSON.parse(simulated).file)
  await timed('statement imported', () => service.command('statement', 'import', file))
  await timed('statement imported again', () => service.command('statement', 'import', file))
  await timed('report', () => ask(service, 'payment.report', {}))
}

function ask(service: RunningService, operation: string, input: object): Promise<string> {
  return askOperator(service.directory, 'POST', `/operations/${operation}`, input)
}

async function measureOne<Result>(
  { name, directory }: RunningService,
  what: string,
  { measured, work }: { readonly measured: Measured; readonly work: () => Promise<Result> },
): Promise<Result> {
  const note = (figure: string, unit: string, value: number) => {
    const title = `${name}: ${what}${figure}`
    const { values } = measured.get(title) ?? { values: [] }
    measured.set(title, { unit, values: [...values, value] })
  }
  const before = await readTurns(directory)
  const startedAt = performance.now()
  const result = await work()
  const seconds = (performance.now() - startedAt) / 1000
  const { turn, cpuSeconds, peakBytes } = await readTurns(directory)
  note('', 's', seconds)
  note(', CPU of the service', 's', cpuSeconds)
  note(', longest turn', 'ms', turn.ms)
  note(', longest turn, CPU', 'ms', turn.cpuMs)
  note(', more memory at most', 'MB', (peakBytes - before.residentBytes) / 1e6)
  const [load = 0] = loadavg()
  console.log(
    `${name}: ${what} ${seconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s, turn ${turn.ms.toFixed(0)} ms (CPU ${turn.cpuMs.toFixed(0)}), +${((peakBytes - before.residentBytes) / 1e6).toFixed(0)} MB, load ${load.toFixed(0)}`,
  )
  return result
}

const inFile = 10_000

function approvedOrders(count: number) {
  const investors = Array.from({ length: count }, (_, number) => ({
    partner_customer_ref: `paying-${number}`,
    email: `paying-${number}@example.org`,
    profile: { ...completeProfile(), last_name: `Sonnenschein-${number}` },
    share_purchases: [{ cooperative: keyOf(0), share_count: 5, status: 'approved' }],
  }))
  return Array.from({ length: Math.ceil(count / inFile) }, (_, part) => ({
    organizations: [
      {
        name: organization,
        investor_mail: true,
        investors: investors.slice(part * inFile, (part + 1) * inFile),
      },
    ],
  }))
}
