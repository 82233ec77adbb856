import t from 'tap'
import { completeProvision } from '../../../fixtures/builders/investors.ts'
import { applyFixtureFile, createEmptyService } from '../../../fixtures/world/fixture-files.ts'
import { machineTime, useTime } from '../../../src/machine/time.ts'
import { runOperation } from '../../../src/operations/operations.ts'

const dependents = 200

t.test('an order on which many rest ends with them in one write, in many turns [D1]', async (t) => {
  const service = await createEmptyService()
  const sun = { key: 'sun', name: 'Sonne eG', energy_category: 'solar', share_price: '100.00' }
  const share_purchases = Array.from({ length: dependents + 1 }, () => ({
    cooperative: 'sun',
    share_count: 5,
  }))
  await applyFixtureFile(service, {
    organizations: [
      { name: 'Musterbank', investors: [{ ...completeProvision(), share_purchases }] },
    ],
    cooperatives: [{ ...sun, entry_fee: '50.00' }],
  })
  const list = (filter: object) =>
    runOperation(service, 'purchase.list', filter) as Promise<
      readonly { readonly share_purchase_id: string; readonly entry_fee: string }[]
    >
  const first = (await list({})).find(({ entry_fee }) => entry_fee !== '0.00')
  let turns = 0
  const seen = new Set<number>()
  useTime({
    ...machineTime,
    nextTurn: async () => {
      turns += 1
      await machineTime.nextTurn()
    },
  })
  t.teardown(() => useTime(machineTime))
  let isOver = false
  const cancelling = runOperation(service, 'purchase.cancel', {
    share_purchase_id: first?.share_purchase_id,
  }).finally(() => {
    isOver = true
  })
  while (!isOver) {
    seen.add((await list({ status: 'rejected' })).length)
    await machineTime.nextTurn()
  }
  await cancelling
  t.ok(turns >= dependents / 20, 'others have their turn')
  t.strictSame(
    [...seen].filter((count) => count !== 0 && count !== dependents),
    [],
    'nobody sees a part of the write',
  )
  t.equal((await list({ status: 'rejected' })).length, dependents)
})
