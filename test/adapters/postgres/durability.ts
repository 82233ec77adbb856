import { randomBytes } from 'node:crypto'
import t from 'tap'
import { organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { databaseAt } from '../../../fixtures/postgres/databases.ts'
import { startDatabaseServer } from '../../../fixtures/postgres/server.ts'
import { openPostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'

// With these settings, a store that does not wait for the disk loses the changes of ten seconds.
const settings = ['synchronous_commit=off', 'wal_writer_delay=10s']

t.test(
  'an acknowledged order survives the crash of a database whose commits do not wait for the disk',
  async (t) => {
    const server = await startDatabaseServer(settings)
    t.teardown(() => server.stop())
    const encryptionKey = randomBytes(32).toString('hex')
    const open = () => openPostgresStore({ ...databaseAt(server.url), encryptionKey })
    const { store } = await open()
    await store.write(anything, (records) => records.organizations.put(organizationRecord()))
    await server.crash()
    await store.close()
    await server.start()
    const again = await open()
    t.teardown(() => again.store.close())
    t.match(await again.store.read(({ organizations }) => organizations.get('org-1')), {
      name: 'Demo Bank',
    })
  },
)
