import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import type { Contestant, Result, Round } from '../contestant.ts'
import { type BenchDatabase, startDatabase } from '../database.ts'
import { fillOrders } from '../fill-orders.ts'
import { fillStore } from '../fill-store.ts'
import { type RunningService, startCoopshare } from '../service.ts'
import type { Bench, Measured } from '../work.ts'
import { catalogueContestant } from './catalogue.ts'
import { tokenContestant } from './token.ts'
import { measureSender, type Queue, register, type Started, startSink } from './webhooks.ts'

const connections = 16
const counts = [1, 3] as const

/**
 * Measures the gain of several instances on one database, for docs/reference/performance.md. There
 * are no floors.
 */
export async function measureInstances(bench: Bench): Promise<Measured> {
  const services = await startBoth(bench)
  const token = services.map(({ name, origin, pid }) =>
    tokenContestant(name, `${origin}/oauth2/token`, pid),
  )
  const page = await Promise.all(
    services.map((service) =>
      catalogueContestant(service, service.name, service.origin, [service.pid]),
    ),
  )
  const run = (work: string, contestants: readonly Contestant[]) =>
    bench.run({ work, connections, contestants })
  const results = [...(await run('token', token)), ...(await run('catalogue page of 20', page))]
  return { results: [...results, ...(await measureDispatchers(bench))], floors: [] }
}

async function startBoth(bench: Bench): Promise<readonly RunningService[]> {
  const { flags } = await startDatabase(bench)
  const start = async (name: string, flags: readonly string[]) => {
    const directory = join(bench.directory, name)
    return bench.stopAtEnd(await startCoopshare({ name, directory, flags, setUp: {} }))
  }
  return [await start('directory', []), await start('PostgreSQL', flags)]
}

/** Each round uses a copy of a database with this number of events to send. */
async function measureDispatchers(bench: Bench): Promise<readonly Result[]> {
  const count = bench.isLong ? 20_000 : 3000
  const url = await startSink(bench)
  const database = await startDatabase(bench)
  const client = await fillDatabase(bench, database, { url, count })
  const rounds = counts.map((): Round[] => [])
  for (let round = 0; round < bench.rounds; round++) {
    for (const [index, instances] of counts.entries()) {
      const name = `round_${round}_${instances}`
      const flags = await copyDatabase(database, name)
      const options = { directory: join(bench.directory, name), client, flags, instances }
      rounds[index]?.push(await measureSender({ url, count }, () => startInstances(options)))
    }
  }
  const results = counts.map((instances, index): Result => {
    const name = `${instances} on one database`
    return { work: 'webhook', connections: 1, name, rounds: rounds[index] ?? [] }
  })
  bench.show(results)
  return results
}

async function fillDatabase(bench: Bench, { flags }: BenchDatabase, { url, count }: Queue) {
  const fill = fillOrders(count, (service, organization) => register(service, organization, url))
  const seeded = await fillStore(join(bench.directory, 'filling'), fill, ...flags)
  return { client_id: seeded.clientId, client_secret: seeded.clientSecret }
}

/** Copies the database and returns the flags of a service on the copy. */
async function copyDatabase({ url, flags }: BenchDatabase, name: string): Promise<string[]> {
  const sql = postgres(inDatabase(url, 'template1'), { max: 1 })
  await sql.unsafe(`create database ${name} template ${new URL(url).pathname.slice(1)}`)
  await sql.end()
  return flags.map((flag) => (flag === url ? inDatabase(url, name) : flag))
}

function inDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: name }).href
}

interface Instances {
  readonly directory: string
  readonly client: { readonly client_id: string; readonly client_secret: string }
  readonly flags: readonly string[]
  readonly instances: number
}

async function startInstances({ directory, instances, ...options }: Instances): Promise<Started> {
  mkdirSync(directory)
  const flags = [...options.flags, '--allow-private-webhooks']
  const started = await Promise.all(
    Array.from({ length: instances }, (_, number) =>
      startCoopshare({ ...options, flags, directory: join(directory, String(number)) }),
    ),
  )
  const [first] = started
  if (!first) throw new Error('The number of instances must be at least 1.')
  return {
    pid: first.pid,
    directory: join(directory, '0'),
    stop: async () => void (await Promise.all(started.map((s) => s.stop()))),
  }
}
