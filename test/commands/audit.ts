import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import AuditExport from '../../commands/audit/export.ts'
import AuditList from '../../commands/audit/list.ts'
import AuditVerify from '../../commands/audit/verify.ts'
import FixturesExport from '../../commands/fixtures/export.ts'
import OperatorCreate from '../../commands/operator/create.ts'
import OrganizationCreate from '../../commands/organization/create.ts'
import StoreBackup from '../../commands/store/backup.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreCopy from '../../commands/store/copy.ts'
import StoreRestore from '../../commands/store/restore.ts'
import { until } from '../../fixtures/async.ts'
import { checkedOperatorFetch } from '../../fixtures/contract/check-operator-answer.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { type CommandResult, runCommand, startService } from '../../fixtures/program/run-command.ts'
import { runnerOn } from '../../fixtures/program/with-and-without-service.ts'
import {
  type Audit,
  type Forger,
  forgerOfDatabase,
  forgerOfDirectory,
  rebuildChain,
} from '../../fixtures/stores/forged-audit.ts'

t.teardown(stopServer)

async function makeStore(t: Test) {
  const root = t.testdir({ data: {} })
  const data = join(root, 'data')
  const run = runnerOn(data)
  await run(OperatorCreate, 'maria', '--role', 'administrator')
  await run(OrganizationCreate, 'Demo Bank')
  return { root, data, run }
}

t.test('the audit shows who did what, in a table, as JSON and as lines', async (t) => {
  const { run } = await makeStore(t)
  const { stdout } = await run(AuditList)
  t.match(stdout, /TIME +WHO +ROLE +OPERATION +OUTCOME +ABOUT/)
  t.match(stdout, /local +administrator +organization\.create +done/)
  const { json } = await run(AuditList, '--operator', 'LOCAL', '--since', '1h', '--json')
  t.match(
    json,
    exactArrays([{ operation: 'organization.create' }, { operation: 'operator.create' }]),
  )
  t.same((await run(AuditList, '--until', '1h', '--json')).json, [])
  t.match(
    (await run(AuditList, '--actor', 'system', '--json')).json,
    exactArrays([{ via: 'service' }]),
  )
  t.same((await run(AuditList, '--refused', '--json')).json, [])
  const lines = (await run(AuditExport)).stdout.split('\n').map((line) => JSON.parse(line))
  t.same(lines.map(({ operation }) => operation).slice(0, 2), ['start', 'operator.create'])
})

t.test('a saved anchor shows later that the audit was cut off', async (t) => {
  const { root, data, run } = await makeStore(t)
  const backup = join(root, 'backup')
  await run(StoreBackup, backup)
  await run(OrganizationCreate, 'Other Bank')
  await run(OrganizationCreate, 'Third Bank')
  const verified = await run(AuditVerify, '--json')
  t.match(verified, { exitCode: 0, json: { sound: true } })
  const file = join(root, 'anchor.json')
  await writeFile(file, verified.stdout)
  t.match(await run(AuditVerify, '--anchor', file), { exitCode: 0, stdout: /The audit is sound/ })

  const restored = ['--data-dir', join(root, 'restored')]
  await runCommand(StoreRestore, backup, ...restored)
  t.match((await runCommand(AuditVerify, ...restored, '--json')).json, { sound: true })
  const cut = await runCommand(AuditVerify, '--anchor', file, ...restored)
  t.equal(cut.exitCode, 1)
  t.match(cut.stdout, /The chain was cut off: it ends at entry \d, and the anchor is at entry \d/)

  await writeFile(file, '{"sound":true}')
  t.match(await run(AuditVerify, '--anchor', file, '--json'), {
    exitCode: 4,
    json: {
      error: { code: 'VALIDATION_ERROR', message: /is not an answer of `audit verify --json`/ },
    },
  })
  t.match((await runCommand(StoreCheck, '--data-dir', data, '--json')).json, { sound: true })
})

/**
 * Verifies until each entry is in the chain. The chain ends before the oldest write in progress on the server of a
 * database, which may belong to another test.
 */
async function verifyAll(t: Test, verify: () => Promise<CommandResult>): Promise<CommandResult> {
  let verified: CommandResult | undefined
  await until(t, async () => {
    verified = await verify()
    return verified.json.unsealed === 0
  })
  return verified ?? verify()
}

interface Forgery {
  readonly title: string
  readonly change: (audit: Audit) => Audit
  /** The problems that are found without an anchor. */
  readonly found?: RegExp
  /** The problems that are found with an anchor. */
  readonly anchored: RegExp
}

const renamed = ({ entries, seals }: Audit): Audit => ({
  entries: entries.map((entry, index) => (index === 1 ? { ...entry, actorName: 'nobody' } : entry)),
  seals,
})
const shortened = ({ entries, seals }: Audit): Audit => ({
  entries: entries.filter((_, index) => index !== 1),
  seals,
})
const cutOff = ({ entries, seals }: Audit): Audit => {
  const gone = seals.at(-1)?.entryIds ?? []
  const kept = entries.filter(({ entryId }) => !gone.includes(entryId))
  return { entries: kept, seals: seals.slice(0, -1) }
}

const forgeries: readonly Forgery[] = [
  {
    title: 'an entry is changed',
    change: renamed,
    found: /^Entry 2 \(.*\) was changed\.$/,
    anchored: /^Entry 2 \(.*\) was changed\.$/,
  },
  {
    title: 'an entry is changed and the chain is rebuilt',
    change: (audit) => rebuildChain(renamed(audit)),
    anchored: /^The chain was rebuilt: entry \d+ does not have the hash/,
  },
  {
    title: 'an entry is removed',
    change: shortened,
    found: /^Entry 2 \(.*\) was removed\.$/,
    anchored: /^Entry 2 \(.*\) was removed\.$/,
  },
  {
    title: 'an entry is removed and the chain is rebuilt',
    change: (audit) => rebuildChain(shortened(audit)),
    anchored: /^The chain was cut off: it ends at entry \d+, and the anchor is at entry \d+\.$/,
  },
  {
    title: 'the end is removed with its link',
    change: cutOff,
    anchored: /^The chain was cut off: /,
  },
  {
    title: 'everything is removed',
    change: () => ({ entries: [], seals: [] }),
    anchored: /^The chain was cut off: it ends at entry 0, /,
  },
]

async function findForgeries(t: Test, forger: Forger, anchor: string, argv: readonly string[]) {
  const verify = async (...flags: string[]) =>
    (await runCommand(AuditVerify, ...flags, ...argv, '--json')).json
  for (const { title, change, found, anchored } of forgeries) {
    await t.test(title, async (t) => {
      await forger.forge(change)
      t.match((await runCommand(StoreCheck, ...argv, '--json')).json, { sound: true })
      const plain = await verify()
      t.equal(plain.sound, found === undefined)
      t.match(plain.problems, exactArrays(found ? [found] : []))
      const against = await verify('--anchor', anchor)
      t.equal(against.sound, false)
      t.match(against.problems, exactArrays([anchored]))
      await forger.restore()
    })
  }
  t.equal((await verify('--anchor', anchor)).sound, true)
}

t.test('an anchor reveals changes by a person who can write to the store', async (t) => {
  const { root, data, run } = await makeStore(t)
  const file = join(root, 'anchor.json')
  for (const name of ['Second', 'Third', 'Fourth']) {
    t.match((await verifyAll(t, () => run(AuditVerify, '--json'))).json, { sound: true })
    await run(OrganizationCreate, name)
  }
  await writeFile(file, (await verifyAll(t, () => run(AuditVerify, '--json'))).stdout)
  const anchored = JSON.parse(await readFile(file, 'utf8'))
  t.match(anchored, { sound: true, position: anchored.count, unsealed: 0 })
  const { options, drop } = await createDatabase({ isEmpty: true })
  t.teardown(drop)

  await t.test('in a directory, with all checksums recomputed', async (t) =>
    findForgeries(t, await forgerOfDirectory(data), file, ['--data-dir', data]),
  )

  // These entries are not yet in the chain when the store stops accepting writes.
  await run(OrganizationCreate, 'Fifth')
  await run(OrganizationCreate, 'Sixth')
  t.equal((await run(StoreCopy, '--to', options.url)).exitCode, 0)
  await t.test('the audit of a copied store can be exported and verified', async (t) => {
    const verified = await run(AuditVerify, '--anchor', file)
    t.equal(verified.exitCode, 0)
    t.match(verified.stdout, /not in the chain yet, so the chain does not prove them: 2\./)
    const { position, count } = anchored
    t.match((await run(AuditVerify, '--anchor', file, '--json')).json, {
      sound: true,
      position,
      count: count + 2,
      unsealed: 2,
    })
    t.equal((await run(AuditExport)).stdout.split('\n').length, count + 2)
    t.match(await run(FixturesExport), { exitCode: 0, stdout: /Sixth/ })
  })

  const key = ['--encryption-key-file', join(data, 'encryption.key')]
  const there = ['--database-url', options.url, ...key]
  const copied = await verifyAll(t, () =>
    runCommand(AuditVerify, '--anchor', file, ...there, '--json'),
  )
  t.match(copied.json, { sound: true, position: anchored.position + 2 })
  await writeFile(file, copied.stdout)
  await t.test('forgeries are also found in PostgreSQL', async (t) =>
    findForgeries(t, await forgerOfDatabase(t, options), file, there),
  )
})

t.test('many wrong tokens make a single entry', async (t) => {
  const { data, run } = await makeStore(t)
  const serving = await startService(data)
  t.teardown(() => serving.close())
  for (let attempt = 0; attempt < 30; attempt += 1) {
    await checkedOperatorFetch(`${serving.operatorUrl}/operations/organization.list`, {
      method: 'POST',
      headers: { authorization: 'Bearer wrong' },
      body: '{}',
    })
  }
  const refused = async () => {
    const { json } = await run(AuditList, '--json')
    return json.filter(({ operation }: { operation: string }) => operation === 'sign_in')
  }
  await until(t, async () => (await refused()).length > 0)
  const entry = { outcome: 'refused', code: 'UNAUTHENTICATED', subjects: { address: '127.0.0.1' } }
  t.match(await refused(), exactArrays([entry]))
})

t.test('a running service seals the audit automatically', async (t) => {
  const data = t.testdir()
  const run = runnerOn(data)
  const serving = await startService(data)
  await run(OrganizationCreate, 'Demo Bank')
  await run(OrganizationCreate, 'Other Bank')
  await serving.close()
  const { records } = (await run(StoreCheck, '--json')).json
  t.ok(records.audit_seals > 0)
  t.ok(records.audit_entries > 2)
})
