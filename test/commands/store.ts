import { existsSync } from 'node:fs'
import { appendFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from '@oclif/core'
import t, { type Test } from 'tap'
import FixturesExport from '../../commands/fixtures/export.ts'
import KeyRotate from '../../commands/key/rotate.ts'
import OrganizationCreate from '../../commands/organization/create.ts'
import OrganizationList from '../../commands/organization/list.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import StoreBackup from '../../commands/store/backup.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreCompact from '../../commands/store/compact.ts'
import StoreRestore from '../../commands/store/restore.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { fillStore } from '../../fixtures/program/run-command.ts'
import {
  type CommandContext,
  runnerOn,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'
import { type SeededOrders, seedOrders } from '../../fixtures/world/seed-orders.ts'
import { acquireLock } from '../../src/adapters/file-lock/lock.ts'

withAndWithoutService(t, { seed: seedOrders(3), test })

async function test(t: Test, { run }: CommandContext<SeededOrders>): Promise<void> {
  await t.test('check reports a sound store with its counts', async (t) => {
    const checked = await run(StoreCheck, '--json')
    t.equal(checked.exitCode, 0)
    t.match(
      checked.json,
      exactArrays({
        sound: true,
        records: { share_purchases: 3, investors: 1, organizations: 1 },
        problems: [],
      }),
    )
    t.match((await run(StoreCheck)).stdout, /The store is sound\.$/)
  })

  await t.test('compaction keeps every record', async (t) => {
    const compacted = await run(StoreCompact, '--json')
    t.match(compacted.json, { bytes_before: Number, bytes_after: Number })
    t.equal(compacted.json.records.share_purchases, 3)
    t.match((await run(StoreCompact)).stdout, /^The store had \d+ bytes and now has \d+\.$/)
  })

  await t.test('a restored backup has the same records', async (t) => {
    const elsewhere = t.testdir()
    const backup = join(elsewhere, 'coopshare.backup')
    const written = await run(StoreBackup, backup, '--json')
    const { size, mode } = await stat(backup)
    t.strictSame(written.json, { file: backup, bytes: size })
    t.equal(mode & 0o777, 0o600)

    const runElsewhere = runnerOn(join(elsewhere, 'data'))
    const restored = await runElsewhere(StoreRestore, backup, '--json')
    t.match(restored.json, { records: { share_purchases: 3 } })
    const orders = await run(PurchaseList, '--json')
    t.strictSame((await runElsewhere(PurchaseList, '--json')).json, orders.json)
  })

  await t.test('a backup never overwrites a file', async (t) => {
    const file = join(t.testdir({ taken: 'mine' }), 'taken')
    const refused = await run(StoreBackup, file, '--json')
    t.equal(refused.exitCode, 4)
    t.equal(refused.json.error.code, 'EEXIST')
    t.equal(await readFile(file, 'utf8'), 'mine')
  })
}

t.test('restore needs an empty directory', async (t) => {
  const directory = t.testdir({ data: {}, taken: { 'notes.txt': 'mine' } })
  await fillStore(join(directory, 'data'), seedOrders(1))
  const backup = join(directory, 'backup')
  await runnerOn(join(directory, 'data'))(StoreBackup, backup)
  const refused = await runnerOn(join(directory, 'taken'))(StoreRestore, backup, '--json')
  t.equal(refused.exitCode, 4)
  t.equal(refused.json.error.code, 'STORE_NOT_EMPTY')
  t.strictSame(await readdir(join(directory, 'taken')), ['notes.txt'])
})

t.test('a damaged backup is refused and nothing is written', async (t) => {
  const directory = t.testdir({ data: {} })
  await fillStore(join(directory, 'data'), seedOrders(1))
  const backup = join(directory, 'backup')
  await runnerOn(join(directory, 'data'))(StoreBackup, backup)
  const bytes = await readFile(backup)
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
  await writeFile(backup, bytes)
  const refused = await runnerOn(join(directory, 'new'))(StoreRestore, backup, '--json')
  t.equal(refused.exitCode, 5)
  t.equal(refused.json.error.code, 'STORE_DAMAGED')
  await t.rejects(readdir(join(directory, 'new')), { code: 'ENOENT' })
})

t.test('check reports damage in a store that no other command can open', async (t) => {
  const dataDirectory = t.testdir()
  await fillStore(dataDirectory, seedOrders(1))
  const journal = join(dataDirectory, 'journal-00000001.jsonl')
  await appendFile(journal, '{"never":"written"}\n{"by":"us"}\n')
  const run = runnerOn(dataDirectory)
  const checked = await run(StoreCheck, '--json')
  t.equal(checked.exitCode, 1)
  t.match(checked.json, exactArrays({ sound: false, problems: [/journal-00000001\.jsonl, line/] }))
  t.match((await run(StoreCheck)).stdout, /The store is damaged\.$/)
  const listed = await run(PurchaseList, '--json')
  t.equal(listed.exitCode, 5)
  t.equal(listed.json.error.code, 'STORE_DAMAGED')
})

t.test('check reports a line that a crash cut off, which is not damage', async (t) => {
  const dataDirectory = t.testdir()
  await fillStore(dataDirectory, seedOrders(1))
  const run = runnerOn(dataDirectory)
  t.notMatch((await run(StoreCheck)).stdout, /crash/)
  await appendFile(join(dataDirectory, 'journal-00000001.jsonl'), '{"cut":"o')
  const checked = await run(StoreCheck)
  t.equal(checked.exitCode, 0)
  t.match(
    checked.stdout,
    /^Incomplete last line \(9 bytes, never acknowledged\); the next start removes it/m,
  )
  t.match(checked.stdout, /The store is sound\.$/)
  t.match((await run(StoreCheck, '--json')).json, { sound: true, torn_bytes: 9 })
})

t.test('check of a directory without a store fails', async (t) => {
  const checked = await runnerOn(t.testdir())(StoreCheck, '--json')
  t.equal(checked.exitCode, 5)
})

t.test('without a store, only commands that may create one create it', async (t) => {
  const directory = join(t.testdir(), 'mistyped')
  const run = runnerOn(directory)
  const backup = `${directory}.backup`
  const rows: [command: typeof Command, ...argv: string[]][] = [
    [OrganizationList],
    [PurchaseList],
    [FixturesExport],
    [KeyRotate],
    [StoreCompact],
    [StoreBackup, backup],
  ]
  for (const [command, ...argv] of rows) {
    const refused = await run(command, ...argv)
    t.equal(refused.exitCode, 5, command.name)
    t.match(refused.stderr, `There is no store in ${directory}. `)
  }
  t.notOk(existsSync(directory))
  t.notOk(existsSync(backup))
  t.equal((await run(OrganizationCreate, 'Demo Bank')).exitCode, 0)
  t.match((await run(OrganizationList, '--json')).json, exactArrays([{ name: 'Demo Bank' }]))
})

t.test('a store without its manifest is damaged, not missing', async (t) => {
  const dataDirectory = t.testdir()
  await fillStore(dataDirectory, seedOrders(1))
  await rm(join(dataDirectory, 'store.json'))
  const before = await readdir(dataDirectory)
  const run = runnerOn(dataDirectory)
  for (const command of [OrganizationList, OrganizationCreate, StoreCheck]) {
    const argv = command === OrganizationCreate ? ['Other Bank'] : []
    const refused = await run(command, ...argv, '--json')
    t.match(refused.json.error, { code: 'STORE_DAMAGED', message: /store\.json is missing/ })
  }
  t.strictSame(await readdir(dataDirectory), before)
})

t.test('a store that another process is creating is in use, not missing', async (t) => {
  const dataDirectory = t.testdir({ 'copy.unfinished': '' })
  const lock = await acquireLock({
    path: join(dataDirectory, 'lock'),
    subject: dataDirectory,
    code: 'STORE_LOCKED',
  })
  const refused = await runnerOn(dataDirectory)(OrganizationList, '--json')
  t.match(refused.json.error, { code: 'STORE_LOCKED' })
  await lock.release()
  const cutOff = await runnerOn(dataDirectory)(OrganizationList, '--json')
  t.match(cutOff.json.error, { code: 'STORE_DAMAGED', message: /was interrupted/ })
})
