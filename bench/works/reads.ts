import { join } from 'node:path'
import { cloneOrders } from '../clone-orders.ts'
import type { Contestant, Result } from '../contestant.ts'
import { fillStore } from '../fill-store.ts'
import { cpuFloor, figureFloor } from '../floors.ts'
import { mapSome } from '../map-some.ts'
import { askOperator, readMetric } from '../operator.ts'
import { residentBytesOf } from '../process-tree.ts'
import { type RunningService, startCoopshare } from '../service.ts'
import { refOf } from '../set-up.ts'
import type { Bench, Floor, Measured } from '../work.ts'

const connections = 16
const readers = 100
/** The number of orders of each investor. */
const orders = 20
const [works, page] = [['investor', 'orders, page of 20', 'holdings'], 'catalogue page as long']

/** Measures reads of partners about their investors, with few and with many stored orders. */
export async function measureReads(bench: Bench): Promise<Measured> {
  const few = await startWith(bench, readers * orders)
  const many = await startWith(bench, bench.isLong ? 1_000_000 : 10_000)
  const results: Result[] = []
  for (const [number, work] of works.entries()) {
    const contestants = [many.contestants[number], few.contestants[number]] as Contestant[]
    const like = await catalogueLike(few, contestants[1] as Contestant)
    results.push(...(await bench.run({ work, connections, contestants: [...contestants, like] })))
  }
  const names = (other: string) => [many.service.name, other] as const
  return {
    results,
    floors: [
      ...works.map((work) => cpuFloor(results, { work, names: names(page) }, 1.5)),
      ...works.map((work) => cpuFloor(results, { work, names: names(few.service.name) }, 1.1)),
      ...(await storeFloors(few, many, !bench.isLong)),
    ],
  }
}

interface Stored {
  readonly service: RunningService
  readonly directory: string
  readonly count: number
  readonly contestants: readonly Contestant[]
  readonly residentBytes: number
}

async function startWith(bench: Bench, count: number): Promise<Stored> {
  const directory = join(bench.directory, `reads-${count}`)
  await fill(directory, count)
  const name = `${count} orders stored`
  const service = bench.stopAtEnd(await startCoopshare({ name, directory }))
  const residentBytes = residentBytesOf(service.pid)
  return { service, directory, count, residentBytes, contestants: await contestantsOf(service) }
}

/**
 * The service creates the investors that are read. All other investors are copies of the first one.
 */
async function fill(directory: string, count: number): Promise<void> {
  const service = await startCoopshare({ directory, setUp: { investors: readers, orders } })
  const investorId = await investorIdOf(service, 0)
  const { organization_id: organizationId } = await service.get('/v1/me')
  await service.stop()
  const more = count - readers * orders
  await fillStore(directory, (opened) =>
    cloneOrders(opened, { organizationId, investorId, count: more }),
  )
}

async function investorIdOf(service: RunningService, number: number): Promise<string> {
  const path = `/v1/investors?partner_customer_ref=${refOf(number)}`
  return (await service.get(path)).investor_id
}

async function contestantsOf(service: RunningService): Promise<Contestant[]> {
  const numbers = Array.from({ length: readers }, (_, number) => number)
  const ids = await mapSome(numbers, (number) => investorIdOf(service, number))
  const endings = ['', '/share-purchases?size=20', '/holdings']
  return Promise.all(
    endings.map((ending) =>
      contestantOf(
        service,
        ids.map((id) => `/v1/investors/${id}${ending}`),
      ),
    ),
  )
}

/** Each answer must equal the first answer for the same path. */
async function contestantOf(
  service: RunningService,
  paths: readonly string[],
  name = service.name,
): Promise<Contestant> {
  const bodies = await mapSome(paths, service.text)
  const { origin, headers, pid } = service
  const expected = { status: 200, bodies }
  return { name, roots: [pid], load: { origin, method: 'GET', paths, headers, expected } }
}

/**
 * Finds the page of the catalogue whose answer has about the same length, so that the comparison
 * leaves out the cost of the length.
 */
async function catalogueLike({ service }: Stored, { load }: Contestant): Promise<Contestant> {
  const wanted = load.expected.bodies?.[0]?.length ?? 0
  const sizes = Array.from({ length: 40 }, (_, number) => number + 1)
  const pages = await Promise.all(
    sizes.map(async (size) => {
      const path = `/v1/cooperatives?size=${size}`
      return { path, distance: Math.abs((await service.text(path)).length - wanted) }
    }),
  )
  const [nearest] = pages.sort((left, right) => left.distance - right.distance)
  return contestantOf(service, [nearest?.path ?? ''], page)
}

/** The floors are for 1,000,000 orders. */
async function storeFloors(few: Stored, many: Stored, isOfLess: boolean): Promise<Floor[]> {
  const work = many.service.name
  const bytes = (many.residentBytes - few.residentBytes) / (many.count - few.count)
  const floor = { work, bound: 'at most' as const, isOfLess }
  const stall = await stallOfCompaction(many)
  return [
    figureFloor(
      { ...floor, figure: 'ready after', limit: 10, unit: ' s' },
      many.service.readyInMs / 1000,
    ),
    figureFloor({ ...floor, figure: 'memory of an order', limit: 1.5, unit: ' kB' }, bytes / 1000),
    figureFloor(
      { ...floor, figure: 'longest stall while compacting', limit: 50, unit: ' ms' },
      stall,
    ),
  ]
}

/** Reads the longest stall from the service's metrics. Reading it starts a new measurement. */
async function stallOfCompaction({ directory }: Stored): Promise<number> {
  await askOperator(directory, 'GET', '/metrics')
  await askOperator(directory, 'POST', '/operations/store.compact')
  return (await readMetric(directory, 'nodejs_eventloop_lag_max_seconds')) * 1000
}
