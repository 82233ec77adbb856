// What many stored orders change: the next start, memory, reads of partners, and how long the work of
// operators holds up the event loop of the service.
import { completeProfile } from '../../fixtures/builders/investors.ts'
import type { Bench, Engine } from '../bench.ts'
import { reading } from '../load/partner-loads.ts'
import { startDatabase } from '../servers/database.ts'
import {
  filledFlags as flags,
  filledSetUp as setUp,
  startFilled,
  storedOrders,
  writeFixtures,
} from '../servers/filled-service.ts'
import { readMetric } from '../servers/operator.ts'
import { residentBytesOf } from '../servers/process-tree.ts'
import { type RunningService, startService } from '../servers/service.ts'

const endings = {
  investor: '',
  'orders, page of 20': '/share-purchases?size=20',
  holdings: '/holdings',
}

export async function measure(bench: Bench): Promise<void> {
  for (const engine of bench.engines) {
    const few = await startService(bench, {
      name: `few orders, ${engine}`,
      database: engine === 'postgres' ? await startDatabase(bench) : undefined,
      flags,
      setUp,
    })
    const many = await startFilled(bench, engine)
    bench.show(`${many.name}: ready after`, [many.readyInMs / 1000], 's')
    const [less, more] = [few, many].map(({ pid }) => residentBytesOf(pid))
    const kilobytes = ((more ?? 0) - (less ?? 0)) / 1000 / bench.orders
    bench.show(`${many.name}: memory of an order just after the start`, [kilobytes], 'kB')
    for (const [work, ending] of Object.entries(endings)) {
      await bench.run({
        work,
        connections: 16,
        ours: [await reading(many, setUp.investors, ending)],
        others: [await reading(few, setUp.investors, ending)],
      })
    }
    await measureStalls(bench, many, engine)
    await Promise.all([few.stop(), many.stop()])
  }
}

async function measureStalls(bench: Bench, service: RunningService, engine: Engine) {
  const { organizations } = storedOrders(2000)
  const imported = organizations.map((one) => ({ ...one, name: 'Import Bank' }))
  const files = {
    imported: writeFixtures(bench, 'imported', { organizations: imported }),
    dependents: writeFixtures(bench, 'dependents', dependents(1000)),
  }
  const commands = [
    ['fixtures', 'apply', files.imported],
    ['fixtures', 'apply', files.dependents],
    ['purchase', 'list', '-o', 'csv'],
    ['audit', 'export'],
    ['store', 'check'],
    ...(engine === 'directory' ? [['store', 'compact']] : []),
  ]
  for (const command of commands) await measureStall(bench, service, command)
  const listed = await service.command(
    ...['purchase', 'list', '--cooperative', 'dependents', '--sort', 'created_at'],
    ...['--limit', '1', '--json'],
  )
  const [first] = JSON.parse(listed)
  await measureStall(bench, service, ['purchase', 'cancel', first.share_purchase_id, '--yes'])
}

async function measureStall(
  bench: Bench,
  service: RunningService,
  command: readonly string[],
): Promise<void> {
  const readStall = () => readMetric(service.directory, 'nodejs_eventloop_lag_max_seconds')
  // Reading the metric starts a new measurement.
  await readStall()
  await service.command(...command)
  const what = command.map((word) => word.replace(/.*\//, '')).join(' ')
  bench.show(`${service.name}: longest stall, ${what}`, [(await readStall()) * 1000], 'ms')
}

/** One order that pays the entry fee, and others that depend on it. */
function dependents(count: number) {
  const cooperative = {
    key: 'dependents',
    name: 'Energiegenossenschaft Kempten',
    energy_category: 'solar',
    share_price: '100.00',
    entry_fee: '50.00',
  }
  const investor = {
    partner_customer_ref: 'dependents',
    email: 'dependents@example.org',
    profile: completeProfile(),
    share_purchases: Array.from({ length: count + 1 }, () => ({
      cooperative: cooperative.key,
      share_count: 5,
    })),
  }
  return {
    organizations: [{ name: 'Dependent Bank', investors: [investor] }],
    cooperatives: [cooperative],
  }
}
