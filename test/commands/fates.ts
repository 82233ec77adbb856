import { join } from 'node:path'
import t, { type Test } from 'tap'
import { stringify } from 'yaml'
import FixturesApply from '../../commands/fixtures/apply.ts'
import FixturesExport from '../../commands/fixtures/export.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import PurchaseShow from '../../commands/purchase/show.ts'
import StoreBackup from '../../commands/store/backup.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreCopy from '../../commands/store/copy.ts'
import StoreRestore from '../../commands/store/restore.ts'
import { completeProvision } from '../../fixtures/builders/investors.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { findSavedFiles, readDocument } from '../../fixtures/program/document-blocks.ts'
import { fillStore, runCommand } from '../../fixtures/program/run-command.ts'
import {
  type CommandContext,
  noSeed,
  runnerOn,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'
import { applyDemoData } from '../../src/cli/serve/initial-data.ts'

function setUp(order: object): string {
  const share_purchases = [{ cooperative: 'sun', share_count: 5, ...order }]
  const investors = [{ ...completeProvision(), fate: 'stay', share_purchases }]
  return stringify({
    organizations: [{ name: 'Demo Bank', investors }],
    cooperatives: [{ key: 'sun', name: 'Sonne eG', energy_category: 'solar', share_price: 250 }],
  })
}

const files = {
  'fates.yaml': setUp({ fate: 'return-after:3d' }),
  'none.yaml': setUp({ fate: 'bounce' }),
}

t.teardown(stopServer)

withAndWithoutService(t, { files, seed: noSeed, test })

t.test('the file with fates in the document applies to the demo data', async (t) => {
  const file = join(
    t.testdir(findSavedFiles(readDocument('docs/reference/fixtures.md'))),
    'fates.yaml',
  )
  const dataDirectory = join(t.testdirName, 'data')
  await fillStore(dataDirectory, applyDemoData)
  const { stdout, exitCode } = await runCommand(FixturesApply, file, '--data-dir', dataDirectory)
  t.equal(exitCode, 0, stdout)
  t.match(stdout, /share_purchases +1 +0 +0/)
})

async function test(t: Test, { run, file }: CommandContext<unknown>): Promise<void> {
  await t.test('an unknown fate is refused with its line and the valid fates', async (t) => {
    const refused = await run(FixturesApply, file('none.yaml'))
    t.equal(refused.exitCode, 4)
    t.match(
      refused.stderr,
      /none\.yaml:\d+: organizations\[0\]\.investors\[0\]\.share_purchases\[0\]\.fate: must be settle, reject:REASON, return-after:DURATION \(such as return-after:3d\) or stay/,
    )
    t.strictSame((await run(PurchaseList, '--json')).json, [])
  })

  await t.test('operators see the fate of an order', async (t) => {
    await run(FixturesApply, file('fates.yaml'))
    const [{ share_purchase_id: id }] = (await run(PurchaseList, '--json')).json
    t.equal((await run(PurchaseShow, id, '--json')).json.fate, 'return-after:3d')
    t.match((await run(PurchaseShow, id)).stdout, /^fate +return-after:3d$/m)
    t.equal((await run(StoreCheck)).exitCode, 0)
  })

  await t.test('an export with fates restores the same store', async (t) => {
    const exported = await run(FixturesExport)
    t.match(exported.stdout, /fate: stay\n[\s\S]*fate: return-after:3d/)
    const elsewhere = t.testdir({ 'exported.yaml': exported.stdout, data: {} })
    const runElsewhere = runnerOn(join(elsewhere, 'data'))
    t.equal((await runElsewhere(FixturesApply, join(elsewhere, 'exported.yaml'))).exitCode, 0)
    t.equal((await runElsewhere(FixturesExport)).stdout, exported.stdout)
  })
}

t.test('in production a file with fates is refused and changes nothing', async (t) => {
  const directory = t.testdir({ ...files, data: {} })
  const run = runnerOn(join(directory, 'data'))
  const production = ['--environment', 'production']
  const refused = await run(FixturesApply, join(directory, 'fates.yaml'), '--yes', ...production)
  t.equal(refused.exitCode, 4)
  t.match(refused.stderr, /Fates in files are for staging only/)
  t.match(refused.stderr, /fates\.yaml:\d+: organizations\[0\]\.investors\[0\]\.fate/)
  t.strictSame((await run(PurchaseList, '--json', ...production)).json, [])
})

t.test('a backup and a copy in a database have the same fates', async (t) => {
  const directory = t.testdir({ ...files, data: {} })
  const [data, restored] = [join(directory, 'data'), join(directory, 'restored')]
  const run = runnerOn(data)
  await run(FixturesApply, join(directory, 'fates.yaml'))
  const exported = (await run(FixturesExport)).stdout
  const backup = join(directory, 'store.backup')
  await run(StoreBackup, backup)
  await runnerOn(restored)(StoreRestore, backup)
  const withKey = ['--encryption-key-file', join(data, 'encryption.key')]
  t.equal((await runnerOn(restored)(FixturesExport)).stdout, exported)

  const { options, drop } = await createDatabase({ isEmpty: true })
  t.teardown(drop)
  t.equal((await run(StoreCopy, '--to', options.url)).exitCode, 0)
  const inDatabase = ['--database-url', options.url, ...withKey]
  t.equal((await runCommand(FixturesExport, ...inDatabase)).stdout, exported)
  t.equal((await runCommand(StoreCheck, ...inDatabase)).exitCode, 0)
})
