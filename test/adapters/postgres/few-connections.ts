import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { until } from '../../../fixtures/async.ts'
import { organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import {
  administer,
  createDatabase,
  isAnyoneWaiting,
  roleOfRows,
  stopServer,
} from '../../../fixtures/postgres/databases.ts'
import { createMarket, place, provision } from '../../../fixtures/world/market.ts'
import { openPostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'

t.teardown(stopServer)

const some = Array.from({ length: 60 }, (_, number) => `org_${number}`)

/** Opens a store with a pool of 16 connections, as a role that may have only `most` connections. */
async function openWithFew(t: Test, most: number) {
  const { options, drop } = await createDatabase()
  t.teardown(drop)
  const url = await roleOfRows(t, options, { most })
  const encryptionKey = randomBytes(32).toString('hex')
  const { store } = await openPostgresStore({ ...options, url, poolSize: 16, encryptionKey })
  t.teardown(() => store.close())
  const role = new URL(url).username
  const lose = () =>
    administer(options, [
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
    ])
  const limitTo = (limit: number) =>
    administer(options, [`alter role ${role} connection limit ${limit}`])
  return { store, options, lose, limitTo }
}

t.test('a request waits for an existing connection when it cannot open one', async (t) => {
  const { store } = await openWithFew(t, 3)
  await Promise.all(
    some.map((organizationId) =>
      store.write(anything, (records) =>
        records.organizations.put(organizationRecord({ organizationId, name: organizationId })),
      ),
    ),
  )
  const found = await Promise.all(
    some.map((id) => store.read((records) => records.organizations.get(id))),
  )
  t.same(
    found.map((record) => record?.organizationId),
    some,
  )
})

t.test('simultaneous orders share the existing connections', async (t) => {
  const { store } = await openWithFew(t, 3)
  const market = await createMarket({}, { store })
  const investors = await Promise.all(
    some.map((ref) => provision(market.world, { partner_customer_ref: ref })),
  )
  const answers = await Promise.all(
    investors.map((investorId) => place(market, {}, { investorId })),
  )
  t.same(
    answers.map(({ status }) => status),
    some.map(() => 201),
  )
})

t.test('reads and writes get connections again after all were lost', async (t) => {
  for (const most of [3, 4, 6, 100]) {
    const { store, lose } = await openWithFew(t, most)
    const work = async (organizationId: string, index: number) => {
      const record = organizationRecord({ organizationId, name: organizationId })
      if (index % 2) await store.write(anything, ({ organizations }) => organizations.put(record))
      else await store.read(({ organizations }) => organizations.get(organizationId))
    }
    for (const round of [1, 2, 3]) {
      await Promise.all(some.map(work))
      await lose()
      // The requests are repeated, because the database counts lost connections until they have
      // ended.
      const insist = (id: string, index: number) =>
        until(t, async () =>
          work(id, index).then(
            () => true,
            () => false,
          ),
        )
      await Promise.all(some.map(insist))
      t.pass(`${most} connections, round ${round}`)
    }
  }
})

t.test('without any connection the store is not ready', async (t) => {
  const { store, lose, limitTo } = await openWithFew(t, 3)
  await limitTo(0)
  await lose()
  await until(t, async () => !(await store.health()).ready)
  t.match(await store.health(), { ready: false, reason: /too many connections for role/ })
  await limitTo(3)
  await until(t, async () => (await store.health()).ready)
})

t.test('a query on a lost connection is sent again', async (t) => {
  const { store, options, lose } = await openWithFew(t, 100)
  const sql = postgres(options.url, { max: 1 })
  t.teardown(() => sql.end())
  const read = () => store.read(({ sharePurchases }) => sharePurchases.countByStatus())
  for (const _ of [1, 2]) {
    let reads: Promise<unknown>[] = []
    await sql.begin(async (sql) => {
      await sql`lock table share_purchases in access exclusive mode`
      reads = some.map(read)
      await until(t, () => isAnyoneWaiting(sql))
      await lose()
    })
    for (const counts of await Promise.all(reads)) t.match(counts, { submitted: 0 })
  }
})

t.test('a start with too few connections names the reason and the flag', async (t) => {
  await t.rejects(openWithFew(t, 0), {
    code: 'SERVICE_UNAVAILABLE',
    message:
      /^Cannot use the database postgres:.*: too many connections for role .* --database-pool-size/,
  })
})
