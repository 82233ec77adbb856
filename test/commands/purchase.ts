import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import Find from '../../commands/find.ts'
import InvestorShow from '../../commands/investor/show.ts'
import PurchaseApprove from '../../commands/purchase/approve.ts'
import PurchaseCancel from '../../commands/purchase/cancel.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import PurchaseReject from '../../commands/purchase/reject.ts'
import PurchaseSettle from '../../commands/purchase/settle.ts'
import PurchaseShow from '../../commands/purchase/show.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { runCommand } from '../../fixtures/program/run-command.ts'
import {
  type CommandContext,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'
import { type SeededOrders, seedOrders } from '../../fixtures/world/seed-orders.ts'

withAndWithoutService(t, { seed: seedOrders(30), test })

const unknown = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

async function test(t: Test, { run, seed }: CommandContext<SeededOrders>): Promise<void> {
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = seed.purchaseIds
  const statusOf = async (id: string) => (await run(PurchaseShow, id, '--json')).json.status

  await t.test('one id prints the order itself', async (t) => {
    const approved = await run(PurchaseApprove, first, '--json')
    t.match(approved.json, { share_purchase_id: first, status: 'approved' })
    t.match(approved.stderr, `Approved ${first}.`)
    const settled = await run(PurchaseSettle, first)
    t.equal(settled.stdout, `Settled ${first}.`)
  })

  await t.test('purchase show has the history', async (t) => {
    const shown = await run(PurchaseShow, first, '--json')
    const history = shown.json.history.map(({ status }: { status: string }) => status)
    t.strictSame(history, ['submitted', 'approved', 'settled'])
    t.match((await run(PurchaseShow, first)).stdout, /^STATUS +SINCE$/m)
  })

  await t.test('the short id in a table is enough if only one order has it', async (t) => {
    for (const short of [first.slice(-8), `…${first.slice(-8).toUpperCase()}`]) {
      t.equal((await run(PurchaseShow, short, '--json')).json.share_purchase_id, first)
      t.match((await run(Find, short, '--json')).json.found[0].share_purchases[0], {
        share_purchase_id: first,
      })
    }
    t.equal((await run(PurchaseApprove, fifth.slice(-8))).stdout, `Approved ${fifth}.`)
    // Ids begin with the time, so the first of these orders can have a beginning of its own.
    const beginnings = seed.purchaseIds.map((id) => id.slice(0, 8))
    const common = beginnings.find((text, index) => beginnings.indexOf(text) < index) ?? ''
    const several = await run(PurchaseShow, common)
    t.equal(several.exitCode, 3)
    t.match(several.stderr, `Several share purchases have the short id ${common}: `)
    const nothing = await run(PurchaseShow, '00000000')
    t.match(nothing.stderr, 'No share purchase has the id 00000000.')
    const investor = await run(InvestorShow, seed.investorId.slice(-8), '--json')
    t.equal(investor.json.investor_id, seed.investorId)
  })

  await t.test(
    'several ids are all tried with one line each, and a refusal has exit code 4',
    async (t) => {
      const approved = await run(
        PurchaseApprove,
        ...[unknown, first, second, second.toUpperCase(), '--json'],
      )
      t.equal(approved.exitCode, 4)
      t.match(
        approved.json,
        exactArrays([
          { share_purchase_id: unknown, error: { code: 'SHARE_PURCHASE_NOT_FOUND' } },
          { share_purchase_id: first, error: { code: 'SHARE_PURCHASE_ILLEGAL_STATE' } },
          { share_purchase_id: second, status: 'approved' },
        ]),
      )
      t.equal(approved.stderr, '', 'the data has the result of each id')
    },
  )

  await t.test(
    'several ids give exit code 3 if one was not found and none was refused',
    async (t) => {
      const approved = await run(PurchaseApprove, unknown, third)
      t.equal(approved.exitCode, 3)
      t.equal(approved.stdout, `Approved ${third}.`)
      t.match(approved.stderr, unknown)
      t.equal(await statusOf(third), 'approved')
    },
  )

  await t.test('one id that is refused or unknown is reported', async (t) => {
    const refused = await run(PurchaseSettle, fourth, '--json')
    t.equal(refused.exitCode, 4)
    t.equal(refused.json.error.code, 'SHARE_PURCHASE_ILLEGAL_STATE')
    for (const command of [PurchaseApprove, PurchaseSettle, PurchaseReject, PurchaseCancel]) {
      t.equal((await run(command, unknown)).exitCode, 3)
    }
    t.match((await run(PurchaseShow, unknown)).stderr, /^Error: .*purchase list/)
  })

  await t.test('a rejection keeps its reason, and a cancellation has none', async (t) => {
    const rejected = await run(PurchaseReject, third, '--reason', 'Mandate returned.', '--json')
    t.match(rejected.json, { status: 'rejected', reason: 'Mandate returned.' })
    const cancelled = await run(PurchaseCancel, fourth, '--json')
    t.match(cancelled.json, { status: 'cancelled', reason: null })
  })

  await t.test(
    'a list of orders is filtered by status and organization, and shortened by --limit',
    async (t) => {
      const listed = async (...flags: string[]) =>
        (await run(PurchaseList, ...flags, '--json')).json
      t.equal((await listed()).length, 30)
      t.equal((await listed('--limit', '3')).length, 3)
      const oldestFirst = await listed('--sort', 'created_at')
      t.strictSame(oldestFirst.toReversed(), await listed(), 'newest first')
      t.equal((await listed('--cooperative', oldestFirst[0].cooperative_key)).length, 30)
      t.equal((await listed('--investor', 'customer-1', '--since', '1h')).length, 30)
      t.equal((await listed('--until', '1h')).length, 0)
      const approved = [{ share_purchase_id: fifth }, { share_purchase_id: second }]
      t.match(await listed('--status', 'approved'), exactArrays(approved))
      t.equal((await listed('--organization', 'Demo Bank', '--status', 'submitted')).length, 25)
      t.equal((await run(PurchaseList, '--organization', 'Nobody')).exitCode, 3)
      t.match(
        (await run(PurchaseList)).stdout,
        /^ID +STATUS +PARTNER +NAME +COOPERATIVE +SHARES +TOTAL +AGE$/m,
      )
    },
  )

  await t.test('either ids or an --all flag are required, but not both', async (t) => {
    t.equal((await run(PurchaseApprove, second, '--all-submitted')).exitCode, 2)
    t.equal((await run(PurchaseApprove)).exitCode, 2)
  })

  await t.test('wrong usage neither opens nor creates a store', async (t) => {
    const none = join(t.testdir(), 'none')
    for (const command of [PurchaseApprove, PurchaseSettle, PurchaseReject, PurchaseCancel]) {
      t.equal((await runCommand(command, '--data-dir', none)).exitCode, 2)
    }
    t.notOk(existsSync(none))
  })

  await t.test(
    '--all-submitted and --all-approved select every order in that status',
    async (t) => {
      const approved = await run(PurchaseApprove, '--all-submitted', '--json')
      t.equal(approved.exitCode, 0)
      t.equal(approved.json.length, 25)
      const settled = await run(PurchaseSettle, '--all-approved', '--json')
      t.equal(settled.json.length, 27)
      const nothingLeft = await run(PurchaseReject, '--all-submitted', '--all-approved', '--json')
      t.strictSame(nothingLeft.json, [])
      t.equal(nothingLeft.exitCode, 0)
    },
  )
}
