import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import t from 'tap'
import { clientRecord, organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { openDatabaseSource } from '../../../src/adapters/postgres/copy.ts'
import { openPostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'

t.teardown(stopServer)

t.test('a copy that loses its connection reports it, and the process continues', async (t) => {
  const { options, drop } = await createDatabase()
  const sql = postgres(options.url, { max: 1 })
  t.teardown(async () => {
    await sql.end()
    await drop()
  })
  const encryptionKey = randomBytes(32).toString('hex')
  const { store } = await openPostgresStore({ ...options, encryptionKey })
  await store.write(anything, async ({ organizations, clients }) => {
    await organizations.put(organizationRecord())
    await clients.put(clientRecord())
  })
  await store.close()
  const source = await openDatabaseSource({ ...options, encryptionKey })
  t.teardown(() => source.close())
  const copying = source.read(async () => {
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
  })
  await t.rejects(copying, {
    code: 'SERVICE_UNAVAILABLE',
    message: /^Cannot use the database postgres:\/\/127\.0\.0\.1:\d+\/coopshare_/,
  })
})
