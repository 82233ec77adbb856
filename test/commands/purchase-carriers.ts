import t, { type Test } from 'tap'
import PurchaseApprove from '../../commands/purchase/approve.ts'
import PurchaseCancel from '../../commands/purchase/cancel.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import PurchaseSettle from '../../commands/purchase/settle.ts'
import PurchaseShow from '../../commands/purchase/show.ts'
import { euro } from '../../fixtures/cooperatives.ts'
import { eitherWay, type Here } from '../../fixtures/either-way.ts'
import { type SeededOrders, seedOrders } from '../../fixtures/seed-orders.ts'
import { withLengths } from '../../fixtures/with-lengths.ts'

const seed = seedOrders(6, { entryFee: euro('15') })

eitherWay(t, { seed, test: settling })
eitherWay(t, { seed, test: cancelling })

async function settling(t: Test, { run, seed }: Here<SeededOrders>): Promise<void> {
  const [first = '', second = '', third = '', ...others] = seed.purchaseIds

  await t.test('show names what an order rests on', async (t) => {
    t.match((await run(PurchaseShow, second, '--json')).json, withLengths({ rests_on: [first] }))
    t.match((await run(PurchaseShow, second)).stdout, new RegExp(`^rests_on +${first}$`, 'm'))
  })

  await t.test('an order that rests on one that is not settled is skipped, exit 4', async (t) => {
    await run(PurchaseApprove, second, third)
    const one = await run(PurchaseSettle, second, '--json')
    t.equal(one.exitCode, 4)
    t.equal(one.json.error.code, 'SHARE_PURCHASE_ILLEGAL_STATE')
    const settled = await run(PurchaseSettle, '--all-approved', '--json')
    t.equal(settled.exitCode, 4)
    const message = `depends on share purchase ${first}, which is submitted. Settle that one first.`
    t.match(
      settled.json,
      withLengths(
        [second, third].map((id) => ({
          share_purchase_id: id,
          error: { code: 'SHARE_PURCHASE_ILLEGAL_STATE', message },
        })),
      ),
    )
    t.equal(settled.stderr, '')
  })

  await t.test('several ids are settled in an order that works', async (t) => {
    await run(PurchaseApprove, '--all-submitted')
    const settled = await run(PurchaseSettle, third, second, first.toUpperCase(), '--json')
    t.equal(settled.exitCode, 0, settled.stderr)
    t.match(
      settled.json,
      withLengths([first, third, second].map((id) => ({ share_purchase_id: id }))),
    )
  })

  await t.test('so are all that are approved', async (t) => {
    const settled = await run(PurchaseSettle, '--all-approved', '--json')
    t.equal(settled.exitCode, 0)
    t.equal(settled.json.length, others.length)
  })
}

async function cancelling(t: Test, { run }: Here<SeededOrders>): Promise<void> {
  await t.test('of several that are cancelled, those go first that rest on others', async (t) => {
    const cancelled = await run(PurchaseCancel, '--all-submitted', '--json')
    t.equal(cancelled.exitCode, 0, cancelled.stderr)
    const { json } = await run(PurchaseList, '--status', 'cancelled', '--json')
    t.equal(json.length, 6)
  })
}
