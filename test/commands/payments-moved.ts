// What copies, backups and new keys do to the records of payments.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Command } from '@oclif/core'
import t from 'tap'
import CollectionCancel from '../../commands/collection/cancel.ts'
import CollectionCreate from '../../commands/collection/create.ts'
import CollectionExport from '../../commands/collection/export.ts'
import CollectionList from '../../commands/collection/list.ts'
import CollectionShow from '../../commands/collection/show.ts'
import PaymentList from '../../commands/payment/list.ts'
import PaymentRecord from '../../commands/payment/record.ts'
import PaymentReport from '../../commands/payment/report.ts'
import StatementImport from '../../commands/statement/import.ts'
import StatementList from '../../commands/statement/list.ts'
import StatementShow from '../../commands/statement/show.ts'
import StatementSimulate from '../../commands/statement/simulate.ts'
import StoreBackup from '../../commands/store/backup.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreCopy from '../../commands/store/copy.ts'
import StoreRekey from '../../commands/store/rekey.ts'
import StoreRestore from '../../commands/store/restore.ts'
import StoreVerifyBackup from '../../commands/store/verify-backup.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { type CommandResult, fillStore, runCommand } from '../../fixtures/program/run-command.ts'
import { applyDemoData } from '../../src/cli/serve/initial-data.ts'

t.teardown(stopServer)

type Run = (command: typeof Command, ...argv: string[]) => Promise<CommandResult>

const runner =
  (...flags: string[]): Run =>
  async (command, ...argv) =>
    runCommand(command, ...argv, ...flags)

interface Listed {
  readonly collection_id: string
  readonly statement_id: string
  readonly state: string
}

/** Everything that operators see of payments, and the file of each collection. Commands run one after the other. */
async function readMoney(run: Run) {
  const json = async (command: typeof Command, ...argv: string[]) =>
    (await run(command, ...argv, '--json')).json
  const seen = [await json(PaymentList), await json(PaymentReport)]
  for (const { collection_id: id, state } of await json(CollectionList)) {
    seen.push(await json(CollectionShow, id))
    if (state === 'cancelled') continue
    const file = join(await mkdtemp(join(tmpdir(), 'coopshare-')), 'debits.xml')
    seen.push((await run(CollectionExport, id, '--to', file, '--json')).json.file_digest)
    await rm(dirname(file), { recursive: true })
  }
  for (const { statement_id: id } of await json(StatementList))
    seen.push(await json(StatementShow, id))
  return seen
}

t.test('payments survive copies, backups and new keys', async (t) => {
  const root = t.testdir({ 'bank.xml': '', 'new.key': randomBytes(32).toString('hex') })
  const [old, back, restored] = [join(root, 'old'), join(root, 'back'), join(root, 'restored')]
  const [statement, backup] = [join(root, 'bank.xml'), join(root, 'backup')]
  const newKey = join(root, 'new.key')
  await fillStore(old, applyDemoData)
  const withKey = ['--encryption-key-file', join(old, 'encryption.key')]
  const run = runner('--data-dir', old)
  const { collections } = (await run(CollectionCreate, '--json')).json
  const [first = '', second = ''] = collections.map((one: Listed) => one.collection_id)
  const { payments } = (await run(CollectionShow, first, '--json')).json
  const returned = `${payments[0].share_purchase_id}=AM04`
  const simulating = ['--return', returned, '--charges', '3.00', '--json']
  await run(CollectionCancel, second)
  await readMoney(run)
  await writeFile(statement, (await run(StatementSimulate, first, ...simulating)).json.file)
  await run(StatementImport, statement)
  const [due] = (await run(PaymentList, '--state', 'due', '--json')).json
  await run(PaymentRecord, due.share_purchase_id, '--paid-on', '2026-11-20', '--reference', 'X')
  const before = await readMoney(run)
  const states = before[0].map(({ state }: Listed) => state)
  t.strictSame(states.sort(), ['due', 'paid', 'paid', 'paid', 'paid', 'paid', 'returned'])
  t.match(
    before.filter((each) => typeof each === 'string'),
    exactArrays([/^[0-9a-f]{64}$/]),
  )
  t.equal(before.at(-1).entries.length, 2)

  await t.test('a backup that is restored', async (t) => {
    await run(StoreBackup, backup)
    t.match((await run(StoreVerifyBackup, backup, '--json')).json, { sound: true })
    const elsewhere = runner('--data-dir', restored, ...withKey)
    t.equal((await elsewhere(StoreRestore, backup)).exitCode, 0)
    t.strictSame(await readMoney(elsewhere), before)
    t.match((await elsewhere(StoreCheck, '--backup', backup, '--json')).json, { sound: true })
  })

  await t.test('a copy to a database, and back', async (t) => {
    const { options, drop } = await createDatabase({ isEmpty: true })
    t.teardown(drop)
    const inDatabase = ['--database-url', options.url, ...withKey]
    const moved = (await run(StoreCopy, '--to', options.url, '--json')).json
    const numbers = { payments: 7, debit_collections: 2, direct_debits: 5 }
    t.match(moved.records, { ...numbers, statements: 1, statement_entries: 2 })
    t.match((await runCommand(StoreCheck, '--json', ...inDatabase)).json, { sound: true })
    const returned = await runCommand(StoreCopy, '--to', back, '--json', ...inDatabase)
    t.strictSame(returned.json.digests, moved.digests)
    t.strictSame(await readMoney(runner('--data-dir', back, ...withKey)), before)
    const late = await runCommand(CollectionExport, first, ...inDatabase)
    t.match(late.stderr, /This store was moved/)
  })

  await t.test('new keys', async (t) => {
    const lone = runner('--data-dir', restored, ...withKey)
    const rekeying = ['--new-encryption-key-file', newKey, '--json']
    t.match((await lone(StoreRekey, ...rekeying)).json, exactArrays({ damaged_values: [] }))
    const renewed = runner('--data-dir', restored, '--encryption-key-file', newKey)
    t.strictSame(await readMoney(renewed), before)
    t.match((await renewed(StoreCheck, '--json')).json, { sound: true })
  })
})
