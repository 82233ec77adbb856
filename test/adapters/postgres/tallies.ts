import postgres from 'postgres'
import t from 'tap'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { createMarket, placeAccepted } from '../../../fixtures/world/market.ts'
import { tallies } from '../../../src/adapters/postgres/migrations/0002-tallies.ts'
import { checkPostgresStore, PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'
import { sharePurchaseOperations } from '../../../src/operations/share-purchases.ts'

t.teardown(stopServer)

const { 'purchase.approve': approve, 'purchase.settle': settle } = sharePurchaseOperations

t.test('sums of orders stay right while writes and merges run at the same time', async (t) => {
  const { options, drop } = await createDatabase()
  const store = new PostgresStore({ ...options, poolSize: 8 })
  const sql = postgres(options.url, { max: 1, onnotice: () => {} })
  t.teardown(async () => {
    await Promise.all([store.close(), sql.end()])
    await drop()
  })
  const market = await createMarket({}, { store })
  const { service } = market.world
  await sql`insert into store (key_check) values ('')`
  let isMerging = true
  const merging = (async () => {
    while (isMerging) await sql`select merge_tallies()`
  })()
  const orders = await Promise.all(Array.from({ length: 20 }, () => placeAccepted(market)))
  await Promise.all(
    orders.slice(0, 12).map(async (share_purchase_id, index) => {
      await approve.run(service, { share_purchase_id })
      if (index % 2 === 0) await settle.run(service, { share_purchase_id })
    }),
  )
  isMerging = false
  await merging
  const sums = () => store.read(({ sharePurchases }) => sharePurchases.sumByStatus())
  const expected = { submitted: { count: 8 }, approved: { count: 6 }, settled: { count: 6 } }
  t.match(await sums(), expected)
  t.match(await checkPostgresStore(options), { problems: { length: 0 } })
  await sql`select merge_tallies()`
  const [left] = await sql`select count(*)::integer as changes from tallies where not is_merged`
  t.strictSame({ ...left }, { changes: 0 })
  t.match(await sums(), expected, 'after the last merge')

  await t.test('the check of a store finds a wrong sum', async (t) => {
    await sql`update tallies set count = count + 1 where name = 'settled'`
    const { problems } = await checkPostgresStore(options)
    t.match(
      problems.join('\n'),
      /^tallies settled settled \d{4}-\d\d-\d\d: 7 and .+ add up to 6 and .+$/,
    )
  })

  await t.test('a database that has orders gets the sums from them', async (t) => {
    await sql`drop table tallies`
    await sql`drop function merge_tallies, tally_share_purchases, tally_deliveries cascade`
    await sql.unsafe(tallies)
    t.match(await sums(), expected)
    t.match(await checkPostgresStore(options), { problems: { length: 0 } })
  })
})
