import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import StoreMigrate from '../../../commands/store/migrate.ts'
import { organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { databaseAt } from '../../../fixtures/postgres/databases.ts'
import { startDatabaseServer } from '../../../fixtures/postgres/server.ts'
import { runCommand } from '../../../fixtures/program/run-command.ts'
import { openPostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'

t.test('the database can be reached by a local socket', async (t) => {
  // The socket is not in this directory, because names of sockets must be short and the server runs
  // as another user.
  const directory = mkdtempSync(join(tmpdir(), 'coopshare-socket-'))
  chmodSync(directory, 0o777)
  t.teardown(() => rmSync(directory, { recursive: true }))
  const settings = ['listen_addresses=', `unix_socket_directories=${directory}`]
  const server = await startDatabaseServer(settings)
  t.teardown(() => server.stop())
  const url = server.url.replace('127.0.0.1', encodeURIComponent(directory))
  t.match(await runCommand(StoreMigrate, '--database-url', url), { exitCode: 0, stderr: '' })
  const { store } = await openPostgresStore({
    ...databaseAt(url),
    encryptionKey: randomBytes(32).toString('hex'),
  })
  await store.write(anything, ({ organizations }) => organizations.put(organizationRecord()))
  t.ok(await store.read(({ organizations }) => organizations.get('org-1')))
  await store.close()
  const nobody = await runCommand(StoreMigrate, '--database-url', url.replace(/:\d+\//, ':1/'))
  t.match(nobody, { exitCode: 5, stderr: /\.s\.PGSQL\.1/ })
})

// A proxy without its database behaves like this server. Without a limit, the driver would
// reconnect hundreds of times a second.
t.test(
  'a server that drops connections immediately gets one connection for each attempt',
  async (t) => {
    let dialled = 0
    const server = createServer((socket) => {
      dialled += 1
      socket.on('error', () => {})
      socket.destroy()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => server.close())
    const { port } = server.address() as AddressInfo
    const refused = await runCommand(
      StoreMigrate,
      '--database-url',
      `postgres://a@127.0.0.1:${port}/b`,
    )
    t.match(refused, {
      exitCode: 5,
      stderr: /: Something listens there, but closes each connection\. It may/,
    })
    t.equal(dialled, 1)
  },
)
