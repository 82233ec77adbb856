import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import postgres from 'postgres'
import t from 'tap'
import { until } from '../../fixtures/async.ts'
import { createDatabase, isAnyoneWaiting, stopServer } from '../../fixtures/postgres/databases.ts'
import { openSlowProxy } from '../../fixtures/postgres/slow-proxy.ts'
import { signIn } from '../../fixtures/program/partner-client.ts'
import { serve, spawnCoopshare } from '../../fixtures/program/serve.ts'
import { createInstances } from '../../fixtures/program/served-instances.ts'

t.teardown(stopServer)

t.test('SIGTERM ends a start that waits for its database', async (t) => {
  const { options, drop } = await createDatabase({ isEmpty: true })
  const sql = postgres(options.url, { max: 1, onnotice: () => {} })
  t.teardown(async () => {
    await sql.end()
    await drop()
  })
  // This holds the lock that an instance takes to apply migrations.
  await sql`select pg_advisory_lock(7236837530)`
  const variables = { COOPSHARE_ENCRYPTION_KEY: randomBytes(32).toString('hex') }
  const argv = ['serve', '--port', '0', '--database-url', options.url, '--data-dir', t.testdir()]
  const { process: starting, ended } = await spawnCoopshare(argv, variables)
  await until(t, () => isAnyoneWaiting(sql))
  starting.kill('SIGTERM')
  t.match(await ended, { code: 0, signal: null })
})

t.test('SIGTERM ends a service within 10 s even if its database is silent', async (t) => {
  const { database, seed, argv } = await createInstances(t)
  const line = await openSlowProxy(t, database.url)
  const far = argv.map((word) => (word === database.url ? line.url : word))
  // The data directory has the encryption key.
  const dataDirectory = join(t.testdirName, 'far')
  const served = await serve(t, ['--data-dir', dataDirectory, '--log-level', 'silent', ...far])
  const credentials = { client_id: seed.clientId, client_secret: seed.clientSecret }
  const partner = await signIn(served.listening_url, credentials)
  const order = (key: string) => partner.order(seed.investorId, seed.cooperativeId, key)
  t.equal((await order('before')).status, 201)
  const swallowed = line.swallow()
  const unanswered = Promise.allSettled(['one', 'two', 'three'].map(order))
  await swallowed
  const startedAt = performance.now()
  t.match(await served.stop(), { code: 0, signal: null })
  t.ok(performance.now() - startedAt < 10_000)
  await unanswered
})
