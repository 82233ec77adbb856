import { join } from 'node:path'
import { buildCommit } from '../commit-build.ts'
import type { Contestant, Result } from '../contestant.ts'
import { startDatabase } from '../database.ts'
import { recordedOf, registerReceivers, settleDeliveries, startReceivers } from '../deliveries.ts'
import { cpuFloor, rateFloor } from '../floors.ts'
import { orderLoadFor, requireAllStored } from '../order-load.ts'
import { type RunningService, startCoopshare } from '../service.ts'
import type { SetUp } from '../set-up.ts'
import { stoppingAtEnd } from '../stop-at-end.ts'
import type { Bench, Floor, Measured } from '../work.ts'

const [investors, cooperatives] = [200, 50]
const engines = ['directory', 'PostgreSQL'] as const
const oneInvestor = 'order alone, one investor'
const alone = 'order alone'
const receiverCounts = [1, 3] as const
const untilRecorded = (receivers: number) =>
  `order until recorded, ${receivers} ${receivers === 1 ? 'receiver' : 'receivers'} and an e-mail`

// A round must be long in comparison with the wait for its last deliveries.
const leastSeconds = 2
const warmUps = {
  alone: { answers: 10_000, maximumSeconds: 8 },
  untilRecorded: { answers: 3000, maximumSeconds: 8 },
}

interface Build {
  readonly name: string
  /** The `bin/run.js` of an earlier build; undefined for the current build. */
  readonly program: string | undefined
}

interface Builds {
  readonly ours: Build
  readonly theirs: Build
}

/** A build on a storage engine. */
interface Place {
  readonly build: Build
  readonly engine: (typeof engines)[number]
  readonly instances: number
  /** The origins of receivers. If there are none, there are no e-mails either. */
  readonly receivers: readonly string[]
}

/** Compares an order and its deliveries with an earlier commit of the program. */
export async function measureEndToEnd(bench: Bench): Promise<Measured> {
  const { peerCommit } = bench
  if (!peerCommit) throw new Error('No commit to compare with was given.')
  const builds: Builds = {
    ours: { name: 'coopshare', program: undefined },
    theirs: { name: peerCommit.name, program: buildCommit(peerCommit) },
  }
  const results: Result[] = []
  for (const count of receiverCounts) {
    results.push(...(await measureUntilRecorded(bench, { builds, count })))
  }
  results.push(...(await measureAlone(bench, builds)))
  return { results, floors: floorsOf(results, builds) }
}

function measureUntilRecorded(
  bench: Bench,
  { builds: { ours, theirs }, count }: { readonly builds: Builds; readonly count: number },
): Promise<Result[]> {
  return withContestants(bench, async (scoped) => {
    const receivers = await startReceivers(scoped, count)
    const by = (instances: number) => (place: Pick<Place, 'build' | 'engine'>) =>
      startContestant(scoped, { ...place, instances, receivers })
    const [byOne, byThree] = [by(1), by(3)]
    const contestants = [
      ...(await inTurn(placesOf({ ours, theirs }), byOne)),
      ...(count === 1
        ? []
        : await inTurn(
            [ours, theirs].map((build) => ({ build, engine: 'PostgreSQL' as const })),
            byThree,
          )),
    ]
    const heat = { work: untilRecorded(count), connections: 16, contestants, leastSeconds }
    const results = await bench.run({ ...heat, warmUp: warmUps.untilRecorded })
    await requireAllStored(bench, contestants)
    return results
  })
}

/** Measures orders without deliveries. */
function measureAlone(bench: Bench, builds: Builds): Promise<Result[]> {
  return withContestants(bench, async (scoped) => {
    const contestants = await inTurn(placesOf(builds), (place) =>
      startContestant(scoped, { ...place, instances: 1, receivers: [] }),
    )
    const run = (work: string, connections: number, contestants: readonly Contestant[]) =>
      bench.run({ work, connections, contestants, leastSeconds, warmUp: warmUps.alone })
    const results = [
      ...(await run(alone, 16, contestants)),
      ...(await run(alone, 64, contestants)),
      ...(await run(oneInvestor, 16, contestants.map(forOneInvestor))),
    ]
    await requireAllStored(bench, contestants)
    return results
  })
}

function withContestants<Answer>(
  bench: Bench,
  run: (scoped: Bench) => Promise<Answer>,
): Promise<Answer> {
  // Stops the servers of this work at its end, because they would use memory during other works.
  return stoppingAtEnd((stopAtEnd) => run({ ...bench, stopAtEnd }))
}

function placesOf({ ours, theirs }: Builds) {
  return engines.flatMap((engine) => [ours, theirs].map((build) => ({ build, engine })))
}

async function inTurn<Item, Started>(
  items: readonly Item[],
  start: (item: Item) => Promise<Started>,
): Promise<Started[]> {
  const started: Started[] = []
  for (const item of items) started.push(await start(item))
  return started
}

function forOneInvestor(contestant: Contestant): Contestant {
  const { load } = contestant
  return { ...contestant, load: { ...load, paths: load.paths.slice(0, 1) } }
}

function nameOf({ build, engine, instances }: Pick<Place, 'build' | 'engine' | 'instances'>) {
  return `${build.name}, ${engine}${instances === 1 ? '' : `, ${instances} instances`}`
}

async function startContestant(bench: Bench, place: Place): Promise<Contestant> {
  const { receivers } = place
  const name = nameOf(place)
  const database = place.engine === 'PostgreSQL' ? await startDatabase(bench) : undefined
  const services = await startServices(bench, place, database?.flags ?? [])
  const [first, ...others] = services
  if (!first) throw new Error('The number of instances must be at least 1.')
  const urls = receivers.map((origin) => `${origin}/${encodeURIComponent(name)}`)
  await registerReceivers(first, urls)
  const directories = services.map(({ directory }) => directory)
  const readRecorded = recordedOf(first.directory)
  const followed = { name, directories, receivers: urls, readRecorded }
  const load = await orderLoadFor(first, { investors, cooperatives })
  return {
    name,
    roots: [...services.map(({ pid }) => pid), ...(database ? [database.pid] : [])],
    load: { ...load, otherOrigins: others.map(({ origin }) => origin) },
    ...(receivers.length > 0 && {
      settle: (answers: number) => settleDeliveries(followed, answers),
    }),
  }
}

async function startServices(
  bench: Bench,
  place: Place,
  databaseFlags: readonly string[],
): Promise<readonly RunningService[]> {
  const { build, instances, receivers } = place
  const flags = [...databaseFlags, '--allow-private-webhooks']
  // Instances share a base URL, so that a token of one is valid for all.
  if (instances > 1) flags.push('--base-url', 'http://partners.example')
  const setUp: SetUp = { investors, cooperatives, investorMail: receivers.length > 0 }
  const title = `${nameOf(place)}, ${receivers.length}`.replaceAll(/\W+/g, '-')
  return inTurn(
    Array.from({ length: instances }, (_, number) => number),
    async (number) =>
      bench.stopAtEnd(
        await startCoopshare({
          name: nameOf(place),
          directory: join(bench.directory, `${title}-${number}`),
          flags,
          ...(build.program !== undefined && { program: build.program }),
          ...(number === 0 && { setUp }),
        }),
      ),
  )
}

const limits = {
  directory: { cpu: 0.45, rate: 2, alone: 0.95, oneInvestor: 1 },
  PostgreSQL: { cpu: 0.25, rate: 4, alone: 1, oneInvestor: 2 },
}

function floorsOf(results: readonly Result[], { ours, theirs }: Builds): readonly Floor[] {
  const pairs = engines.map((engine) => {
    const [own, other] = [ours, theirs].map((build) => nameOf({ build, engine, instances: 1 }))
    return { limit: limits[engine], names: [own ?? '', other ?? ''] as const }
  })
  const placing = (work: string, connections: number, limit: 'alone' | 'oneInvestor') =>
    pairs.map((pair) =>
      rateFloor(results, { work, connections, names: pair.names }, pair.limit[limit]),
    )
  const [threeInstances, oneInstance] = ([3, 1] as const).map((instances) =>
    nameOf({ build: ours, engine: 'PostgreSQL', instances }),
  )
  const instances = [threeInstances ?? '', oneInstance ?? ''] as const
  return [
    ...receiverCounts.flatMap((count) =>
      pairs.flatMap(({ names, limit }) => {
        const pair = { work: untilRecorded(count), names }
        return [cpuFloor(results, pair, limit.cpu), rateFloor(results, pair, limit.rate)]
      }),
    ),
    ...placing(alone, 16, 'alone'),
    ...placing(alone, 64, 'alone'),
    ...placing(oneInvestor, 16, 'oneInvestor'),
    // An order has the same number of deliveries in both builds, so this also compares the CPU of a
    // delivery.
    cpuFloor(results, { work: untilRecorded(3), names: instances }, 1.3),
  ]
}
