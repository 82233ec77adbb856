import postgres from 'postgres'
import t, { type Test } from 'tap'
import { until } from '../../../fixtures/async.ts'
import {
  deliveryRecord,
  holdingRecord,
  investorRecord,
  minutesAfterNoon,
} from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { referringStore } from '../../../fixtures/stores/referring-store.ts'
import { PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'
import { subjects } from '../../../src/ports/subjects.ts'

t.teardown(stopServer)

const many = 400
/**
 * The maximum number of rows that the test may read from an index or a table. Reading it completely
 * for each delivery would be `many * many` rows.
 */
const fewRows = 20 * many

async function openStore(t: Test) {
  const { options, drop } = await createDatabase()
  const sql = postgres(options.url, { max: 1 })
  t.teardown(async () => {
    await sql.end()
    await drop()
  })
  return { store: referringStore(new PostgresStore({ ...options, poolSize: 1 })), sql }
}

type Opened = Awaited<ReturnType<typeof openStore>>

function listDue({ store }: Opened) {
  const due = { attempts: 'first', now: minutesAfterNoon(many), limit: 2 * many } as const
  return store.read(({ deliveries }) => deliveries.listDue('endpoint-1', due))
}

interface Filling {
  readonly inBetween?: () => Promise<void>
  readonly orderingKeyOf?: (minute: number) => string
}

/** Each delivery has its own order, so that all of them may be sent. */
const ownOrder = (minute: number) => `purchase-${minute}`

function fill(
  { store }: Opened,
  { inBetween = async () => {}, orderingKeyOf = ownOrder }: Filling = {},
) {
  return store.write(anything, async ({ deliveries }) => {
    for (let minute = 1; minute <= many; minute += 1) {
      await deliveries.put(deliveryRecord(minute, { orderingKey: orderingKeyOf(minute) }))
    }
    await deliveries.get('delivery-1')
    await inBetween()
  })
}

/** Closes the store first, because a connection reports its reads only when it ends. */
async function requireFewRows(t: Test, { store, sql }: Opened, relation = 'deliveries') {
  await store.close()
  const tables = await sql`select relname from pg_stat_user_tables where seq_tup_read > ${fewRows}`
  t.strictSame([...tables], [], 'no table was repeatedly read completely')
  const indexes = await sql`select indexrelname from pg_stat_user_indexes
    where relname = ${relation} and idx_tup_read > ${fewRows}`
  t.strictSame([...indexes], [], 'no index was repeatedly read completely')
}

t.test('a plan made for small tables does not scan them after they grow [D56]', async (t) => {
  const opened = await openStore(t)
  // PostgreSQL may use a generic plan from the sixth execution on.
  for (let time = 0; time < 8; time += 1) {
    // Each delivery changes its state in between, as it does in reality.
    for (const fields of [{ state: 'delivered', nextAttemptAt: null } as const, {}]) {
      await opened.store.write(anything, ({ deliveries }) =>
        deliveries.put(deliveryRecord(0, fields)),
      )
    }
    t.equal((await listDue(opened)).length, 1)
  }
  await fill(opened)
  t.equal((await listDue(opened)).length, many + 1, 'including the first one')
  await requireFewRows(t, opened)
})

t.test(
  'a plan from statistics gathered during a large write does not scan tables [D56]',
  async (t) => {
    const opened = await openStore(t)
    await fill(opened, { inBetween: async () => void (await opened.sql`analyze deliveries`) })
    t.equal((await listDue(opened)).length, many)
    await requireFewRows(t, opened)
  },
)

t.test(
  'a plan that was made while all deliveries except one waited does not scan tables',
  async (t) => {
    const opened = await openStore(t)
    await fill(opened, { orderingKeyOf: () => 'purchase' })
    t.equal((await listDue(opened)).length, 1)
    await requireFewRows(t, opened)
  },
)

t.test('a plan for works that share a transaction does not scan whole tables', async (t) => {
  const opened = await openStore(t)
  const { store } = opened
  const ids = Array.from({ length: many }, (_, number) => `investor-${number}`)
  const look = (some: readonly string[]) =>
    Promise.all(
      some.map((id) =>
        store.write(subjects.investor(id), ({ holdings }) => holdings.find('org-1', id, 'coop-1')),
      ),
    )
  const fillFor = (some: readonly string[]) =>
    store.write(anything, async ({ investors, holdings }) => {
      for (const investorId of some) {
        await investors.put(investorRecord({ investorId, partnerCustomerRef: investorId }))
        await holdings.put(holdingRecord({ investorId, id: `of-${investorId}` }))
      }
    })
  const [fewAtATime, analysed] = [4, 80]
  await fillFor(ids.slice(0, analysed))
  await opened.sql`analyze holdings`
  await look(ids.slice(0, fewAtATime))
  await fillFor(ids.slice(analysed))
  for (let first = 0; first < many; first += fewAtATime) {
    const found = await look(ids.slice(first, first + fewAtATime))
    if (found.includes(undefined)) t.fail(`a holding from ${first} on is missing`)
  }
  await requireFewRows(t, opened, 'holdings')
})

t.test('a table that has grown from nothing is analysed immediately [D56]', async (t) => {
  const opened = await openStore(t)
  const unwatch = opened.store.watchDeliveries(() => {})
  await fill(opened)
  // An automatic analysis by PostgreSQL would set `last_autoanalyze` instead.
  const analysed = () =>
    opened.sql`select from pg_stat_user_tables where relname = 'deliveries' and last_analyze is not null`
  await until(t, async () => (await analysed()).length === 1)
  unwatch()
  await opened.store.close()
})
