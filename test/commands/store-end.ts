import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import OrganizationCreate from '../../commands/organization/create.ts'
import OrganizationList from '../../commands/organization/list.ts'
import StoreBackup from '../../commands/store/backup.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreCompact from '../../commands/store/compact.ts'
import StoreCopy from '../../commands/store/copy.ts'
import StoreReopen from '../../commands/store/reopen.ts'
import StoreRestore from '../../commands/store/restore.ts'
import StoreSalvage from '../../commands/store/salvage.ts'
import { until } from '../../fixtures/async.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import {
  type CommandResult,
  fillStore,
  runCommand,
  startService,
} from '../../fixtures/program/run-command.ts'
import { serve, spawnCoopshare } from '../../fixtures/program/serve.ts'
import { runnerOn } from '../../fixtures/program/with-and-without-service.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'

const journal = 'journal-00000001.jsonl'
const recorded = 'acknowledged.json'

async function makeStore(t: Test) {
  const root = t.testdir()
  const directory = join(root, 'data')
  await fillStore(directory, seedOrders(3))
  return { root, directory, run: runnerOn(directory) }
}

async function cutLines(path: string, count: number): Promise<void> {
  const lines = (await readFile(path, 'latin1')).split('\n')
  await writeFile(path, lines.toSpliced(-1 - count, count).join('\n'), 'latin1')
}

async function contentsOf(directory: string): Promise<Record<string, string>> {
  const names = (await readdir(directory)).sort()
  const read = names.map(async (name) => [name, await readFile(join(directory, name), 'latin1')])
  return Object.fromEntries(await Promise.all(read))
}

/**
 * Starts a service that should refuse the store. If it starts anyway, it is stopped and ends with
 * exit code 0.
 */
async function serveOnce(directory: string) {
  const argv = ['serve', '--port', '0', '--json', '--data-dir', directory]
  const { process, ended } = await spawnCoopshare(argv)
  process.stdout.on('data', (chunk) => String(chunk).includes('listening_url') && process.kill())
  const { code, stdout } = await ended
  return { code, error: JSON.parse(stdout).error }
}

const inDirectory = (
  command: Parameters<typeof runCommand>[0],
  directory: string,
  ...argv: string[]
) => runCommand(command, ...argv, '--json', '--data-dir', directory)

function lacksItsEnd(t: Test, { exitCode, json }: CommandResult, missing: RegExp): void {
  t.equal(exitCode, 5)
  t.equal(json.error?.code, 'STORE_DAMAGED')
  t.match(json.error?.message, missing)
}

t.test('a store whose last changes are missing is neither served nor changed [D53]', async (t) => {
  const { directory, root, run } = await makeStore(t)
  await cutLines(join(directory, journal), 2)
  const before = await contentsOf(directory)
  const served = await serveOnce(directory)
  t.equal(served.code, 5)
  t.match(served.error, {
    code: 'STORE_DAMAGED',
    message: /2 changes are missing at the end of journal-00000001\.jsonl/,
  })
  const advice = ['coopshare store restore', 'coopshare store salvage', recorded]
  const places = advice.map((words) => served.error.message.indexOf(words))
  t.notOk(places.includes(-1))
  t.strictSame(
    places,
    places.toSorted((one, other) => one - other),
    'what is safe comes first',
  )
  const missing = /2 changes are missing/
  lacksItsEnd(t, await run(OrganizationList, '--json'), missing)
  lacksItsEnd(t, await run(OrganizationCreate, 'Other Bank', '--json'), missing)
  lacksItsEnd(t, await run(StoreCompact, '--json'), missing)
  lacksItsEnd(t, await run(StoreCopy, '--to', join(root, 'copy'), '--json'), missing)
  lacksItsEnd(t, await run(StoreBackup, join(root, 'new.backup'), '--json'), missing)
  const checked = await run(StoreCheck, '--json')
  t.equal(checked.exitCode, 1)
  t.match(checked.json, exactArrays({ sound: false, problems: [missing] }))
  t.equal(checked.json.records.organizations, 1, 'all other lines were read')
  t.strictSame(await contentsOf(directory), before, 'nothing was changed')

  await t.test(
    'a store whose last changes are missing opens after the record of its end is removed',
    async (t) => {
      await rm(join(directory, recorded))
      t.match((await run(StoreCheck, '--json')).json, { sound: true })
      t.equal((await run(OrganizationCreate, 'Other Bank')).exitCode, 0)
      await (await startService(directory)).close()
      await cutLines(join(directory, journal), 1)
      lacksItsEnd(t, await run(OrganizationList, '--json'), /1 change is missing/)
    },
  )
})

t.test('missing changes that a killed service acknowledged are noticed [D53]', async (t) => {
  const { directory, run } = await makeStore(t)
  const argv = ['--data-dir', directory, '--log-level', 'silent']
  const isRecorded = async () => {
    const lines = (await readFile(join(directory, journal), 'latin1')).split('\n')
    // Leaves out the header and everything after the last line.
    return (await readFile(join(directory, recorded), 'utf8')).includes(
      `"changes":${lines.length - 2},`,
    )
  }
  const served = await serve(t, argv)
  t.equal((await run(OrganizationCreate, 'Other Bank')).exitCode, 0)
  await until(t, isRecorded)
  await served.stop('SIGKILL')
  const healthy = join(t.testdirName, 'healthy')
  await cp(directory, healthy, { recursive: true })
  const again = await serve(t, ['--data-dir', healthy, '--log-level', 'silent'])
  t.equal((await again.stop('SIGTERM')).code, 0, 'a kill alone is no reason to refuse the store')
  await cutLines(join(directory, journal), 1)
  lacksItsEnd(t, await run(OrganizationList, '--json'), /1 change is missing/)
})

t.test('a line that was torn in its middle counts as missing', async (t) => {
  const { directory, run } = await makeStore(t)
  const path = join(directory, journal)
  const whole = await readFile(path)
  await writeFile(path, whole.subarray(0, -20))
  lacksItsEnd(t, await run(OrganizationList, '--json'), /1 change is missing/)
  await writeFile(path, Buffer.concat([whole, whole.subarray(-20, -1)]))
  t.equal(
    (await run(OrganizationList)).exitCode,
    0,
    'a line that was never acknowledged may be torn',
  )
})

t.test('a compacted store is recognized by its new journal [D53]', async (t) => {
  const { directory, run } = await makeStore(t)
  t.equal((await run(StoreCompact)).exitCode, 0)
  t.match((await run(StoreCheck, '--json')).json, { sound: true })
  await run(OrganizationCreate, 'Other Bank')
  await cutLines(join(directory, 'journal-00000002.jsonl'), 1)
  lacksItsEnd(t, await run(OrganizationList, '--json'), /1 change is missing at the end of .*2\.j/)
})

t.test('a directory that lost its files is not treated as a new store', async (t) => {
  const { directory, run } = await makeStore(t)
  for (const name of await readdir(directory)) {
    if (name !== recorded) await rm(join(directory, name))
  }
  const before = await contentsOf(directory)
  const served = await serveOnce(directory)
  t.equal(served.code, 5)
  t.match(served.error, { code: 'STORE_DAMAGED', message: /store\.json is missing/ })
  lacksItsEnd(t, await run(OrganizationList, '--json'), /store\.json is missing/)
  t.strictSame(await contentsOf(directory), before)
})

t.test('a damaged record of the end is reported', async (t) => {
  const { directory, run } = await makeStore(t)
  const path = join(directory, recorded)
  const whole = await readFile(path, 'latin1')
  for (const text of ['', '{}', whole.replace('"journal":1', '"journal":2')]) {
    await writeFile(path, text)
    lacksItsEnd(
      t,
      await run(OrganizationList, '--json'),
      /acknowledged\.json was changed or damaged/,
    )
    const checked = await run(StoreCheck, '--json')
    t.match(checked.json, exactArrays({ sound: false, problems: [/acknowledged\.json was/] }))
  }
})

t.test('a restored, salvaged or copied store records its own end [D53]', async (t) => {
  const { root, directory, run } = await makeStore(t)
  const backup = join(root, 'made.backup')
  t.equal((await run(StoreBackup, backup)).exitCode, 0)
  await run(OrganizationCreate, 'Other Bank')

  const restored = join(root, 'restored')
  t.equal((await inDirectory(StoreRestore, restored, backup)).exitCode, 0)
  await (await startService(restored)).close()
  t.match((await inDirectory(StoreCheck, restored)).json, { sound: true })

  const there = join(root, 'there')
  t.equal((await run(StoreCopy, '--to', there)).exitCode, 0)
  await cp(join(directory, 'encryption.key'), join(there, 'encryption.key'))
  await (await startService(there)).close()
  t.equal((await inDirectory(StoreCopy, there, '--to', directory)).exitCode, 0, 'and back')
  await (await startService(directory)).close()
  t.match((await run(StoreCheck, '--json')).json, { sound: true })
  t.equal((await inDirectory(StoreReopen, there, '--yes')).exitCode, 0)
  await (await startService(there)).close()

  const salvaged = join(root, 'salvaged')
  const path = join(there, 'journal-00000001.jsonl')
  t.equal((await inDirectory(OrganizationCreate, there, 'Third Bank')).exitCode, 0)
  await cutLines(path, 1)
  const listed = await inDirectory(StoreSalvage, there, '--to', salvaged)
  // The service encrypted the audit when it ended.
  t.match(
    listed.json,
    exactArrays({ complete: false, lost: [{ line: null, reason: /^1 of its 7 changes is gone/ }] }),
  )
  await (await startService(salvaged)).close()
  t.match((await inDirectory(StoreCheck, salvaged)).json, { sound: true })
})

t.test('a copy can replace a moved store even if the end of that store is missing', async (t) => {
  const { root, directory, run } = await makeStore(t)
  await run(StoreCompact)
  const there = join(root, 'there')
  t.equal((await run(StoreCopy, '--to', there)).exitCode, 0)
  await cp(join(directory, 'encryption.key'), join(there, 'encryption.key'))
  // This is the state after somebody has restored older files manually.
  await rm(join(directory, 'snapshot-00000002.jsonl'))
  await rm(join(directory, 'journal-00000002.jsonl'))
  t.equal((await inDirectory(StoreCopy, there, '--to', directory)).exitCode, 0)
  await (await startService(directory)).close()
  t.match((await run(StoreCheck, '--json')).json, { sound: true })
})
