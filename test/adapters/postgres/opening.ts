import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import {
  administer,
  createDatabase,
  roleOfRows,
  stopServer,
} from '../../../fixtures/postgres/databases.ts'
import { placeAccepted } from '../../../fixtures/world/market.ts'
import {
  createWebhookMarket,
  deliveriesOf,
  findEvent,
  type WebhookMarket,
} from '../../../fixtures/world/webhook-market.ts'
import type { DatabaseOptions } from '../../../src/adapters/postgres/connect.ts'
import { migrate, requireMigrated } from '../../../src/adapters/postgres/migrate.ts'
import { migrations } from '../../../src/adapters/postgres/migrations/migrations.ts'
import {
  checkPostgresStore,
  openPostgresStore,
  PostgresStore,
} from '../../../src/adapters/postgres/postgres-store.ts'
import { addSeconds } from '../../../src/domain/timestamp.ts'

t.teardown(stopServer)

const names = migrations.map(({ name }) => name)

/** The migrations of a later version: a collection that gets another column. */
const later = [
  {
    name: '8001-vouchers',
    sql: `create table vouchers (voucher_id text collate "C" primary key); select add_collection('vouchers');`,
  },
  {
    name: '8002-codes',
    sql: `alter table vouchers add column code text; select add_collection('vouchers');`,
  },
] as const
const withLater = [...migrations, ...later]
const oneVoucher = { vouchers: { inserts: [{ w: 0, voucher_id: 'v-1', code: 'SUN' }] } }

t.test(
  'when several instances start at the same time, each migration is applied by one of them',
  async (t) => {
    const options = await emptyDatabase(t)
    await t.rejects(checkPostgresStore(options), { code: 'STORE_NOT_FOUND' })
    const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(options, withLater)))
    t.same(applied.flat(), [...names, '8001-vouchers', '8002-codes'])
  },
)

t.test(
  'each migration is applied once even if the database isolates transactions more strictly',
  async (t) => {
    const options = await emptyDatabase(t)
    await setForAll(options, 'default_transaction_isolation', 'repeatable read')
    const applied = await Promise.all([1, 2, 3, 4, 5, 6].map(() => migrate(options, withLater)))
    t.equal(applied.flat().length, withLater.length)
  },
)

t.test('a later version adds its migrations to a store that is in use', async (t) => {
  const options = await emptyDatabase(t)
  const encryptionKey = randomBytes(32).toString('hex')
  const { store } = await openPostgresStore({ ...options, encryptionKey })
  t.teardown(() => store.close())
  await store.write(anything, (records) => records.organizations.put(organizationRecord()))
  const lacks = { code: 'STORE_DAMAGED', message: /lacks the migration 8001-vouchers\. `coopshare/ }
  await t.rejects(requireMigrated(options, withLater), lacks)
  t.same(await migrate(options, withLater), ['8001-vouchers', '8002-codes'])
  t.same(await migrate(options, withLater), [], 'nothing is applied twice')
  await requireMigrated(options, withLater)
  const sql = connectTo(t, options)
  await sql`select commit_works(gen_random_uuid(), ${sql.json(oneVoucher)})`
  t.match(await sql`select code from vouchers`, exactArrays([{ code: 'SUN' }]))
  const another = organizationRecord({ organizationId: 'org-2', name: 'Other Bank' })
  await store.write(anything, (records) => records.organizations.put(another))
})

t.test('a migration that fails leaves nothing behind, not even those before it', async (t) => {
  const options = await emptyDatabase(t)
  await migrate(options)
  const failing = { name: '8003-failing', sql: 'create table half (); create table events ();' }
  const refused = { code: 'SERVICE_UNAVAILABLE', message: /: relation "events" already exists/ }
  await t.rejects(migrate(options, [...withLater, failing]), refused)
  const sql = connectTo(t, options)
  const [left] = await sql`select to_regclass('vouchers') as one, to_regclass('half') as other`
  t.match(left, { one: null, other: null })
  t.same(await migrate(options, withLater), ['8001-vouchers', '8002-codes'])
})

t.test('a schema of another version is refused and not changed', async (t) => {
  const options = await emptyDatabase(t)
  await migrate(options, withLater)
  await t.rejects(migrate(options), { code: 'STORE_NEWER', message: /8001-vouchers/ })
  const [vouchers, codes] = later
  const others = [...migrations, vouchers, { ...codes, name: '8002-others' }]
  const unknown = { code: 'STORE_DAMAGED', message: /8002-codes, which this version .* not know/ }
  await t.rejects(migrate(options, others), unknown)
  const edited = [...migrations, { ...vouchers, sql: `${vouchers.sql} ` }, codes]
  const different = { code: 'STORE_DAMAGED', message: /8001-vouchers is different/ }
  await t.rejects(migrate(options, edited), different)
  t.same(await migrate(options, withLater), [])
})

t.test(
  "a database with another program's tables is refused, and the error names the reason",
  async (t) => {
    const options = await emptyDatabase(t)
    const sql = postgres(options.url, { max: 1 })
    t.teardown(() => sql.end())
    await sql`create table events (id integer)`
    await t.rejects(migrate(options), {
      code: 'SERVICE_UNAVAILABLE',
      message:
        /^Cannot use the database postgres:.*: relation "events" already exists\. Name an empty/,
    })
    t.equal((await sql`select to_regclass('migrations') as log`)[0]?.['log'], null)
  },
)

t.test('a role that cannot create tables can serve an existing schema', async (t) => {
  const { store } = await openForRows(t)
  await store.write(anything, (records) => records.organizations.put(organizationRecord()))
})

t.test(
  'a database that cannot hold every name is refused, and the error says what to do',
  async (t) => {
    const options = await emptyDatabase(t)
    const url = await databaseOf(
      t,
      options,
      `latin_${randomBytes(6).toString('hex')}`,
      "encoding 'LATIN1' locale 'C'",
    )
    await t.rejects(migrate({ ...options, url }), {
      code: 'SERVICE_UNAVAILABLE',
      message:
        /: its encoding is LATIN1, which cannot store all names\. Make a database with `create/,
    })
  },
)

t.test(
  'a right that the database revokes while the service runs is not a fault of the service',
  async (t) => {
    const { store, options, url } = await openForRows(t)
    await administer(options, [`revoke insert on organizations from ${new URL(url).username}`])
    const writing = store.write(anything, (records) =>
      records.organizations.put(organizationRecord()),
    )
    await t.rejects(writing, { code: 'SERVICE_UNAVAILABLE' })
  },
)

t.test('receivers without a lease are logged once and tried again later', async (t) => {
  const { market, forbid, allow } = await openForDeliveries(t, 'insert, update on receiver_leases')
  const { dispatcher, receiver, world } = market
  await placeAccepted(market)
  await forbid()
  for (const _ of [1, 2, 3]) {
    await dispatcher.dispatchDue()
    t.equal(await dispatcher.nextDueAt(), addSeconds(world.clock.now(), 1))
    world.clock.advance(1)
  }
  t.match(errorsOf(market), exactArrays([{ message: 'deliveries could not be fetched' }]))
  t.equal(receiver.received.length, 0)
  await allow()
  await dispatcher.dispatchDue()
  t.equal(receiver.received.length, 1)
})

t.test('nothing is sent while outcomes cannot be recorded', async (t) => {
  const { market, forbid, allow } = await openForDeliveries(t, 'update on deliveries')
  const { dispatcher, receiver, world, dispatched } = market
  const id = await placeAccepted(market)
  await forbid()
  await dispatcher.dispatchDue()
  t.equal(receiver.received.length, 1)
  const faults = dispatched.filter(({ outcome }) => outcome === 'own_fault')
  t.ok(faults.some(({ kind }) => kind === 'webhook'))
  for (const _ of [1, 2, 3]) {
    t.equal(await dispatcher.nextDueAt(), addSeconds(world.clock.now(), 1))
    world.clock.advance(60)
    await dispatcher.dispatchDue()
  }
  t.equal(receiver.received.length, 1)
  t.equal(errorsOf(market).length, faults.length, 'each failure is logged once')
  await allow()
  await dispatcher.dispatchDue()
  t.equal(receiver.received.length, 2)
  const sent = await deliveriesOf(market, await findEvent(market, id))
  t.match(sent, exactArrays([{ state: 'delivered', attempts: [{ status: 204 }] }]))
})

t.test('a database can have any name and any kind of address', async (t) => {
  const options = await emptyDatabase(t)
  const name = `Süd ${randomBytes(6).toString('hex')}`
  const url = await databaseOf(t, options, name, "encoding 'UTF8'")
  t.equal((await migrate({ ...options, url })).length, migrations.length)
  // Nothing listens at that address, because the test is only about the address that was tried.
  const refused = { message: /: connect E\w+ ::1:1\b/ }
  await t.rejects(migrate({ ...options, url: 'postgres://a@[::1]:1/b' }), refused)
})

t.test('when the database accepts no writes, the store is not ready', async (t) => {
  const options = await emptyDatabase(t)
  const encryptionKey = randomBytes(32).toString('hex')
  const { store } = await openPostgresStore({ ...options, encryptionKey })
  const asStandby = `${options.url}?default_transaction_read_only=on`
  const standby = new PostgresStore({ ...options, url: asStandby })
  t.teardown(() => Promise.all([store.close(), standby.close()]))
  t.match(await store.health(), { ready: true })
  t.match(await standby.health(), { ready: false, reason: 'The database accepts no writes.' })
})

t.test('a check that exceeds the time limit names the limit', async (t) => {
  const options = await emptyDatabase(t)
  const encryptionKey = randomBytes(32).toString('hex')
  const { store } = await openPostgresStore({ ...options, encryptionKey })
  await store.close()
  const sql = postgres(options.url, { max: 1 })
  t.teardown(() => sql.end())
  await sql.begin(async (sql) => {
    await sql`lock table events in access exclusive mode`
    await t.rejects(checkPostgresStore({ ...options, statementTimeoutMs: 300 }), {
      code: 'SERVICE_UNAVAILABLE',
      message: /: canceling statement due to .* See --database-statement-timeout\.$/,
    })
  })
})

t.test('a store in a database opens only with its own key', async (t) => {
  const options = await emptyDatabase(t)
  const key = () => randomBytes(32).toString('hex')
  const refused = { code: 'ENCRYPTION_KEY_REFUSED' }
  await t.rejects(openPostgresStore({ ...options, encryptionKey: undefined }), refused)
  const encryptionKey = key()
  const { store } = await openPostgresStore({ ...options, encryptionKey })
  await store.close()
  await t.rejects(openPostgresStore({ ...options, encryptionKey: key() }), refused)
  const again = await openPostgresStore({ ...options, encryptionKey })
  await again.store.close()
})

t.test('a command that needs an existing store creates no store and no key', async (t) => {
  const options = await emptyDatabase(t)
  const key = () => randomBytes(32).toString('hex')
  const open = () => openPostgresStore({ ...options, encryptionKey: key(), onlyExisting: true })
  const noStore = { code: 'STORE_NOT_FOUND', message: /There is no store in this database/ }
  await t.rejects(open(), noStore)
  await t.rejects(checkPostgresStore(options), noStore, 'neither a store nor a key was created')
  await migrate(options)
  await t.rejects(open(), noStore)
  await t.rejects(checkPostgresStore(options), noStore, 'a schema alone is not a store')
  const encryptionKey = key()
  const begun = await openPostgresStore({ ...options, encryptionKey })
  await begun.store.close()
  t.match(await checkPostgresStore(options), { problems: { length: 0 }, records: { events: 0 } })
  const again = await openPostgresStore({ ...options, encryptionKey, onlyExisting: true })
  await again.store.close()
})

/** Opens a store that another role has created, as a role that can only read and change rows. */
async function openForRows(t: Test) {
  const options = await emptyDatabase(t)
  const encryptionKey = randomBytes(32).toString('hex')
  const made = await openPostgresStore({ ...options, encryptionKey })
  await made.store.close()
  const url = await roleOfRows(t, options)
  const { store } = await openPostgresStore({ ...options, url, encryptionKey })
  t.teardown(() => store.close())
  return { store, options, url }
}

/** Opens a market in such a store. The test can revoke the right and grant it again. */
async function openForDeliveries(t: Test, right: string) {
  const { store, options, url } = await openForRows(t)
  const market = await createWebhookMarket(t, { store })
  const { username } = new URL(url)
  const forbid = () => administer(options, [`revoke ${right} from ${username}`])
  const allow = () => administer(options, [`grant ${right} to ${username}`])
  return { market, forbid, allow }
}

function errorsOf({ world }: WebhookMarket) {
  return world.logger.lines.filter(({ level }) => level === 'error')
}

async function databaseOf(
  t: Test,
  options: DatabaseOptions,
  name: string,
  form: string,
): Promise<string> {
  await administer(options, [`create database "${name}" template template0 ${form}`])
  t.teardown(() => administer(options, [`drop database "${name}" with (force)`]))
  return Object.assign(new URL(options.url), { pathname: `/${name}` }).href
}

/** Sets a setting for all new connections. */
function setForAll(options: DatabaseOptions, setting: string, value: string): Promise<void> {
  const name = new URL(options.url).pathname.slice(1)
  return administer(options, [`alter database ${name} set ${setting} = '${value}'`])
}

function connectTo(t: Test, { url }: DatabaseOptions): postgres.Sql {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  t.teardown(() => sql.end())
  return sql
}

async function emptyDatabase(t: Test) {
  const { options, drop } = await createDatabase({ isEmpty: true })
  t.teardown(drop)
  return options
}
