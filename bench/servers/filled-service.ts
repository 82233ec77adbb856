// A service whose store has many orders.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { completeProfile } from '../../fixtures/builders/investors.ts'
import type { Bench, Engine } from '../bench.ts'
import { startDatabase, withKeyOf } from './database.ts'
import { type RunningService, startService } from './service.ts'
import { keyOf, organization } from './set-up.ts'

export const filledSetUp = { investors: 100, orders: 20, cooperatives: 125 }
/** With a retention, the service would remove what is measured. */
export const filledFlags = ['--event-retention', '0']

/**
 * Starts a service, stores `--orders` orders, and starts it again. A data directory is filled first, because the copy of
 * one into a database takes less time than storing each order there.
 */
export async function startFilled(bench: Bench, engine: Engine): Promise<RunningService> {
  const name = `${bench.orders} orders, ${engine}`
  const service = await startService(bench, { name, flags: filledFlags, setUp: filledSetUp })
  // Nothing listens there, so the deliveries stay pending.
  await service.command(
    ...['webhook', 'register', '--organization', organization, 'http://127.0.0.1:9/'],
  )
  const file = writeFixtures(bench, 'stored', storedOrders(bench.orders))
  const startedAt = performance.now()
  await service.command('fixtures', 'apply', file)
  bench.show(`${name}: applied after`, [secondsSince(startedAt)], 's')
  const { directory, command, stop } = service
  await stop()
  if (engine === 'directory') return startService(bench, { name, flags: filledFlags, directory })
  const empty = await startDatabase(bench)
  const copyStartedAt = performance.now()
  const copied = JSON.parse(await command('store', 'copy', '--to', empty.url, '--json'))
  bench.show(`${name}: copied after`, [secondsSince(copyStartedAt)], 's')
  const database = withKeyOf(copied.encryption_key_file, empty)
  return startService(bench, { name, database, flags: filledFlags })
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000
}

export function writeFixtures(bench: Bench, name: string, fixtures: object): string {
  const file = join(bench.directory, `${name}.json`)
  writeFileSync(file, JSON.stringify(fixtures))
  return file
}

const ordersOfInvestor = 20
/** Most orders have their final status, as in a store that has grown over months. */
const statuses = [
  ...Array.from({ length: 14 }, () => ({ status: 'settled' })),
  ...[{ status: 'approved' }, { status: 'approved' }, { status: 'submitted' }],
  ...[{ status: 'cancelled' }, { status: 'rejected', reason: 'The mandate is not valid.' }],
]

/**
 * Makes the fixture of investors with this number of orders together, spread over the cooperatives
 * of the partner. Every second investor has the same name.
 */
export function storedOrders(count: number) {
  const investors = Array.from({ length: Math.ceil(count / ordersOfInvestor) }, (_, number) => ({
    partner_customer_ref: `stored-${number}`,
    email: `stored-${number}@example.org`,
    profile: {
      ...completeProfile(),
      first_name: 'Frieda',
      last_name: number % 2 === 0 ? 'Sonnenschein' : `Beispiel${number}`,
    },
    share_purchases: Array.from({ length: ordersOfInvestor }, (_, order) => ({
      cooperative: keyOf((number + order) % filledSetUp.cooperatives),
      share_count: 5,
      ...statuses[(number + order) % statuses.length],
    })),
  }))
  return { organizations: [{ name: organization, investors }] }
}
