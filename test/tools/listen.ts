import { randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import Listen from '../../commands/listen.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { fillStore, startService } from '../../fixtures/program/run-command.ts'
import { type RunCommand, runnerOn } from '../../fixtures/program/with-and-without-service.ts'
import { createPartner } from '../../fixtures/world/partner.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'
import { openCursor } from '../../src/tools/listen/follow-events.ts'

const receiver = 'http://localhost:3000/hooks'
const forward = ['--organization', 'Demo Bank', '--forward-to', receiver]
const secretForm = /^whsec_[\w-]{43}$/

/** Runs the test with a service whose store has one event. */
async function served(t: Test, test: (run: RunCommand, directory: string) => Promise<void>) {
  const directory = t.testdir()
  await fillStore(directory, async (service) => {
    await seedOrders(1)(service)
    await createPartner(service, 'Other Bank')
  })
  const serving = await startService(directory)
  // The service does not stop in a teardown, because tap removes the directory before teardowns
  // run, and the service may still write to it.
  try {
    await test(runnerOn(directory), directory)
  } finally {
    await serving.close()
  }
}

t.test('--print-secret prints only the signing secret', (t) =>
  served(t, async (run) => {
    const first = await run(Listen, ...forward, '--print-secret')
    t.equal(first.exitCode, 0)
    t.match(first.stdout, secretForm)
    const again = await run(Listen, ...forward, '--print-secret', '--json')
    t.strictSame(again.json, { signing_secret: first.stdout }, 'it stays the same')
    const elsewhere = ['--organization', 'Demo Bank', '--forward-to', 'http://localhost:4000/']
    const other = await run(Listen, ...elsewhere, '--print-secret')
    t.not(other.stdout, first.stdout, 'another receiver has another secret')
  }),
)

t.test('when two listeners start at the same time, one of them creates the secret', async (t) => {
  const path = join(t.testdir(), 'listen', 'cursor.json')
  const now = '2026-01-01T10:00:00.000Z'
  const wanted = { path, organizationId: 'bank', forwardTo: receiver, since: undefined, now }
  const [one, other] = await Promise.all([openCursor(wanted), openCursor(wanted)])
  t.match(one.cursor.signing_secret, secretForm)
  t.strictSame(other, one)
  t.strictSame(await openCursor(wanted), one, 'the file has the same secret')
  t.strictSame(await readdir(dirname(path)), ['cursor.json'], 'no other file is left')
})

t.test('listen finds the service of its directory when the store is in a database', async (t) => {
  const directory = t.testdir({ 'encryption.key': randomBytes(32).toString('hex') })
  const { options, drop } = await createDatabase()
  t.teardown(async () => {
    await drop()
    await stopServer()
  })
  const key = ['--encryption-key-file', join(directory, 'encryption.key')]
  const inDatabase = ['--database-url', options.url, ...key]
  await fillStore(directory, seedOrders(1), ...inDatabase)
  const print = () => runnerOn(directory)(Listen, ...forward, '--print-secret', ...inDatabase)
  const none = await print()
  t.equal(none.exitCode, 5)
  t.match(none.stderr, /No service is running on/)
  const serving = await startService(directory, ...inDatabase)
  t.match((await print()).stdout, secretForm)
  await serving.close()
})

t.test('--cursor keeps the position in another file', (t) =>
  served(t, async (run, directory) => {
    const file = join(directory, 'cursor.json')
    const own = [...forward, '--cursor', file, '--print-secret']
    const { stdout } = await run(Listen, ...own)
    const kept = JSON.parse(await readFile(file, 'utf8'))
    t.match(kept, { forward_to: receiver, signing_secret: stdout, after: null, since: /^2/ })

    const others = ['--organization', 'Other Bank', '--forward-to', receiver, '--cursor', file]
    const mixedUp = await run(Listen, ...others)
    t.equal(mixedUp.exitCode, 4)
    t.match(mixedUp.stderr, /is the cursor of organization/)

    const wrong = [{ after: 5 }, { signing_secret: '' }, { since: 'garbage' }]
    const texts = wrong.map((fields) => JSON.stringify({ ...kept, ...fields }))
    for (const text of ['{"after":', '{}', ...texts]) {
      await writeFile(file, text)
      const damaged = await run(Listen, ...own)
      t.equal(damaged.exitCode, 4, text)
      t.match(damaged.stderr, /is not a cursor file of `listen`\. Remove it/)
      t.notMatch(damaged.stderr, stdout)
      t.equal(await readFile(file, 'utf8'), text, 'the other file is unchanged')
    }
  }),
)

t.test('an unknown organization is refused', (t) =>
  served(t, async (run) => {
    const unknown = ['--organization', 'Demo', '--forward-to', receiver]
    const { exitCode, stderr } = await run(Listen, ...unknown)
    t.equal(exitCode, 3)
    t.match(stderr, /There is no organization "Demo"/)
  }),
)

t.test('listen fails without a service, and does not start one', async (t) => {
  const directory = t.testdir()
  const { exitCode, json, stdout } = await runnerOn(directory)(Listen, ...forward, '--json')
  t.equal(exitCode, 5)
  t.notMatch(stdout, '\n', 'one object on a line, like all other errors')
  t.match(json.error, { code: 'SERVICE_UNAVAILABLE', message: /^No service is running on .*serve/ })
})

t.test('wrong usage of listen has exit code 2', async (t) => {
  const run = runnerOn(t.testdir())
  const to = (url: string) => ['--organization', 'Demo Bank', '--forward-to', url]
  const rows: [string, string[]][] = [
    ['no organization', ['--forward-to', receiver]],
    ['no receiver', ['--organization', 'Demo Bank']],
    ['no URL', to('localhost:3000')],
    ['another scheme', to('ftp://localhost/hooks')],
    ['with a password', to('http://user:pass-word@localhost/hooks')],
    ['with only a password', to('http://:pass-word@localhost/hooks')],
    ['with a fragment', to('http://localhost/hooks#pass-word')],
    ['an unknown type', [...forward, '--type', 'share_purchase.lost']],
    ['a time without offset', [...forward, '--since', '2026-01-01T10:00:00']],
    ['no time', [...forward, '--since', 'yesterday']],
    ['a time before the year 0', [...forward, '--since', '999999d']],
    ['no wait', [...forward, '--backoff', 'soon']],
    ['both', [...forward, '--print-secret', '--since', '2026-01-01T10:00:00Z']],
  ]
  for (const [title, argv] of rows) {
    const { exitCode, stderr } = await run(Listen, ...argv)
    t.equal(exitCode, 2, title)
    t.notMatch(stderr, /pass-word/)
  }
})
