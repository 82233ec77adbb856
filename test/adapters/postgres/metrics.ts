import postgres from 'postgres'
import t from 'tap'
import { until } from '../../../fixtures/async.ts'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { fillLarge } from '../../../fixtures/postgres/fill-large.ts'
import { openSniffingProxy } from '../../../fixtures/postgres/sniffing-proxy.ts'
import { createWorld } from '../../../fixtures/world/world.ts'
import { PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'
import { createMetrics } from '../../../src/http/request-metrics.ts'

t.teardown(stopServer)

/** Counts are cached for a shorter time than this. */
const longestMs = 30_000

t.test('reading the metrics of a hundred thousand orders is fast', async (t) => {
  const { options, drop } = await createDatabase()
  const line = await openSniffingProxy(t, options.url)
  const store = new PostgresStore({ ...options, url: line.url })
  const sql = postgres(options.url, { max: 1, onnotice: () => {} })
  t.teardown(async () => {
    await Promise.all([store.close(), sql.end()])
    await drop()
  })
  await fillLarge(options.url)
  const { service } = await createWorld({ store: new PostgresStore(options) })
  t.teardown(() => service.store.close())
  const metrics = createMetrics({ ...service, store })
  const counting = () => line.take().filter(({ text }) => text.includes('count(*)'))
  const submitted = async () =>
    /^coopshare_share_purchases\{status="submitted"\} (\d+)$/m.exec(await metrics.render())?.[1]

  const first = await metrics.render()
  const asked = counting()
  t.match(first, /^coopshare_share_purchases\{status="settled"\} 60000$/m)
  t.match(first, /^coopshare_deliveries\{kind="webhook",state="pending"\} 66$/m)
  t.match(first, /^coopshare_deliveries\{kind="mail",state="dead"\} 16$/m)
  t.notMatch(first, /^coopshare_store_(last_sync_seconds|bytes)/m, 'they are not about a database')

  await t.test(
    'the metrics are counted in indexes that leave out finished deliveries',
    async (t) => {
      await sql`set enable_seqscan = off`
      const used = new Set<string>()
      for (const { text, values } of asked) {
        for (const row of await sql.unsafe(`explain ${text}`, [...values])) {
          const [, index] = /Index Only Scan using (\w+)/.exec(row['QUERY PLAN']) ?? []
          if (index) used.add(index)
        }
      }
      for (const index of [
        'share_purchases_by_status_and_time',
        'deliveries_by_state',
        'deliveries_written',
      ])
        t.ok(used.has(index), index)
    },
  )

  await t.test('the metrics are not counted again for the next request', async (t) => {
    await metrics.render()
    line.take()
    for (const _ of [1, 2, 3, 4, 5]) await metrics.render()
    t.same(counting(), [])
  })

  await t.test('the metrics show changes', async (t) => {
    t.equal(await submitted(), '5000')
    await sql`update share_purchases set status = 'submitted' where share_purchase_id = 'p1000000'`
    await until(t, async () => (await submitted()) === '5001', longestMs)
  })
})
