import { join } from 'node:path'
import { request } from 'undici'
import {
  type AlternativeName,
  alternatives,
  type RunningAlternative,
  readRecordedBy,
  startAlternative,
} from '../alternative.ts'
import type { Contestant, Result } from '../contestant.ts'
import { startDatabase } from '../database.ts'
import { recordedOf, registerReceivers, settleDeliveries, startReceivers } from '../deliveries.ts'
import { cpuFloor, rateFloor } from '../floors.ts'
import { mapSome } from '../map-some.ts'
import { orderLoadFor, requireAllStored } from '../order-load.ts'
import { type SignedIn, startCoopshare } from '../service.ts'
import { refOf, type SetUp } from '../set-up.ts'
import type { Bench, Floor, Measured } from '../work.ts'

const engines = ['directory', 'PostgreSQL'] as const
type Engine = (typeof engines)[number]
const ours = (engine: Engine) => `coopshare, ${engine}`
const byTwo = (name: string) => `${name}, two processes`
const alternativeNames = Object.keys(alternatives) as AlternativeName[]

const warmUp = { answers: 10_000, maximumSeconds: 8 }
const leastSeconds = 2
/** The numbers of investors. */
const counts = { buyers: 1000, buyersWithWebhooks: 200, readers: 100 }
const [cooperatives, ordersOfReader] = [50, 20]

const endings = {
  investor: '',
  'orders, page of 20': '/share-purchases?size=20',
  holdings: '/holdings',
}

type Named = Pick<Contestant, 'name' | 'roots'>

/** Places orders without receivers: everything until the commit, with one and with two processes. */
export async function measureAlternativeOrders(bench: Bench): Promise<Measured> {
  const setUp = { investors: counts.buyers }
  const work = 'order, whole work'
  const contestants: Contestant[] = []
  for (const engine of engines) {
    const { service, ...named } = await startOurs(bench, engine, setUp)
    contestants.push(await placing(service, named, setUp))
  }
  const twoOfOurs = await startTwoOfOurs(bench, setUp)
  contestants.push(twoOfOurs)
  for (const name of alternativeNames) {
    const program = alternatives[name]
    const one = await startAlternative(bench, name, { program, setUp })
    contestants.push(await placing(one, one, setUp))
    const two = await startAlternative(bench, byTwo(name), { program, setUp, workers: 2 })
    contestants.push(await placing(two, two, setUp))
  }
  const results = [
    ...(await bench.run({ work, connections: 16, contestants, warmUp, leastSeconds })),
    ...(await bench.run({ work, connections: 64, contestants, leastSeconds })),
  ]
  await requireAllStored(bench, contestants)
  const pairs = [
    ...pairsOf(ours('directory'), alternativeNames),
    ...pairsOf(ours('PostgreSQL'), alternativeNames),
    ...pairsOf(twoOfOurs.name, alternativeNames.map(byTwo)),
  ]
  return { results, floors: [16, 64].flatMap((count) => floorsOf(results, work, pairs, count)) }
}

/** Places orders with a receiver, until each webhook has arrived and is recorded. */
export async function measureAlternativeDeliveries(bench: Bench): Promise<Measured> {
  const setUp = { investors: counts.buyersWithWebhooks, cooperatives }
  const work = 'order until its webhook is recorded'
  const [receiver = ''] = await startReceivers(bench, 1)
  const urlOf = (name: string) => `${receiver}/${encodeURIComponent(name)}`
  const contestants: Contestant[] = []
  for (const engine of engines) {
    const { service, ...named } = await startOurs(bench, engine, setUp)
    const { name } = named
    await registerReceivers(service, [urlOf(name)])
    const settle = settlingAt(urlOf(name), name, recordedOf(service.directory))
    contestants.push({ ...(await placing(service, named, setUp)), settle })
  }
  for (const name of alternativeNames) {
    const options = { program: alternatives[name], setUp, receivers: [urlOf(name)] }
    const peer = await startAlternative(bench, name, options)
    const settle = settlingAt(urlOf(name), name, () => readRecordedBy(peer.origin))
    contestants.push({ ...(await placing(peer, peer, setUp)), settle })
  }
  const heat = { work, connections: 16, contestants, leastSeconds }
  const results = await bench.run({ ...heat, warmUp: { ...warmUp, answers: 3000 } })
  await requireAllStored(bench, contestants)
  return { results, floors: floorsOf(results, work, enginePairs, 16) }
}

/** Reads an investor, a page of orders and the holdings. */
export async function measureAlternativeReads(bench: Bench): Promise<Measured> {
  const setUp = { investors: counts.readers }
  const servers: (SignedIn & Named)[] = []
  for (const engine of engines) {
    const withOrders = { ...setUp, orders: ordersOfReader }
    const { service, ...named } = await startOurs(bench, engine, withOrders)
    servers.push({ ...service, ...named })
  }
  for (const name of alternativeNames) {
    const peer = await startAlternative(bench, name, { program: alternatives[name], setUp })
    await placeOrdersOfReaders(peer)
    servers.push(peer)
  }
  const results: Result[] = []
  const floors: Floor[] = []
  for (const [work, ending] of Object.entries(endings)) {
    const contestants = await Promise.all(servers.map((server) => reading(server, ending)))
    const measured = await bench.run({ work, connections: 16, contestants })
    results.push(...measured)
    floors.push(...floorsOf(measured, work, enginePairs, 16))
  }
  return { results, floors }
}

type Pair = readonly [string, string]

function pairsOf(own: string, others: readonly string[]): readonly Pair[] {
  return others.map((other) => [own, other] as const)
}

const enginePairs = engines.flatMap((engine) => pairsOf(ours(engine), alternativeNames))

/** Our service should neither be slower nor cost more than an alternative. */
function floorsOf(
  results: readonly Result[],
  work: string,
  pairs: readonly Pair[],
  connections: number,
): readonly Floor[] {
  return pairs.flatMap((names) => {
    const pair = { work, connections, names }
    return [rateFloor(results, pair, 1), cpuFloor(results, pair, 1)]
  })
}

async function startOurs(bench: Bench, engine: Engine, setUp: SetUp) {
  const database = engine === 'PostgreSQL' ? await startDatabase(bench) : undefined
  const flags = [...(database?.flags ?? []), '--allow-private-webhooks']
  const directory = join(bench.directory, engine)
  const name = ours(engine)
  const service = bench.stopAtEnd(await startCoopshare({ name, directory, flags, setUp }))
  return { service, name, roots: [service.pid, ...(database ? [database.pid] : [])] }
}

/** Two instances on one database, as alternatives with two processes. */
async function startTwoOfOurs(bench: Bench, setUp: SetUp & { readonly investors: number }) {
  const database = await startDatabase(bench)
  const name = byTwo(ours('PostgreSQL'))
  // Both have the same base URL, so that a token of one is valid for the other.
  const flags = [...database.flags, '--base-url', 'http://partners.example']
  const start = async (folder: string, more: { readonly setUp?: SetUp }) => {
    const directory = join(bench.directory, folder)
    return bench.stopAtEnd(await startCoopshare({ name, directory, flags, ...more }))
  }
  const [first, second] = [await start('first-of-two', { setUp }), await start('second-of-two', {})]
  const named = { name, roots: [first.pid, second.pid, database.pid] }
  const { load, ...contestant } = await placing(first, named, setUp)
  return { ...contestant, load: { ...load, otherOrigins: [second.origin] } }
}

async function placing(
  server: SignedIn,
  { name, roots }: Named,
  spread: { readonly investors: number; readonly cooperatives?: number },
): Promise<Contestant> {
  return { name, roots, load: await orderLoadFor(server, spread) }
}

function settlingAt(
  url: string,
  name: string,
  readRecorded: () => Promise<ReadonlyMap<string, number>>,
): (answers: number) => Promise<void> {
  const followed = { name, directories: [], receivers: [url], readRecorded }
  return (answers) => settleDeliveries(followed, answers)
}

/** Our service gets these orders with its fixtures. */
async function placeOrdersOfReaders(server: RunningAlternative): Promise<void> {
  const { origin, paths, headers, body } = await orderLoadFor(server, {
    investors: counts.readers,
  })
  const [text = ''] = [body ?? ''].flat()
  const all = Array.from({ length: ordersOfReader }, () => paths).flat()
  await mapSome(all, async (path) => {
    const answer = await request(`${origin}${path}`, { method: 'POST', headers, body: text })
    const answered = await answer.body.text()
    if (answer.statusCode !== 201) throw new Error(`${path}: ${answered}`)
  })
}

/** Each answer must equal the first answer for the same path. */
async function reading(server: SignedIn & Named, ending: string): Promise<Contestant> {
  const { origin, headers, name, roots } = server
  const numbers = Array.from({ length: counts.readers }, (_, number) => number)
  const paths = await mapSome(numbers, async (number) => {
    const found = await server.get(`/v1/investors?partner_customer_ref=${refOf(number)}`)
    return `/v1/investors/${found.investor_id}${ending}`
  })
  const expected = { status: 200, bodies: await mapSome(paths, server.text) }
  return { name, roots, load: { origin, method: 'GET', paths, headers, expected } }
}
