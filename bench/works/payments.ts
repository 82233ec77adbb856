// How long it takes to collect many payments, to make the file, and to import a statement in which all come back; how long
// the event loop is held meanwhile, and how much memory it takes.
import { completeProfile } from '../../fixtures/builders/investors.ts'
import type { Bench } from '../bench.ts'
import { startDatabase } from '../servers/database.ts'
import { filledFlags, writeFixtures } from '../servers/filled-service.ts'
import { askOperator, readMetric } from '../servers/operator.ts'
import { type RunningService, startService } from '../servers/service.ts'
import { keyOf, organization } from '../servers/set-up.ts'

/** Half of the stored orders of other works, which is what a large platform collects in a month. */
const share = 2

export async function measure(bench: Bench): Promise<void> {
  const count = Math.ceil(bench.orders / share)
  for (const engine of bench.engines) {
    const database = engine === 'postgres' ? await startDatabase(bench) : undefined
    const service = await startService(bench, {
      name: `${count} payments, ${engine}`,
      database,
      flags: filledFlags,
      setUp: { cooperatives: 1 },
    })
    await service.command('fixtures', 'apply', writeFixtures(bench, engine, approvedOrders(count)))
    const creditor = { name: 'Bench eG', creditor_id: 'DE98ZZZ09999999999' }
    const iban = 'DE02120300000000202051'
    await timed(bench, service, 'payments opened', () =>
      ask(service, 'cooperative.set_creditor', { cooperative: keyOf(0), ...creditor, iban }),
    )
    const created = await timed(bench, service, 'collection created', () =>
      ask(service, 'collection.create', {}),
    )
    const [{ collection_id }] = JSON.parse(created).collections
    await timed(bench, service, 'file made', () =>
      ask(service, 'collection.export', { collection_id }),
    )
    const shown = JSON.parse(await ask(service, 'collection.show', { collection_id }))
    const returns = shown.payments.map(
      ({ share_purchase_id }: Readonly<Record<string, string>>) => ({
        share_purchase_id,
        code: 'AM04',
      }),
    )
    const simulated = await ask(service, 'statement.simulate', { collection_id, returns })
    const { file: text } = JSON.parse(simulated)
    await timed(bench, service, `statement of ${count + 1} entries imported`, () =>
      ask(service, 'statement.import', { name: 'bench.xml', text }),
    )
    await timed(bench, service, 'the same imported again', () =>
      ask(service, 'statement.import', { name: 'bench.xml', text }),
    )
    await service.stop()
  }
}

function ask(service: RunningService, operation: string, input: object): Promise<string> {
  return askOperator(service.directory, 'POST', `/operations/${operation}`, input)
}

async function timed<Result>(
  bench: Bench,
  service: RunningService,
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const readStall = () => readMetric(service.directory, 'nodejs_eventloop_lag_max_seconds')
  const readMemory = () => readMetric(service.directory, 'process_resident_memory_bytes')
  // The metric begins again whenever it is read.
  await readStall()
  const before = await readMemory()
  const startedAt = performance.now()
  const result = await work()
  const seconds = (performance.now() - startedAt) / 1000
  const stallMs = (await readStall()) * 1000
  const megabytes = ((await readMemory()) - before) / 1e6
  bench.show(`${service.name}: ${what}`, [seconds], 's')
  bench.show(`${service.name}: ${what}, longest stall`, [stallMs], 'ms')
  bench.show(`${service.name}: ${what}, more memory afterwards`, [megabytes], 'MB')
  return result
}

function approvedOrders(count: number) {
  const investors = Array.from({ length: count }, (_, number) => ({
    partner_customer_ref: `paying-${number}`,
    email: `paying-${number}@example.org`,
    profile: completeProfile(),
    share_purchases: [{ cooperative: keyOf(0), share_count: 5, status: 'approved' }],
  }))
  return { organizations: [{ name: organization, investors }] }
}
