import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import type { DatabaseOptions } from '../../../src/adapters/postgres/database-options.ts'
import { migrate } from '../../../src/adapters/postgres/migrate.ts'
import {
  checkPostgresStore,
  openPostgresStore,
} from '../../../src/adapters/postgres/open-postgres-store.ts'

t.teardown(stopServer)

t.test('of several that start at once, one applies each migration', async (t) => {
  const options = await emptyDatabase(t)
  await t.rejects(checkPostgresStore(options), { code: 'NOT_FOUND' })
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(options)))
  t.same(applied.flat(), ['0001-schema', '0002-changes', '0003-more-changes'])
})

t.test(
  'so it is where transactions see less of each other unless they are told otherwise',
  async (t) => {
    const options = await emptyDatabase(t)
    await setForAll(options, 'default_transaction_isolation', 'repeatable read')
    const applied = await Promise.all([1, 2, 3, 4, 5, 6].map(() => migrate(options)))
    t.equal(applied.flat().length, 3)
  },
)

t.test('a schema that another version made is refused, and left as it is', async (t) => {
  const options = await emptyDatabase(t)
  await migrate(options)
  const sql = postgres(options.url, { max: 1 })
  t.teardown(() => sql.end())
  await sql`insert into migrations (name, sha256) values ('0099-later', '')`
  await t.rejects(migrate(options), { code: 'STORE_DAMAGED', message: /0099-later/ })
  await sql`delete from migrations where name = '0099-later'`
  await sql`update migrations set sha256 = 'other'`
  await t.rejects(migrate(options), { code: 'STORE_DAMAGED', message: /0001-schema/ })
})

t.test(
  "a database with another program's tables is refused, and the reason is named",
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

t.test('a pooler in between is refused, and the reason is named', async (t) => {
  const options = {
    ...(await emptyDatabase(t)),
    url: `postgres://a@127.0.0.1:${await pooler(t)}/b`,
  }
  await t.rejects(migrate(options), {
    code: 'SERVICE_UNAVAILABLE',
    message: /: unsupported startup parameter: jit\. Name the database itself: each instance has/,
  })
})

t.test('a store in a database is opened with its own key only', async (t) => {
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

t.test('whoever only works on what is there begins no store, and binds no key', async (t) => {
  const options = await emptyDatabase(t)
  const key = () => randomBytes(32).toString('hex')
  const open = () => openPostgresStore({ ...options, encryptionKey: key(), onlyExisting: true })
  const noStore = { code: 'NOT_FOUND', message: /There is no store in this database/ }
  await t.rejects(open(), noStore)
  await t.rejects(checkPostgresStore(options), noStore, 'nothing was made')
  await migrate(options)
  await t.rejects(open(), noStore)
  await t.rejects(checkPostgresStore(options), noStore, 'a schema alone is none')
  const encryptionKey = key()
  const begun = await openPostgresStore({ ...options, encryptionKey })
  await begun.store.close()
  t.match(await checkPostgresStore(options), { problems: { length: 0 }, records: { events: 0 } })
  const again = await openPostgresStore({ ...options, encryptionKey, onlyExisting: true })
  await again.store.close()
})

/** Says what PgBouncer says to whoever sets more for a connection than it keeps. */
async function pooler(t: Test): Promise<number> {
  const fields = ['SFATAL', 'C08P01', 'Munsupported startup parameter: jit', '']
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''))
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(body.length + 4, 1)
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([head, body])))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  return (server.address() as AddressInfo).port
}

/** For connections that are made from now on. */
async function setForAll({ url }: DatabaseOptions, setting: string, value: string): Promise<void> {
  const sql = postgres(url, { max: 1 })
  const name = new URL(url).pathname.slice(1)
  await sql.unsafe(`alter database ${name} set ${setting} = '${value}'`)
  await sql.end()
}

async function emptyDatabase(t: Test) {
  const { options, drop } = await createDatabase({ isEmpty: true })
  t.teardown(drop)
  return options
}
