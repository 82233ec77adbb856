import t, { type Test } from 'tap'
import PurchaseApprove from '../../commands/purchase/approve.ts'
import PurchaseCancel from '../../commands/purchase/cancel.ts'
import PurchaseList from '../../commands/purchase/list.ts'
import PurchaseSettle from '../../commands/purchase/settle.ts'
import PurchaseShow from '../../commands/purchase/show.ts'
import { euro } from '../../fixtures/builders/cooperatives.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import {
  type CommandContext,
  withAndWithoutService,
} from '../../fixtures/program/with-and-without-service.ts'
import { type SeededOrders, seedOrders } from '../../fixtures/world/seed-orders.ts'

const seed = seedOrders(6, { entryFee: euro('15') })

t.test('orders are settled in the order of their dependencies', async (t) =>
  withAndWithoutService(t, { seed, test: settling }),
)
t.test('cancelling an order affects the orders that depend on it', async (t) =>
  withAndWithoutService(t, { seed, test: cancelling }),
)

async function settling(t: Test, { run, seed }: CommandContext<SeededOrders>): Promise<void> {
  const [first = '', second = '', third = '', ...others] = seed.purchaseIds

  await t.test('purchase show names the orders that an order depends on', async (t) => {
    t.match((await run(PurchaseShow, second, '--json')).json, exactArrays({ rests_on: [first] }))
    t.match((await run(PurchaseShow, second)).stdout, new RegExp(`^rests_on +${first}$`, 'm'))
  })

  await t.test(
    'an order that depends on an unsettled order is skipped (exit code 4)',
    async (t) => {
      await run(PurchaseApprove, second, third)
      const one = await run(PurchaseSettle, second, '--json')
      t.equal(one.exitCode, 4)
      t.equal(one.json.error.code, 'SHARE_PURCHASE_ILLEGAL_STATE')
      const settled = await run(PurchaseSettle, '--all-approved', '--json')
      t.equal(settled.exitCode, 4)
      const message = `depends on share purchase ${first}, which is submitted. Settle that share purchase first.`
      t.match(
        settled.json,
        exactArrays(
          [second, third].map((id) => ({
            share_purchase_id: id,
            error: { code: 'SHARE_PURCHASE_ILLEGAL_STATE', message },
          })),
        ),
      )
      t.equal(settled.stderr, '')
    },
  )

  await t.test('several ids are settled after the orders that they depend on [D1]', async (t) => {
    await run(PurchaseApprove, '--all-submitted')
    const settled = await run(PurchaseSettle, third, second, first.toUpperCase(), '--json')
    t.equal(settled.exitCode, 0, settled.stderr)
    t.match(
      settled.json,
      exactArrays([first, third, second].map((id) => ({ share_purchase_id: id }))),
    )
  })

  await t.test('--all-approved settles orders after the orders that they depend on', async (t) => {
    const settled = await run(PurchaseSettle, '--all-approved', '--json')
    t.equal(settled.exitCode, 0)
    t.equal(settled.json.length, others.length)
  })
}

async function cancelling(t: Test, { run }: CommandContext<SeededOrders>): Promise<void> {
  await t.test(
    'when several orders are cancelled, orders that depend on others come first',
    async (t) => {
      const cancelled = await run(PurchaseCancel, '--all-submitted', '--json')
      t.equal(cancelled.exitCode, 0, cancelled.stderr)
      const { json } = await run(PurchaseList, '--status', 'cancelled', '--json')
      t.equal(json.length, 6)
    },
  )
}
