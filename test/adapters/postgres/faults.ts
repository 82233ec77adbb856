import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { until } from '../../../fixtures/async.ts'
import { investorRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { openSlowMarket, openSlowProxy } from '../../../fixtures/postgres/slow-proxy.ts'
import { openSniffingProxy } from '../../../fixtures/postgres/sniffing-proxy.ts'
import { referringStore } from '../../../fixtures/stores/referring-store.ts'
import { place } from '../../../fixtures/world/market.ts'
import { createWorld } from '../../../fixtures/world/world.ts'
import type { DatabaseOptions } from '../../../src/adapters/postgres/connect.ts'
import { PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'
import { createVault } from '../../../src/adapters/vault.ts'
import type { Records } from '../../../src/ports/store.ts'
import { subjects } from '../../../src/ports/subjects.ts'

t.teardown(stopServer)

async function openStore(t: Test, overrides: Partial<DatabaseOptions> = {}) {
  const database = await createDatabase()
  const options = { ...database.options, ...overrides }
  const store = referringStore(new PostgresStore(options))
  const sql = postgres(options.url, { max: 1 })
  t.teardown(async () => {
    await Promise.all([store.close(), sql.end()])
    await database.drop()
  })
  return { store, sql, options }
}

const one = investorRecord({ investorId: 'one', partnerCustomerRef: 'c-1' })
const other = investorRecord({ investorId: 'other', partnerCustomerRef: 'c-2' })

function putBoth(store: PostgresStore) {
  return store.write(anything, async ({ investors }) => {
    await investors.put(one)
    await investors.put(other)
  })
}

const locking = "select from investors where investor_id = 'one' for update"
const lockingOther = "select from investors where investor_id = 'other' for update"

t.test('a write that the database ended because of a deadlock runs again', async (t) => {
  const { store, sql } = await openStore(t)
  await putBoth(store)
  const meeting = new EventTarget()
  const isHalfway = once(meeting, 'halfway')
  let runs = 0
  const writing = isHalfway.then(() =>
    store.write(anything, async ({ investors }) => {
      runs += 1
      await investors.get('org-1', 'one')
      meeting.dispatchEvent(new Event('locked'))
      await investors.get('org-1', 'other')
      await investors.put({ ...one, partnerCustomerRef: 'changed' })
    }),
  )
  await sql.begin(async (stranger) => {
    // With this setting, the database ends the write and not this transaction.
    await stranger.unsafe("set local deadlock_timeout = '60s'")
    await stranger.unsafe(lockingOther)
    const isLocked = once(meeting, 'locked')
    meeting.dispatchEvent(new Event('halfway'))
    await isLocked
    await stranger.unsafe(locking)
  })
  await writing
  t.ok(runs > 1, 'the other transaction may end it more than once')
  const found = await store.read(({ investors }) =>
    investors.findByPartnerCustomerRef('org-1', 'changed'),
  )
  t.equal(found?.investorId, 'one')
})

t.test(
  'a statement over the time limit is ended, and the client can repeat the request',
  async (t) => {
    const { store, sql } = await openStore(t, { statementTimeoutMs: 200 })
    await putBoth(store)
    const write = () =>
      store.write(anything, async ({ investors }) => {
        await investors.get('org-1', 'one')
        await investors.put({ ...one, partnerCustomerRef: 'changed' })
      })
    await sql.begin(async (stranger) => {
      await stranger.unsafe(locking)
      await t.rejects(write(), { code: 'SERVICE_UNAVAILABLE', extra: { retryAfterSeconds: 1 } })
    })
    await write()
  },
)

t.test('a refusal whose proof fails twice is thrown once, and the process continues', async (t) => {
  const { store, sql } = await openStore(t)
  await putBoth(store)
  const writing = store.write(anything, async ({ investors, organizations }) => {
    await investors.get('org-1', 'one')
    await organizations.get('org-1')
    // This makes both the proof of the row and the check of the cached collection fail.
    await sql.unsafe('set client_min_messages = error; drop table investors, changes cascade')
    throw new Error('It is refused.')
  })
  await t.rejects(writing, { code: '42P01' })
})

t.test(
  'when the database stops answering, requests get 503 and new connections are opened',
  async (t) => {
    const { options } = await openStore(t, { poolSize: 5, statementTimeoutMs: 1000 })
    const line = await openSlowProxy(t, options.url)
    const store = referringStore(new PostgresStore({ ...options, url: line.url }))
    t.teardown(() => store.close())
    await putBoth(store)
    const change = async ({ investors }: Records) => {
      await investors.get('org-1', 'one')
      await investors.get('org-1', 'other')
    }
    const all = () =>
      Promise.allSettled([
        store.write(anything, change),
        store.write(subjects.investor('one'), change),
        store.read(({ investors }) => investors.get('org-1', 'one')),
      ])
    const states = async () => (await all()).map(({ status }) => status)
    t.same(await states(), ['fulfilled', 'fulfilled', 'fulfilled'])
    void line.swallow()
    for (const outcome of await all()) {
      t.match(outcome, {
        status: 'rejected',
        reason: { code: 'SERVICE_UNAVAILABLE', extra: { retryAfterSeconds: 1 } },
      })
    }
    // On a busy machine, a statement may take longer than its limit in this test.
    await until(t, async () => (await states()).every((status) => status === 'fulfilled'))
  },
)

t.test('an outage of the database is logged once, even if many requests are refused', async (t) => {
  const { options } = await openStore(t)
  const line = await openSlowProxy(t, options.url)
  const store = new PostgresStore({ ...options, url: line.url })
  t.teardown(() => store.close())
  const world = await createWorld({ store })
  const { token } = world.partner
  line.cut()
  for (let asked = 0; asked < 3; asked += 1) {
    const { status, headers } = await world.request('GET', '/v1/me', { token })
    t.equal(status, 503)
    t.equal(headers.get('retry-after'), '1')
  }
  // Two reasons are logged: lost connections, and new connections that fail.
  const reasons = world.logger.lines.map(({ fields }) => (fields['error'] as Error).message)
  t.ok(reasons.length > 0)
  t.strictSame(reasons, [...new Set(reasons)])
})

t.test('the store opens no more connections than the pool allows', async (t) => {
  const { store, sql } = await openStore(t, { poolSize: 4 })
  await putBoth(store)
  let most = 0
  let isOver = false
  const count = async () => {
    while (!isOver) {
      const [row] = await sql<{ count: number }[]>`select count(*)::integer as count
        from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
      most = Math.max(most, row?.count ?? 0)
    }
  }
  const counting = count()
  const look = () => store.read(({ investors }) => investors.get('org-1', 'one'))
  const write = () => store.write(anything, ({ investors }) => investors.put(one))
  const share = (index: number) =>
    store.write(subjects.investor(`${index}`), ({ holdings }) =>
      holdings.find('org-1', 'one', 'solar'),
    )
  const all = Array.from({ length: 100 }, (_, index) => [look(), write(), share(index)])
  await Promise.all(all.flat())
  isOver = true
  await counting
  t.ok(most >= 1 && most <= 4, `${most} connections`)
})

// Nothing awaits such queries, so a connection that is lost during one would end the process.
t.test('the driver sends no additional queries', async (t) => {
  const database = await createDatabase()
  const line = await openSniffingProxy(t, database.options.url)
  const store = new PostgresStore({ ...database.options, url: line.url })
  t.teardown(async () => {
    await store.close()
    await database.drop()
  })
  await store.read(({ settings }) => settings.get())
  await store.write(anything, ({ settings }) => settings.get())
  const said = line
    .take()
    .map(({ text }) => text)
    .join('\n')
  t.match(said, /from settings/)
  t.notMatch(said, /pg_type/)
})

for (const when of ['before', 'after'] as const) {
  t.test(
    `a write is carried out once when the connection is lost ${when} the database has received the commit`,
    async (t) => {
      const { line, store, market } = await openSlowMarket(t)
      const order = () => place(market, {}, { headers: { 'idempotency-key': 'once' } })
      // This text occurs only in statements that put records.
      line.cutAt('"encrypted_request_digest":', when)
      const answer = await order()
      t.equal(answer.status, 201, 'the database is asked for the outcome')
      t.equal(answer.headers.get('idempotent-replayed'), null)
      t.equal((await order()).headers.get('idempotent-replayed'), 'true')
      const orders = await store.read(({ sharePurchases }) => sharePurchases.list({}))
      t.equal(orders.length, 1)
      await store.begin(createVault(randomBytes(32)))
      t.match(await store.check(), { problems: { length: 0 } }, 'no record is incomplete')
    },
  )
}
