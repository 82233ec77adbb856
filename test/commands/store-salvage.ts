import { chmod, cp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import OrganizationCreate from '../../commands/organization/create.ts'
import PurchaseApprove from '../../commands/purchase/approve.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import PurchaseReject from '../../commands/purchase/reject.ts'
import PurchaseSettle from '../../commands/purchase/settle.ts'
import StoreBackup from '../../commands/store/backup.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreCompact from '../../commands/store/compact.ts'
import StoreSalvage from '../../commands/store/salvage.ts'
import { until } from '../../fixtures/async.ts'
import { euro } from '../../fixtures/builders/cooperatives.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { connectOperator } from '../../fixtures/program/operator-client.ts'
import { fillStore, runCommand, startService } from '../../fixtures/program/run-command.ts'
import { runnerOn } from '../../fixtures/program/with-and-without-service.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'

const journal = 'journal-00000001.jsonl'

async function makeStore(t: Test, orders = 3) {
  const root = t.testdir()
  const directory = join(root, 'data')
  const seed = await fillStore(directory, seedOrders(orders))
  return { root, directory, seed, to: join(root, 'salvaged') }
}

async function alterLines(path: string, of: (lines: string[]) => string[]): Promise<void> {
  await writeFile(path, of((await readFile(path, 'latin1')).split('\n')).join('\n'), 'latin1')
}

const lineOf = (lines: readonly string[], id: string) =>
  lines.findIndex((line) => line.includes('"sharePurchases",{') && line.includes(id))

/** Damages the middle of a line but leaves its checksum. */
const spoil = (line: string) =>
  line.slice(0, 60) + line.slice(60).replace(/(?<="[a-z]{2})[a-z]/i, '#')

async function contentsOf(directory: string): Promise<Record<string, string>> {
  const names = (await readdir(directory)).sort()
  const read = names.map(async (name) => [name, await readFile(join(directory, name), 'latin1')])
  return Object.fromEntries(await Promise.all(read))
}

const salvage = (directory: string, to: string, ...argv: string[]) =>
  runCommand(StoreSalvage, '--json', '--to', to, '--data-dir', directory, ...argv)

async function isSound(t: Test, to: string): Promise<void> {
  const checked = await runnerOn(to)(StoreCheck, '--json')
  t.match(checked.json, exactArrays({ sound: true, problems: [] }), checked.stdout)
  t.ok(checked.json.sealed_values > 0, 'with its key')
  await (await startService(to)).close()
}

t.test('a sound store is salvaged completely', async (t) => {
  const { directory, to } = await makeStore(t)
  await runnerOn(directory)(StoreCompact)
  await runnerOn(directory)(OrganizationCreate, 'Other Bank')
  const { json, exitCode } = await salvage(directory, to)
  t.equal(exitCode, 0)
  t.match(json, exactArrays({ complete: true, lost: [], left_out: [], corrected: [] }))
  const before = await runnerOn(directory)(StoreCheck, '--json')
  t.strictSame(json.records, before.json.records)
  await isSound(t, to)
})

t.test('after a salvage without settings, the service makes the search terms again', async (t) => {
  const { directory, seed, to } = await makeStore(t)
  await alterLines(join(directory, journal), (lines) => {
    const at = lines.findIndex((line) => line.includes('"encryptedSearchKey"'))
    t.ok(at > 0)
    return lines.with(at, spoil(lines[at] ?? ''))
  })
  t.match((await salvage(directory, to)).json, { records: { settings: 0, investors: 1 } })
  const service = await startService(to)
  t.teardown(() => service.close())
  const operator = await connectOperator(to)
  const find = async () =>
    (await operator.call('find', { text: 'frieda.sonnenschein@mail.example' })).found
  await until(t, async () => (await find()).length > 0)
  t.match(await find(), exactArrays([{ investor_id: seed.investorId, matched: ['email'] }]))
  // The keys of persons are replaced after the search terms.
  await until(t, async () => !(await operator.call('store.check', {})).rekeying)
  t.match(await operator.call('store.check', {}), { sound: true })
})

t.test('everything except the damaged line of a journal is salvaged [D52]', async (t) => {
  const { directory, seed, to } = await makeStore(t)
  const [, lost = ''] = seed.purchaseIds
  await alterLines(join(directory, journal), (lines) => {
    const at = lineOf(lines, lost)
    t.ok(at > 0)
    return lines.with(at, spoil(lines[at] ?? ''))
  })
  const before = await contentsOf(directory)
  const { json, exitCode, stdout } = await salvage(directory, to)
  t.equal(exitCode, 0, stdout)
  t.strictSame(await contentsOf(directory), before, 'the source is unchanged')
  t.match(json, { complete: false, records: { share_purchases: 2, investors: 1, holdings: 1 } })
  t.match(json.lost, exactArrays([{ file: journal, reason: /checksum does not match/ }]))
  t.ok(json.lost[0].line > 1)
  t.ok(json.lost[0].ids.includes(lost), 'its order is named')
  t.match(json.corrected, exactArrays([{ record: /^holdings / }]))
  await isSound(t, to)
  const orders = (await runnerOn(to)(PurchaseList, '--json')).json
  t.strictSame(
    orders.map((order: { share_purchase_id: string }) => order.share_purchase_id).sort(),
    seed.purchaseIds.filter((id) => id !== lost).sort(),
  )
  const told = await runCommand(StoreSalvage, '--to', `${to}-2`, '--data-dir', directory)
  t.match(told.stdout, new RegExp(`Lost: ${journal}, line \\d+: .*${lost}`))
})

t.test(
  'an order whose fee was in a lost order is listed and cannot be settled [D52]',
  async (t) => {
    const root = t.testdir()
    const directory = join(root, 'data')
    const to = join(root, 'salvaged')
    const seed = await fillStore(directory, seedOrders(2, { entryFee: euro('15') }))
    const [payer = '', carried = ''] = seed.purchaseIds
    await alterLines(join(directory, journal), (lines) => {
      const at = lineOf(lines, payer)
      t.ok(at > 0)
      return lines.with(at, spoil(lines[at] ?? ''))
    })
    const { json, exitCode } = await salvage(directory, to)
    t.equal(exitCode, 0)
    const listed = { record: `sharePurchases ${carried}`, reason: /cannot be settled/ }
    t.match(json, exactArrays({ complete: false, cannot_settle: [listed], left_out: [] }))
    await isSound(t, to)
    const run = runnerOn(to)
    t.equal((await run(PurchaseApprove, carried)).exitCode, 0)
    const settled = await run(PurchaseSettle, carried, '--json')
    t.equal(settled.exitCode, 4)
    t.match(settled.json.error, {
      code: 'SHARE_PURCHASE_ILLEGAL_STATE',
      message: `The share purchase cannot be settled: its entry fee or minimum number of shares depends on share purchase ${payer}, which is not in the store. Reject this share purchase.`,
    })
    const rejected = await run(PurchaseReject, carried, '--reason', 'Its fee was never paid.')
    t.equal(rejected.exitCode, 0, rejected.stderr)
    const told = await runCommand(StoreSalvage, '--to', `${to}-2`, '--data-dir', directory)
    t.match(told.stdout, `Cannot be settled: sharePurchases ${carried}: `)
  },
)

t.test('records that refer to a lost record are left out [D52]', async (t) => {
  const { directory, seed, to } = await makeStore(t)
  await alterLines(join(directory, journal), (lines) => {
    const at = lines.findIndex((line) =>
      line.includes(`"investors",{"investorId":"${seed.investorId}"`),
    )
    t.ok(at > 0)
    return lines.with(at, spoil(lines[at] ?? ''))
  })
  const { json } = await salvage(directory, to)
  t.match(json.records, { investors: 0, share_purchases: 0, holdings: 0, organizations: 1 })
  const named = json.left_out.map(({ record }: { record: string }) => record)
  for (const id of seed.purchaseIds) t.ok(named.includes(`sharePurchases ${id}`), id)
  await isSound(t, to)
})

t.test('a missing line makes only the next line unreadable [D52]', async (t) => {
  const { directory, seed, to } = await makeStore(t, 4)
  const [, gone = ''] = seed.purchaseIds
  await alterLines(join(directory, journal), (lines) => {
    const at = lineOf(lines, gone)
    return lines.toSpliced(at, 1)
  })
  const { json } = await salvage(directory, to)
  t.equal(json.records.share_purchases, 2, 'of four')
  t.match(
    json.lost,
    exactArrays([
      { file: journal, reason: /a line before it is missing/ },
      { file: journal, line: null, reason: /^1 of its \d+ changes is gone without a trace/ },
    ]),
  )
  await isSound(t, to)
})

t.test('a damaged snapshot and a damaged backup can be salvaged [D52]', async (t) => {
  const { root, directory, seed, to } = await makeStore(t)
  const run = runnerOn(directory)
  await run(StoreCompact)
  const backup = join(root, 'made.backup')
  await run(StoreBackup, backup)
  const spoilDeliveries = (lines: string[]) => {
    const at = lines.findIndex((line) => line.includes('"deliveries",['))
    return lines.with(at, spoil(lines[at] ?? ''))
  }
  await alterLines(join(directory, 'snapshot-00000002.jsonl'), spoilDeliveries)
  const fromSnapshot = await salvage(directory, to)
  t.match(fromSnapshot.json.records, { share_purchases: 3, deliveries: 0 })
  t.equal(fromSnapshot.json.lost.length, 1, fromSnapshot.stdout)
  await isSound(t, to)

  const rows: [title: string, of: (text: string) => string][] = [
    ['cut in the middle', (text) => text.slice(0, text.lastIndexOf(seed.purchaseIds.at(-1) ?? ''))],
    ['without its first line', (text) => text.slice(text.indexOf('\n') + 1)],
    ['with inserted bytes', (text) => text.replace('"deliveries",', '"deliveries" ,')],
    ['without its manifest', (text) => text.replace('"keyCheck"', '"keyChuck')],
  ]
  const whole = await readFile(backup, 'latin1')
  for (const [index, [title, of]] of rows.entries()) {
    const damaged = join(root, `damaged-${index}`)
    await writeFile(damaged, of(whole), 'latin1')
    const target = `${to}-${index}`
    const { json, exitCode, stdout } = await salvage(join(root, 'none'), target, damaged)
    t.equal(exitCode, 0, `${title}: ${stdout}`)
    t.match(json.records, { investors: 1, organizations: 1 }, title)
    await isSound(t, target)
  }
})

t.test('a store without its key is not salvaged completely, unless the key is given', async (t) => {
  const { root, directory, to } = await makeStore(t)
  const key = join(root, 'key')
  await rename(join(directory, 'encryption.key'), key)
  const keyless = await salvage(directory, to)
  const lost = { file: 'encryption.key', reason: 'no key was found or given.' }
  t.match(keyless.json, exactArrays({ complete: false, lost: [lost], left_out: [] }))
  const given = await salvage(directory, `${to}-2`, '--encryption-key-file', key)
  t.match(given.json, exactArrays({ complete: true, lost: [], left_out: [] }))
})

t.test('a store on a read-only disk can be salvaged [D52]', async (t) => {
  const { directory, to } = await makeStore(t)
  await alterLines(join(directory, journal), (lines) => lines.with(3, spoil(lines[3] ?? '')))
  await chmod(directory, 0o500)
  const before = await stat(directory)
  const { exitCode } = await salvage(directory, to)
  const after = await stat(directory)
  await chmod(directory, 0o700)
  t.equal(exitCode, 0)
  t.equal(after.mtimeMs, before.mtimeMs, 'no file was created on it')
})

t.test('a store that is missing or cannot be salvaged is refused', async (t) => {
  const { root, directory, to } = await makeStore(t)
  const inside = await salvage(directory, join(directory, 'inside'))
  t.equal(inside.exitCode, 2)
  const full = await salvage(directory, root)
  t.match(full, { exitCode: 4, json: { error: { code: 'STORE_NOT_EMPTY' } } })
  t.equal((await salvage(join(root, 'none'), to)).exitCode, 5)
  const rubbish = join(root, 'rubbish')
  await writeFile(rubbish, 'nothing of ours\n')
  const nothing = await salvage(directory, to, rubbish)
  t.match(nothing, { exitCode: 5, json: { error: { code: 'STORE_DAMAGED' } } })
  await t.rejects(readdir(to), { code: 'ENOENT' })
  const copy = join(root, 'keyless')
  await cp(directory, copy, { recursive: true })
  await writeFile(join(copy, 'store.json'), '{')
  await writeFile(join(copy, 'encryption.key'), '0'.repeat(64))
  const keyless = await salvage(copy, to)
  t.match(keyless, { exitCode: 5, json: { error: { code: 'ENCRYPTION_KEY_REFUSED' } } })
})

t.test('a check against a backup finds missing lines at the end [D53]', async (t) => {
  const { root, directory } = await makeStore(t)
  const run = runnerOn(directory)
  const backup = join(root, 'made.backup')
  await run(StoreBackup, backup)
  t.match((await run(StoreCheck, '--json', '--backup', backup)).json, { sound: true })
  await alterLines(join(directory, journal), (lines) => lines.toSpliced(-2, 1))
  await rm(join(directory, 'acknowledged.json'))
  t.match((await run(StoreCheck, '--json')).json, { sound: true }, 'no other check can find them')
  const checked = await run(StoreCheck, '--json', '--backup', backup)
  t.equal(checked.exitCode, 1)
  t.match(
    checked.json,
    exactArrays({ sound: false, problems: [/^The end of the store is missing: .*backup/] }),
  )
  const other = join(root, 'other')
  await fillStore(other, seedOrders(0))
  const refused = await runnerOn(other)(StoreCheck, '--json', '--backup', backup)
  t.match(refused, { exitCode: 4, json: { error: { message: /a backup of another store/ } } })
})
