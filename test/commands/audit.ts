import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import AuditExport from '../../commands/audit/export.ts'
import AuditList from '../../commands/audit/list.ts'
import AuditVerify from '../../commands/audit/verify.ts'
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
import { runCommand, startService } from '../../fixtures/program/run-command.ts'
import { runnerOn } from '../../fixtures/program/with-and-without-service.ts'

t.teardown(stopServer)

async function makeStore(t: Test) {
  const root = t.testdir({ data: {} })
  const data = join(root, 'data')
  const run = runnerOn(data)
  await run(OperatorCreate, 'maria', '--role', 'administrator')
  await run(OrganizationCreate, 'Demo Bank')
  return { root, data, run }
}

t.test('the audit shows who has done what, in a table, as JSON and as lines', async (t) => {
  const { run } = await makeStore(t)
  const { stdout } = await run(AuditList)
  t.match(stdout, /TIME +WHO +ROLE +VIA +OPERATION +OUTCOME +ABOUT/)
  t.match(stdout, /local +administrator +command +organization\.create +done/)
  const { json } = await run(AuditList, '--operator', 'LOCAL', '--since', '1h', '--json')
  t.match(
    json,
    exactArrays([{ operation: 'organization.create' }, { operation: 'operator.create' }]),
  )
  t.same((await run(AuditList, '--until', '1h', '--json')).json, [])
  const lines = (await run(AuditExport)).stdout.split('\n').map((line) => JSON.parse(line))
  t.same(lines.map(({ operation }) => operation).slice(0, 2), ['start', 'operator.create'])
})

t.test('an anchor that was saved shows later that the audit was cut off', async (t) => {
  const { root, data, run } = await makeStore(t)
  const backup = join(root, 'backup')
  await run(StoreBackup, backup)
  await run(OrganizationCreate, 'Other Bank')
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

t.test('the audit is in a copy, and its anchor stays valid', async (t) => {
  const { root, data, run } = await makeStore(t)
  const file = join(root, 'anchor.json')
  await writeFile(file, (await run(AuditVerify, '--json')).stdout)
  const { options, drop } = await createDatabase({ isEmpty: true })
  t.teardown(drop)
  t.equal((await run(StoreCopy, '--to', options.url)).exitCode, 0)
  const key = ['--encryption-key-file', join(data, 'encryption.key')]
  const there = ['--database-url', options.url, ...key, '--json']
  t.match((await runCommand(AuditVerify, '--anchor', file, ...there)).json, { sound: true })
  await runCommand(OrganizationCreate, 'Other Bank', ...there)
  t.match((await runCommand(AuditVerify, '--anchor', file, ...there)).json, { sound: true })
})

t.test('a flood of wrong tokens is one entry', async (t) => {
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

t.test('a running service seals the audit by itself', async (t) => {
  const { data, run } = await makeStore(t)
  const serving = await startService(data)
  await run(OrganizationCreate, 'Other Bank')
  await serving.close()
  const { records } = (await run(StoreCheck, '--json')).json
  t.ok(records.audit_seals > 0)
  t.ok(records.audit_entries > 2)
})
