import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { cp, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { until } from '../../fixtures/async.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { fillStore } from '../../fixtures/program/run-command.ts'
import { runCoopshare, type Spawned, serve, spawnCoopshare } from '../../fixtures/program/serve.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'

t.teardown(stopServer)

const COOPSHARE_ENCRYPTION_KEY = 'ab'.repeat(32)

/** Makes a store in a database, and a directory for temporary files. */
async function makeStore(t: Test) {
  const { options, drop } = await createDatabase()
  const sql = postgres(options.url, { max: 1 })
  t.teardown(async () => {
    await sql.end()
    await drop()
  })
  const root = t.testdir({ key: COOPSHARE_ENCRYPTION_KEY, temporary: {} })
  const [data, TMPDIR] = [join(root, 'data'), join(root, 'temporary')]
  const argv = ['--database-url', options.url, '--encryption-key-file', join(root, 'key')]
  // A backup of 100 orders is larger than a pipe can hold.
  await fillStore(data, seedOrders(100), ...argv)
  const variables = { TMPDIR, COOPSHARE_DATABASE_URL: options.url, COOPSHARE_ENCRYPTION_KEY }
  return { sql, data, variables, list: () => readdir(TMPDIR), temporary: TMPDIR }
}

async function kill({ process, ended }: Spawned) {
  process.kill('SIGKILL')
  process.stdout.resume()
  await ended
}

t.test('a backup of a database that is killed while it is read leaves nothing', async (t) => {
  const { data, variables, list } = await makeStore(t)
  const backup = await spawnCoopshare(['store', 'backup', '-', '--data-dir', data], variables)
  await once(backup.process.stdout, 'data')
  backup.process.stdout.pause()
  t.equal(backup.process.exitCode, null, 'it has not written everything')
  await kill(backup)
  t.strictSame(await list(), [])
})

t.test('what a killed backup of a database leaves is removed by the next one', async (t) => {
  const { sql, data, variables, list, temporary } = await makeStore(t)
  const file = join(t.testdirName, 'coopshare.backup')
  const backUp = (to: string) =>
    spawnCoopshare(['store', 'backup', to, '--data-dir', data], variables)
  /** Starts a backup that waits in the middle of the records. */
  const begin = async (to: string) => {
    const before = await list()
    const backup = await backUp(to)
    const find = async () => (await list()).find((name) => !before.includes(name)) ?? 'none yet'
    const hasRecords = async () => {
      const draft = join(temporary, await find(), 'store', 'snapshot-00000001.jsonl.tmp')
      return ((await stat(draft).catch(() => undefined))?.size ?? 0) > 10_000
    }
    await until(t, hasRecords)
    return { name: await find(), ...backup }
  }
  const written = await backUp(file)
  t.equal((await written.ended).code, 0)
  t.strictSame(await list(), [])

  await sql`begin`
  await sql`lock table deliveries in access exclusive mode`
  const killed = await begin(`${file}.killed`)
  await kill(killed)
  t.strictSame(await list(), [killed.name], 'the records are still there')
  const running = await begin(`${file}.running`)
  t.strictSame(await list(), [running.name], 'the next backup has removed them')
  const verified = await runCoopshare(['store', 'verify-backup', file], variables)
  t.equal(verified.code, 0, verified.stderr)
  t.strictSame(await list(), [running.name], 'the files of a running backup stay')
  await kill(running)
  await sql`rollback`
  const served = await serve(t, ['--data-dir', data], variables)
  t.strictSame(await list(), [], 'a start of the service removes them as well')
  await served.stop()
})

t.test('what a killed verify-backup leaves is removed by the next one', async (t) => {
  const [TMPDIR, from] = [join(t.testdir({ temporary: {} }), 'temporary'), join(t.testdirName, 'a')]
  await fillStore(from, seedOrders(3))
  const file = join(t.testdirName, 'coopshare.backup')
  t.equal((await runCoopshare(['store', 'backup', file, '--data-dir', from])).code, 0)
  const pipe = `${file}.pipe`
  t.equal((await runCoopshare([pipe], {}, ['mkfifo'])).code, 0)
  const cut = await spawnCoopshare(['store', 'verify-backup', pipe], { TMPDIR })
  const writer = createWriteStream(pipe)
  writer.on('error', () => {})
  t.teardown(() => writer.destroy())
  writer.write((await readFile(file)).subarray(0, -1))
  const list = () => readdir(TMPDIR, { recursive: true })
  const hasKey = async () => (await list()).some((name) => name.endsWith('/encryption.key'))
  await until(t, hasKey)
  await kill(cut)
  t.ok(await hasKey(), 'the key is still there')
  // Another user could point such a link at any directory, and later at another one.
  const [left = ''] = await readdir(TMPDIR)
  await cp(join(TMPDIR, left), `${file}.elsewhere`, { recursive: true })
  await symlink(`${file}.elsewhere`, join(TMPDIR, 'coopshare-verify-linked'))
  t.equal((await runCoopshare(['store', 'verify-backup', file], { TMPDIR })).code, 0)
  t.strictSame(await readdir(TMPDIR), ['coopshare-verify-linked'], 'a link is never followed')
})
