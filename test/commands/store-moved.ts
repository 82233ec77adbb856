import { randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import AuditList from '../../commands/audit/list.ts'
import OrganizationCreate from '../../commands/organization/create.ts'
import OrganizationList from '../../commands/organization/list.ts'
import StoreBackup from '../../commands/store/backup.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreCompact from '../../commands/store/compact.ts'
import StoreCopy from '../../commands/store/copy.ts'
import StoreReopen from '../../commands/store/reopen.ts'
import StoreRestore from '../../commands/store/restore.ts'
import { until } from '../../fixtures/async.ts'
import { checkedFetch } from '../../fixtures/contract/check-answer.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import {
  type CommandResult,
  fillStore,
  runCommand,
  startService,
} from '../../fixtures/program/run-command.ts'
import { spawnCoopshare } from '../../fixtures/program/serve.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'

t.teardown(stopServer)

const key = randomBytes(32).toString('hex')

/** A store, with the flags and values of commands that name it. */
interface Place {
  /** The value for `--to`. */
  readonly address: string
  /** The place as an error names it. */
  readonly shown: string
  readonly argv: readonly string[]
  readonly dataDirectory: string
  /** Further files beside the data directory. */
  readonly others: readonly string[]
}

async function makePlaces(t: Test) {
  const root = t.testdir({ key })
  const withKey = ['--encryption-key-file', join(root, 'key')]
  const inDirectory = (name: string): Place => {
    const directory = join(root, name)
    const argv = ['--data-dir', directory, ...withKey]
    const place = { address: directory, shown: directory, dataDirectory: directory }
    return { ...place, argv, others: withKey }
  }
  const inDatabase = async (): Promise<Place> => {
    const { options, drop } = await createDatabase({ isEmpty: true })
    t.teardown(drop)
    const { host, pathname } = new URL(options.url)
    const dataDirectory = join(root, 'control')
    const others = ['--database-url', options.url, ...withKey]
    const argv = ['--data-dir', dataDirectory, ...others]
    const shown = `postgres://${host}${pathname}`
    return { address: options.url, shown, argv, dataDirectory, others }
  }
  return { root, inDirectory, inDatabase }
}

const fill = ({ dataDirectory, others }: Place) =>
  fillStore(dataDirectory, seedOrders(2), ...others)
const start = ({ dataDirectory, others }: Place) => startService(dataDirectory, ...others)

const copy = (from: Place, to: Place) =>
  runCommand(StoreCopy, '--to', to.address, '--json', ...from.argv)

/**
 * Starts a service that should refuse the store. If it starts anyway, it is stopped and ends with
 * exit code 0.
 */
async function serveOnce({ argv }: Place) {
  const { process, ended } = await spawnCoopshare(['serve', '--port', '0', '--json', ...argv])
  process.stdout.on('data', (chunk) => String(chunk).includes('listening_url') && process.kill())
  const { code, stdout } = await ended
  return { code, error: JSON.parse(stdout).error }
}

function isMoved(t: Test, { exitCode, json }: CommandResult, to: Place, title: string): void {
  t.equal(exitCode, 5, title)
  t.equal(json.error.code, 'STORE_MOVED', title)
  t.match(json.error.message, to.shown, title)
  t.match(json.error.message, /coopshare store reopen --yes/, title)
}

for (const kind of ['directory', 'database'] as const) {
  t.test(`a copied ${kind} can be read, but not served or written [D50]`, async (t) => {
    const { root, inDirectory, inDatabase } = await makePlaces(t)
    const [from, to] =
      kind === 'directory'
        ? [inDirectory('old'), await inDatabase()]
        : [await inDatabase(), inDirectory('new')]
    await fill(from)
    const copied = await copy(from, to)
    t.equal(copied.exitCode, 0, copied.stdout)

    const served = await serveOnce(from)
    t.equal(served.code, 5)
    t.match(served.error, { code: 'STORE_MOVED', message: to.shown })
    const run = (command: Parameters<typeof runCommand>[0], ...argv: string[]) =>
      runCommand(command, ...argv, '--json', ...from.argv)
    isMoved(t, await run(OrganizationCreate, 'Other Bank'), to, 'a write')
    isMoved(t, await run(StoreCopy, '--to', inDirectory('third').address), to, 'another copy')
    t.match((await run(OrganizationList)).json, exactArrays([{ name: 'Demo Bank' }]))
    const checked = await run(StoreCheck)
    t.match(checked.json, { sound: true, moved: { to: to.shown, at: /^20..-/ } })
    if (kind === 'directory') isMoved(t, await run(StoreCompact), to, 'compaction')
    await t.test('a backup of a moved store has the mark', async (t) => {
      const file = join(root, 'moved.backup')
      t.equal((await run(StoreBackup, file)).exitCode, 0)
      const restored = inDirectory('restored')
      t.equal((await runCommand(StoreRestore, file, ...restored.argv)).exitCode, 0)
      const argv = ['Other Bank', '--json', ...restored.argv]
      isMoved(t, await runCommand(OrganizationCreate, ...argv), to, 'the restored store')
    })
    const there = await runCommand(OrganizationCreate, 'Other Bank', '--json', ...to.argv)
    t.equal(there.exitCode, 0, 'the copy is a normal store')

    const refused = await run(StoreReopen)
    t.equal(refused.exitCode, 4, 'there is no terminal at which to ask')
    t.match(refused.json.error.message, /--yes/)
    isMoved(t, await run(OrganizationCreate, 'Other Bank'), to, 'still')
    const reopened = await run(StoreReopen, '--yes')
    t.match(reopened.json, { reopened: true, moved: { to: to.shown } })
    t.match(
      reopened.json.access,
      exactArrays({
        signing_keys: [{ state: 'signing' }],
        clients: [{ organization: 'Demo Bank' }],
      }),
      'who has access again',
    )
    const [entry] = (await run(AuditList)).json
    t.match(entry, { operation: 'store.reopen', actor: { id: 'local' }, outcome: 'done' })
    t.equal((await run(OrganizationCreate, 'Other Bank')).exitCode, 0)
    await (await start(from)).close()
    t.strictSame((await run(StoreReopen, '--yes')).json, { reopened: false, moved: null })
    t.strictSame((await run(StoreCheck)).json.moved, null)
  })

  t.test(`a store can be copied back to the ${kind} that it came from`, async (t) => {
    const { inDirectory, inDatabase } = await makePlaces(t)
    const directory = inDirectory('old')
    const database = await inDatabase()
    const [from, to] = kind === 'directory' ? [directory, database] : [database, directory]
    await fill(from)
    t.equal((await copy(from, to)).exitCode, 0)
    const written = await runCommand(OrganizationCreate, 'Other Bank', '--json', ...to.argv)
    t.equal(written.exitCode, 0)
    const back = await copy(to, from)
    t.equal(back.exitCode, 0, back.stdout)
    isMoved(
      t,
      await runCommand(OrganizationCreate, 'Third Bank', '--json', ...to.argv),
      from,
      'the store from which it was copied back has moved',
    )
    const listed = await runCommand(OrganizationList, '--json', ...from.argv)
    t.match(listed.json, exactArrays([{ name: 'Demo Bank' }, { name: 'Other Bank' }]))
    t.match((await runCommand(StoreCheck, '--json', ...from.argv)).json, {
      sound: true,
      moved: null,
    })
    const served = await start(from)
    await served.close()
    t.equal((await copy(from, to)).exitCode, 0, 'the store can be copied there again')
    t.equal((await runCommand(StoreCheck, '--json', ...to.argv)).json.sound, true)
  })
}

t.test('only a copy of a moved store can replace it [D50]', async (t) => {
  const { inDirectory, inDatabase } = await makePlaces(t)
  const [mine, theirs] = [inDirectory('mine'), inDirectory('theirs')]
  const database = await inDatabase()
  await fill(mine)
  await fill(theirs)
  t.equal((await copy(mine, database)).exitCode, 0)
  const names = await readdir(mine.address)
  t.match(await copy(theirs, mine), { exitCode: 4, json: { error: { code: 'STORE_NOT_EMPTY' } } })
  t.strictSame(await readdir(mine.address), names)
  t.equal((await runCommand(OrganizationCreate, 'B', '--json', ...theirs.argv)).exitCode, 0)
})

t.test('a failed copy does not change its source [D50]', async (t) => {
  const { inDirectory } = await makePlaces(t)
  const [from, taken] = [inDirectory('old'), inDirectory('taken')]
  await fill(from)
  await fill(taken)
  t.equal((await copy(from, taken)).exitCode, 4)
  t.equal((await runCommand(OrganizationCreate, 'B', '--json', ...from.argv)).exitCode, 0)
})

/** Makes a copy wait for a lock on a table of the database, and kills the copy while it waits. */
async function killAtLock(
  t: Test,
  { from, to, database }: { readonly from: Place; readonly to: Place; readonly database: Place },
  lock: string,
): Promise<void> {
  const sql = postgres(database.address, { max: 1, onnotice: () => {} })
  t.teardown(() => sql.end())
  const waiting = () => sql`
    select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`
  const migrated = await spawnCoopshare(['store', 'migrate', ...database.argv])
  t.equal((await migrated.ended).code, 0)
  await sql`begin`
  await sql.unsafe(lock)
  const copying = await spawnCoopshare(['store', 'copy', '--to', to.address, ...from.argv])
  await until(t, async () => (await waiting()).length > 0)
  copying.process.kill('SIGKILL')
  await copying.ended
  await sql`rollback`
  await until(t, async () => (await waiting()).length === 0)
}

t.test('a copy killed at any moment never leaves two writable stores [D50]', async (t) => {
  await t.test('the directory is marked before the database becomes a store', async (t) => {
    const { inDirectory, inDatabase } = await makePlaces(t)
    const [from, to] = [inDirectory('old'), await inDatabase()]
    await fill(from)
    await killAtLock(
      t,
      { from, to, database: to },
      'lock table deliveries in share update exclusive mode',
    )
    const write = () => runCommand(OrganizationCreate, 'B', '--json', ...from.argv)
    isMoved(t, await write(), to, 'the source')
    t.equal((await runCommand(OrganizationList, '--json', ...to.argv)).exitCode, 5, 'no copy')
    t.equal((await runCommand(StoreReopen, '--yes', ...from.argv)).exitCode, 0)
    t.equal((await write()).exitCode, 0)
    t.equal((await copy(from, to)).exitCode, 0, 'it can be copied again')
  })

  await t.test('the directory does not become a store before the database is marked', async (t) => {
    const { inDirectory, inDatabase } = await makePlaces(t)
    const [from, to] = [await inDatabase(), inDirectory('new')]
    await fill(from)
    await killAtLock(t, { from, to, database: from }, 'select from store for update')
    t.notOk((await readdir(to.address)).includes('store.json'))
    t.equal((await runCommand(OrganizationList, '--json', ...to.argv)).exitCode, 5, 'no copy')
    const written = await runCommand(OrganizationCreate, 'B', '--json', ...from.argv)
    t.equal(written.exitCode, 0, 'the source was not marked')
  })
})

t.test('the mark contains no password [D50]', async (t) => {
  const { inDirectory, inDatabase } = await makePlaces(t)
  const [from, database] = [inDirectory('old'), await inDatabase()]
  await fill(from)
  const url = new URL(database.address)
  t.ok(url.password, 'the address has a password')
  t.equal((await copy(from, database)).exitCode, 0)
  const readManifest = () => readFile(join(from.address, 'store.json'), 'utf8')
  t.notMatch(await readManifest(), url.password)
  t.match(JSON.parse(await readManifest()), { moved: { to: database.shown } })
  await runCommand(StoreReopen, '--yes', ...from.argv)
  t.notOk('moved' in JSON.parse(await readManifest()))
})

t.test('an instance that still runs on a copied database cannot write [D50]', async (t) => {
  const { inDirectory, inDatabase } = await makePlaces(t)
  const [from, to] = [await inDatabase(), inDirectory('new')]
  await fill(from)
  const running = await start(from)
  try {
    t.equal((await copy(from, to)).exitCode, 0)
    t.equal((await checkedFetch(`${running.listeningUrl}/readyz`)).status, 503)
  } finally {
    await running.close()
  }
  const sql = postgres(from.address, { max: 1, onnotice: () => {} })
  t.teardown(() => sql.end())
  await t.rejects(sql`update organizations set name = 'Other'`, {
    code: '25006',
    message: `The store was moved to ${to.shown}`,
  })
})

t.test('store reopen asks at a terminal [D50]', async (t) => {
  const { root, inDirectory } = await makePlaces(t)
  const [from, to] = [inDirectory('old'), inDirectory('new')]
  await fill(from)
  t.equal((await copy(from, to)).exitCode, 0)
  const words = ['store', 'reopen', ...from.argv]
  for (const [answer, code] of [
    ['no', 4],
    ['yes', 0],
  ] as const) {
    const ended = await onTerminal(words, answer, join(root, `typescript-${answer}`))
    t.equal(ended.code, code, ended.stdout)
    t.match(ended.stdout, /moved to .*new.*\[y\/N\]/s)
  }
  t.equal((await runCommand(OrganizationCreate, 'B', '--json', ...from.argv)).exitCode, 0)
})

/** Runs the program on a separate terminal, and types `answer`. */
async function onTerminal(words: readonly string[], answer: string, log: string) {
  await writeFile(log, '')
  const { programCommand } = await import('../../fixtures/program/serve.ts')
  const line = [...programCommand, ...words].map((word) => `'${word}'`).join(' ')
  const script = await spawnCoopshare(['-qec', line, log], {}, ['script'])
  script.process.stdin.write(`${answer}\n`)
  return script.ended
}
