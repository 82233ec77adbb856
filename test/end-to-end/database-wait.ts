import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import {
  findPgbouncer,
  howToGetPgbouncer,
  startPgbouncer,
} from '../../fixtures/postgres/pgbouncer.ts'
import { startDatabaseServer } from '../../fixtures/postgres/server.ts'
import { runCoopshare, spawnCoopshare } from '../../fixtures/program/serve.ts'

const database = await startDatabaseServer([])
t.teardown(() => database.stop())

const skip = findPgbouncer() ? false : howToGetPgbouncer
const waiting = 'waiting for the database'
/** A start whose first attempt takes this long does not wait. On a busy machine, that may be a second. */
const wait = ['--database-wait', '3s']
const variables = { COOPSHARE_ENCRYPTION_KEY: randomBytes(32).toString('hex') }

function serveOn(t: Test, url: string, ...argv: readonly string[]): string[] {
  const place = ['--database-url', url, '--data-dir', join(t.testdir(), 'data')]
  return ['serve', '--json', '--port', '0', ...place, ...argv]
}

/** Returns the messages after the first line, which names the program. */
function messagesOf(stderr: string): string[] {
  const [first, ...others] = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
  t.equal(first, 'starting')
  return others
}

/**
 * Starts a server that takes the place of a database and answers every connection with this error.
 */
async function startRefusing(t: Test, code: string, message: string): Promise<string> {
  const fields = ['SFATAL', 'VFATAL', `C${code}`, `M${message}`, ''].join('\0')
  const body = Buffer.from(`${fields}\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([head, body])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `postgres://coopshare@127.0.0.1:${(server.address() as AddressInfo).port}/coopshare`
}

t.test('a start waits for an unavailable database, and logs the wait once [D45]', async (t) => {
  await database.crash()
  const { process: child, ended } = await spawnCoopshare(serveOn(t, database.url), variables)
  t.teardown(() => child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]()
  const ready = once(createInterface({ input: child.stdout }), 'line')
  await lines.next()
  t.match(JSON.parse((await lines.next()).value), {
    level: 'warn',
    msg: waiting,
    seconds: 30,
    error: Object,
  })
  // The database refuses connections until it has recovered from its crash.
  await database.start()
  const [line] = await ready
  t.match(JSON.parse(line), { base_url: String })
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  t.equal(code, 0)
  t.strictSame(messagesOf(stderr), [waiting, 'serving', 'stopped'])
})

t.test('a start waits as long as --database-wait says [D45]', async (t) => {
  const rows: [code: string, message: string][] = [
    ['57P03', 'the database system is starting up'],
    ['57P03', 'the database system is in recovery mode'],
    ['53300', 'sorry, too many clients already'],
  ]
  for (const [code, message] of rows) {
    const url = await startRefusing(t, code, message)
    const startedAt = performance.now()
    const refused = await runCoopshare(serveOn(t, url, ...wait), variables)
    const seconds = (performance.now() - startedAt) / 1000
    t.equal(refused.code, 5, message)
    t.match(JSON.parse(refused.stdout).error.message, message)
    const [begun, last, ...more] = messagesOf(refused.stderr)
    t.equal(begun, waiting)
    t.match(last, message)
    t.strictSame(more, [])
    t.ok(seconds > 0.5, `it was tried again for ${seconds} s`)
  }
})

t.test('a start ends immediately for an error that waiting does not fix [D45]', async (t) => {
  const wrongPassword = database.url.replace(/:[^:@/]+@/, ':wrong@')
  const rows: [title: string, argv: string[]][] = [
    ['no wait', serveOn(t, 'postgres://a@127.0.0.1:9/a', '--database-wait', '0s')],
    ['a wrong password', serveOn(t, wrongPassword)],
    ['an unknown database', serveOn(t, database.url.replace(/postgres$/, 'unknown'))],
    ['a server that does not encrypt', serveOn(t, database.url, '--database-tls', 'require')],
  ]
  for (const [title, argv] of rows) {
    const refused = await runCoopshare(argv, variables)
    t.equal(refused.code, 5, title)
    const messages = messagesOf(refused.stderr)
    t.equal(messages.length, 1, title)
    t.not(messages[0], waiting, title)
  }
})

t.test(
  'a start through a pooler ends immediately for a wrong password, and waits for the server [D45]',
  { skip },
  async (t) => {
    const { url, stop } = await startPgbouncer(database.url)
    t.teardown(() => void stop())
    const wrong = (address: string) => address.replace(/:[^:@/]+@/, ':wrong@')
    const pooler = await startPgbouncer(wrong(database.url))
    t.teardown(() => void pooler.stop())
    const rows: [title: string, address: string][] = [
      ['a wrong password', wrong(url)],
      ['no password', url.replace(/:[^:@/]+@/, '@')],
      ['an unknown user', url.replace('//postgres:', '//nobody:')],
      ['an unknown database', url.replace(/postgres$/, 'unknown')],
      ['a wrong password of the pooler itself', wrong(pooler.url)],
    ]
    for (const [title, address] of rows) {
      const refused = await runCoopshare(serveOn(t, address), variables)
      t.equal(refused.code, 5, title)
      const messages = messagesOf(refused.stderr)
      t.equal(messages.length, 1, title)
      t.match(messages[0], /authentication failed|does not exist/, title)
      t.notMatch(refused.stderr, 'wrong', title)
    }
    for (const told of [
      'unsupported startup parameter: search_path',
      'server login failed: FATAL no pg_hba.conf entry for host "10.0.0.7", user "a", database "a"',
      'server login failed: FATAL role "a" is not permitted to log in',
      'server login failed: FATAL permission denied for database "a"',
    ]) {
      const argv = serveOn(t, await startRefusing(t, '08P01', told), '--database-wait', '1s')
      const refused = await runCoopshare(argv, variables)
      t.equal(messagesOf(refused.stderr).length, 1, told)
    }
    const full = await startRefusing(t, '08P01', 'no more connections allowed (max_client_conn)')
    const waited = await runCoopshare(serveOn(t, full, ...wait), variables)
    t.equal(messagesOf(waited.stderr)[0], waiting)
  },
)

t.test('SIGTERM or SIGHUP ends the wait for the database [D45]', async (t) => {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    const argv = serveOn(t, 'postgres://a@127.0.0.1:9/a')
    const { process: child, ended } = await spawnCoopshare(argv, variables)
    let told = ''
    child.stderr.on('data', (chunk) => (told += chunk))
    await until(t, () => told.includes(waiting))
    child.kill(signal)
    t.match(await ended, { code: 0, signal: null }, signal)
  }
})
