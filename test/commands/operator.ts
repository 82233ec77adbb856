import { appendFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import AuditList from '../../commands/audit/list.ts'
import OperatorCreate from '../../commands/operator/create.ts'
import OperatorDisable from '../../commands/operator/disable.ts'
import OperatorEnable from '../../commands/operator/enable.ts'
import OperatorList from '../../commands/operator/list.ts'
import OperatorRotateToken from '../../commands/operator/rotate-token.ts'
import OperatorSetRole from '../../commands/operator/set-role.ts'
import OrganizationCreate from '../../commands/organization/create.ts'
import OrganizationList from '../../commands/organization/list.ts'
import PurchaseApprove from '../../commands/purchase/approve.ts'
import StoreBackup from '../../commands/store/backup.ts'
import StoreCheck from '../../commands/store/check.ts'
import StoreCopy from '../../commands/store/copy.ts'
import StoreReopen from '../../commands/store/reopen.ts'
import { checkedOperatorFetch } from '../../fixtures/contract/check-operator-answer.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { type CommandResult, runCommand, startService } from '../../fixtures/program/run-command.ts'
import { runCoopshare } from '../../fixtures/program/serve.ts'

const nobody = '0b8f0b5c-6d0c-4b8e-9a55-0c3f5f5d2f11'

type CommandClass = Parameters<typeof runCommand>[0]
type RunAs = (
  token: string | undefined,
  command: CommandClass,
  ...argv: string[]
) => Promise<CommandResult>

/**
 * Returns a function that runs commands with a token of an operator or as the local administrator.
 */
function runnerFor(t: Test, place: readonly string[]): RunAs {
  t.teardown(() => delete process.env['COOPSHARE_OPERATOR_TOKEN'])
  return async (token, command, ...argv) => {
    if (token === undefined) delete process.env['COOPSHARE_OPERATOR_TOKEN']
    else process.env['COOPSHARE_OPERATOR_TOKEN'] = token
    return runCommand(command, ...argv, ...place, '--json')
  }
}

/**
 * Tests roles. The callers use it for commands on the machine of the service, for remote commands,
 * and for a store without a service.
 */
async function testRoles(t: Test, asLocal: RunAs, asNamed: RunAs): Promise<void> {
  const create = async (name: string, role: string) =>
    (await asLocal(undefined, OperatorCreate, name, '--role', role)).json.token
  const viewer = await create('Vera', 'viewer')
  const operator = await create('oskar', 'operator')
  const administrator = await create('anna', 'administrator')

  await t.test('each role may run the operations in its row of the table', async (t) => {
    for (const token of [viewer, operator, administrator]) {
      t.equal((await asNamed(token, OrganizationList)).exitCode, 0)
    }
    const refused = await asNamed(viewer, PurchaseApprove, nobody)
    t.equal(refused.exitCode, 4)
    t.match(refused.json.error, {
      code: 'FORBIDDEN',
      message:
        'purchase.approve is for the roles operator and administrator; Vera has the role viewer.',
    })
    t.match(await asNamed(operator, PurchaseApprove, nobody), {
      exitCode: 3,
      json: { error: { code: 'SHARE_PURCHASE_NOT_FOUND' } },
    })
    const forbidden = await asNamed(operator, OrganizationCreate, 'Other Bank')
    t.match(forbidden, { exitCode: 4, json: { error: { message: /the role administrator/ } } })
    t.equal((await asNamed(administrator, OrganizationCreate, 'Other Bank')).exitCode, 0)
    const file = join(t.testdir(), 'backup')
    const backup = await asNamed(operator, StoreBackup, file)
    t.match(backup, { exitCode: 4, json: { error: { code: 'FORBIDDEN' } } })
    const noted = await asLocal(undefined, AuditList, '--operator', 'oskar', '--limit', '1')
    const entry = { operation: 'store.backup', outcome: 'refused', code: 'FORBIDDEN' }
    t.match(noted.json, exactArrays([entry]))
  })

  await t.test('a replaced token and the token of a disabled operator are refused', async (t) => {
    const { token } = (await asNamed(administrator, OperatorRotateToken, 'VERA')).json
    t.match(await asNamed(viewer, OrganizationList), {
      exitCode: 5,
      json: { error: { code: 'UNAUTHENTICATED' } },
    })
    t.equal((await asNamed(token, OrganizationList)).exitCode, 0)
    await asNamed(administrator, OperatorDisable, 'Vera')
    t.equal((await asNamed(token, OrganizationList)).exitCode, 5)
    await asNamed(administrator, OperatorEnable, 'Vera')
    t.equal((await asNamed(token, OrganizationList)).exitCode, 0)
  })

  await t.test('another role takes effect immediately', async (t) => {
    const { token } = (await asNamed(administrator, OperatorRotateToken, 'Vera')).json
    const changed = await asNamed(administrator, OperatorSetRole, 'VERA', '--role', 'operator')
    t.match(changed.json, { name: 'Vera', role: 'operator', state: 'active' })
    t.equal((await asNamed(token, PurchaseApprove, nobody)).exitCode, 3, 'the same token')
    t.equal((await asNamed(token, OperatorSetRole, 'Vera', '--role', 'administrator')).exitCode, 4)
    const entries = (await asLocal(undefined, AuditList, '--operator', 'anna', '--limit', '1')).json
    const change = { before: { role: 'viewer' }, after: { role: 'operator' } }
    t.match(entries, exactArrays([{ operation: 'operator.set_role', changes: [change] }]))
    await asNamed(administrator, OperatorSetRole, 'Vera', '--role', 'viewer')
  })

  await t.test('a token that was not copied exactly belongs to no operator', async (t) => {
    const mistyped = [
      viewer.slice(0, -1),
      viewer.slice(1),
      viewer.slice(9),
      viewer.slice(40),
      `${viewer}A`,
      ` ${viewer}`,
      `"${viewer}"`,
    ]
    for (const token of [...mistyped, `Bearer ${viewer}`, 'cso_', 'bad']) {
      const refused = await asNamed(token, OrganizationCreate, 'Mistyped Bank')
      t.match(refused, { exitCode: 5, json: { error: { code: 'UNAUTHENTICATED' } } })
      t.match(refused.json.error.message, /copied (the|your) token .*exactly/)
    }
  })

  await t.test('names are unique, and some are reserved', async (t) => {
    for (const [name, code] of [
      ['ANNA', 'NAME_TAKEN'],
      ['Local', 'VALIDATION_ERROR'],
      ['\u001b[31mred', 'VALIDATION_ERROR'],
    ] as const) {
      const refused = await asLocal(undefined, OperatorCreate, name, '--role', 'viewer')
      t.match(refused, { exitCode: 4, json: { error: { code } } }, name)
    }
    const long = await asLocal(undefined, OperatorCreate, 'x'.repeat(201), '--role', 'viewer')
    t.match(long.json.error.errors, { name: 'must have at most 64 characters' })
    const listed = await asLocal(undefined, OperatorList)
    t.match(
      listed.json,
      exactArrays([
        { name: 'Vera', role: 'viewer', state: 'active' },
        { name: 'oskar', role: 'operator' },
        { name: 'anna', role: 'administrator' },
      ]),
    )
    t.notMatch(listed.stdout, /cso_|token"/)
  })
}

t.test(
  'operators work through a service on their machine and through a remote service',
  async (t) => {
    for (const isRemote of [false, true]) {
      await t.test(isRemote ? 'remote' : 'here', async (t) => {
        const dataDirectory = t.testdir()
        const serving = await startService(dataDirectory)
        t.teardown(() => serving.close())
        const local = runnerFor(t, ['--data-dir', dataDirectory])
        const remote = [
          '--operator-url',
          serving.operatorUrl,
          '--data-dir',
          `${dataDirectory}-none`,
        ]
        await testRoles(t, local, isRemote ? runnerFor(t, remote) : local)
      })
    }
  },
)

t.test('operators work on a store without a service', async (t) => {
  const local = runnerFor(t, ['--data-dir', t.testdir()])
  await testRoles(t, local, local)
})

t.test('commands on the files of a store also require a role', async (t) => {
  const root = t.testdir({ data: {} })
  const run = runnerFor(t, ['--data-dir', join(root, 'data')])
  const { token } = (await run(undefined, OperatorCreate, 'Vera', '--role', 'viewer')).json
  const { token: own } = (await run(undefined, OperatorCreate, 'a', '--role', 'administrator')).json
  const copy = [StoreCopy, '--to', join(root, 'copy')] as const
  for (const [command, ...argv] of [[StoreCheck], copy, [StoreReopen, '--yes']] as const) {
    const refused = await run(token, command, ...argv)
    t.match(refused, { exitCode: 4, json: { error: { code: 'FORBIDDEN' } } })
    t.match(refused.json.error.message, /is for the role administrator; Vera has the role viewer/)
  }
  const noted = await run(undefined, AuditList, '--operator', 'Vera')
  t.match(
    noted.json,
    exactArrays(
      ['store.reopen', 'store.copy', 'store.check'].map((operation) => ({
        operation,
        outcome: 'refused',
        code: 'FORBIDDEN',
      })),
    ),
  )
  t.equal((await run(own, StoreCheck)).exitCode, 0)
  t.equal((await run(own, ...copy)).exitCode, 0)
  t.match(await run(own, StoreReopen, '--yes'), { exitCode: 0, json: { reopened: true } })
  await appendFile(join(root, 'data', 'journal-00000001.jsonl'), 'damage\n')
  t.match(await run(own, StoreCheck), {
    exitCode: 5,
    json: { error: { code: 'UNAUTHENTICATED', message: /Without the variable you are the local/ } },
  })
  t.equal((await run(undefined, StoreCheck)).exitCode, 1)
})

t.test('an operator of a remote service cannot move a store on this machine', async (t) => {
  const root = t.testdir({ coopshare: {} })
  const run = runnerFor(t, ['--data-dir', join(root, 'coopshare')])
  await run(undefined, OrganizationCreate, 'Demo Bank')
  // These variables make the directory above the default directory.
  const elsewhere = { HOME: root, XDG_DATA_HOME: root, COOPSHARE_OPERATOR_URL: 'http://10.0.0.5:1' }
  const to = ['--to', join(root, 'copy')]
  for (const argv of [
    ['copy', ...to],
    ['reopen', '--yes'],
    ['salvage', ...to],
  ]) {
    const refused = await runCoopshare(['store', ...argv], elsewhere)
    t.match(refused, { code: 2, stderr: /Name the store with --data-dir or --database-url/ })
  }
  t.match((await run(undefined, StoreCheck)).json, { moved: null })
  const named = ['--data-dir', join(root, 'coopshare')]
  t.equal((await runCoopshare(['store', 'copy', ...to, ...named], elsewhere)).code, 0)
})

t.test('programs send the token of an operator and get 401 or 403 [D40]', async (t) => {
  const dataDirectory = t.testdir()
  const serving = await startService(dataDirectory)
  t.teardown(() => serving.close())
  const run = runnerFor(t, ['--data-dir', dataDirectory])
  const { token } = (await run(undefined, OperatorCreate, 'Vera', '--role', 'viewer')).json
  const ask = (operation: string, sent: string) =>
    checkedOperatorFetch(`${serving.operatorUrl}/operations/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sent}`, 'content-type': 'application/json' },
      body: '{}',
    })
  t.equal((await ask('organization.list', token)).status, 200)
  t.match(await (await ask('store.check', token)).json(), {
    status: 403,
    code: 'FORBIDDEN',
    detail: /the role administrator/,
  })
  const moved = await checkedOperatorFetch(`${serving.operatorUrl}/bench/clock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"advance":"1h"}',
  })
  t.match(await moved.json(), { status: 403, detail: /The bench is for the roles operator and/ })
  const noted = await run(undefined, AuditList, '--operator', 'Vera', '--limit', '1')
  t.match(
    noted.json,
    exactArrays([{ operation: 'bench', outcome: 'refused', code: 'FORBIDDEN', via: 'api' }]),
  )
  const last = token.at(-1) === 'A' ? 'B' : 'A'
  t.equal((await ask('organization.list', `${token.slice(0, -1)}${last}`)).status, 401)
})

t.test('no file of the store contains the token of an operator', async (t) => {
  const dataDirectory = t.testdir()
  const run = runnerFor(t, ['--data-dir', dataDirectory])
  const { token } = (await run(undefined, OperatorCreate, 'Vera', '--role', 'viewer')).json
  const names = await readdir(dataDirectory)
  const files = await Promise.all(names.map((name) => readFile(join(dataDirectory, name), 'utf8')))
  t.match(files.join(''), 'Vera')
  t.notMatch(files.join(''), token.slice(-43))
})

t.test('a service does not start with the token of an operator as its own', async (t) => {
  const dataDirectory = t.testdir()
  const run = runnerFor(t, ['--data-dir', dataDirectory])
  const { token } = (await run(undefined, OperatorCreate, 'Vera', '--role', 'viewer')).json
  const started = await runCoopshare(['serve', '--port', '0', '--data-dir', dataDirectory], {
    COOPSHARE_OPERATOR_TOKEN: token,
  })
  t.equal(started.code, 2)
  t.match(started.stderr, /is a personal operator token/)
})
