import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import PurchaseApprove from '../../commands/purchase/approve.ts'
import PurchaseCancel from '../../commands/purchase/cancel.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import PurchaseReject from '../../commands/purchase/reject.ts'
import PurchaseSettle from '../../commands/purchase/settle.ts'
import PurchaseShow from '../../commands/purchase/show.ts'
import { eitherWay, type Here } from '../../fixtures/either-way.ts'
import { runCommand } from '../../fixtures/run-command.ts'
import { type SeededOrders, seedOrders } from '../../fixtures/seed-orders.ts'
import { withLengths } from '../../fixtures/with-lengths.ts'

eitherWay(t, { seed: seedOrders(30), test })

const unknown = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

async function test(t: Test, { run, seed }: Here<SeededOrders>): Promise<void> {
  const [first = '', second = '', third = '', fourth = ''] = seed.purchaseIds
  const statusOf = async (id: string) => (await run(PurchaseShow, id, '--json')).json.status

  await t.test('one id answers the order itself', async (t) => {
    const approved = await run(PurchaseApprove, first, '--json')
    t.match(approved.json, { share_purchase_id: first, status: 'approved' })
    t.match(approved.stderr, `Approved ${first}.`)
    const settled = await run(PurchaseSettle, first)
    t.equal(settled.stdout, `Settled ${first}.`)
  })

  await t.test('show adds the history', async (t) => {
    const shown = await run(PurchaseShow, first, '--json')
    const history = shown.json.history.map(({ status }: { status: string }) => status)
    t.strictSame(history, ['submitted', 'approved', 'settled'])
    t.match((await run(PurchaseShow, first)).stdout, /^STATUS +SINCE$/m)
  })

  await t.test(
    'several ids: all are tried, one line each, exit 4 when any was refused',
    async (t) => {
      const approved = await run(
        PurchaseApprove,
        ...[unknown, first, second, second.toUpperCase(), '--json'],
      )
      t.equal(approved.exitCode, 4)
      t.match(
        approved.json,
        withLengths([
          { share_purchase_id: unknown, error: { code: 'SHARE_PURCHASE_NOT_FOUND' } },
          { share_purchase_id: first, error: { code: 'SHARE_PURCHASE_ILLEGAL_STATE' } },
          { share_purchase_id: second, status: 'approved' },
        ]),
      )
      t.equal(approved.stderr, '', 'the data says it of each')
    },
  )

  await t.test('several ids: exit 3 when one was not found and none was refused', async (t) => {
    const approved = await run(PurchaseApprove, unknown, third)
    t.equal(approved.exitCode, 3)
    t.equal(approved.stdout, `Approved ${third}.`)
    t.match(approved.stderr, unknown)
    t.equal(await statusOf(third), 'approved')
  })

  await t.test('one id that is refused or unknown says so', async (t) => {
    const refused = await run(PurchaseSettle, fourth, '--json')
    t.equal(refused.exitCode, 4)
    t.equal(refused.json.error.code, 'SHARE_PURCHASE_ILLEGAL_STATE')
    for (const command of [PurchaseApprove, PurchaseSettle, PurchaseReject, PurchaseCancel]) {
      t.equal((await run(command, unknown)).exitCode, 3)
    }
    t.match((await run(PurchaseShow, unknown)).stderr, /^Error: .*purchase list/)
  })

  await t.test('a rejection keeps its reason, a cancellation has none', async (t) => {
    const rejected = await run(PurchaseReject, third, '--reason', 'Mandate returned.', '--json')
    t.match(rejected.json, { status: 'rejected', reason: 'Mandate returned.' })
    const cancelled = await run(PurchaseCancel, fourth, '--json')
    t.match(cancelled.json, { status: 'cancelled', reason: null })
  })

  await t.test('a list is narrowed by status and organisation, and cut by --limit', async (t) => {
    const listed = async (...flags: string[]) => (await run(PurchaseList, ...flags, '--json')).json
    t.equal((await listed()).length, 30)
    t.equal((await listed('--limit', '3')).length, 3)
    t.match(await listed('--status', 'approved'), withLengths([{ share_purchase_id: second }]))
    t.equal((await listed('--organization', 'Demo Bank', '--status', 'submitted')).length, 26)
    t.equal((await run(PurchaseList, '--organization', 'Nobody')).exitCode, 3)
    t.match((await run(PurchaseList)).stdout, /^ID +STATUS +SHARES +TOTAL +PLACED +ORGANIZATION$/m)
  })

  await t.test('ids and an --all flag exclude each other, and one of them is needed', async (t) => {
    t.equal((await run(PurchaseApprove, second, '--all-submitted')).exitCode, 2)
    t.equal((await run(PurchaseApprove)).exitCode, 2)
  })

  await t.test('without either no store is opened, and none is made', async (t) => {
    const none = join(t.testdir(), 'none')
    for (const command of [PurchaseApprove, PurchaseSettle, PurchaseReject, PurchaseCancel]) {
      t.equal((await runCommand(command, '--data-dir', none)).exitCode, 2)
    }
    t.notOk(existsSync(none))
  })

  await t.test('--all-submitted and --all-approved take every order in that status', async (t) => {
    const approved = await run(PurchaseApprove, '--all-submitted', '--json')
    t.equal(approved.exitCode, 0)
    t.equal(approved.json.length, 26)
    const settled = await run(PurchaseSettle, '--all-approved', '--json')
    t.equal(settled.json.length, 27)
    const nothingLeft = await run(PurchaseReject, '--all-submitted', '--all-approved', '--json')
    t.strictSame(nothingLeft.json, [])
    t.equal(nothingLeft.exitCode, 0)
  })
}
