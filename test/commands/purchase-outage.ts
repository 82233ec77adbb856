import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import InvestorErase from '../../commands/investor/erase.ts'
import PurchaseApprove from '../../commands/purchase/approve.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { fillStore, runCommand } from '../../fixtures/program/run-command.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'

t.teardown(stopServer)

/** Fills a database, with a function that makes it fail for one record, as if the disk were full. */
async function fillDatabase(t: Test, orders: number) {
  const { options, drop } = await createDatabase()
  const sql = postgres(options.url, { max: 1 })
  t.teardown(async () => {
    await sql.end()
    await drop()
  })
  const directory = t.testdir({ data: {} })
  const [key, data] = [join(directory, 'key'), join(directory, 'data')]
  writeFileSync(key, randomBytes(32).toString('hex'))
  const where = ['--database-url', options.url, '--encryption-key-file', key]
  const seed = await fillStore(data, seedOrders(orders), ...where)
  const failFor = (table: string, column: string, id: string) =>
    sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'no room' using errcode = '53100'; end $$;
    create trigger refuse before update on ${table} for each row
      when (old.${column} = '${id}') execute function refuse()`)
  return { ...seed, failFor, where: [...where, '--data-dir', data, '--json'] }
}

t.test('when the database fails for one of several persons, each result is reported', async (t) => {
  const { investorId, failFor, where } = await fillDatabase(t, 0)
  await failFor('investors', 'investor_id', investorId)
  const unknown = '0b8f0b5c-6d0c-4b8e-9a55-0c3f5f5d2f11'
  const ids = [investorId, unknown]
  const erased = await runCommand(InvestorErase, ...ids, '--reason', 'Asked.', '--yes', ...where)
  t.equal(erased.exitCode, 5)
  t.match(
    erased.json,
    exactArrays([
      { investor_id: investorId, error: { code: 'SERVICE_UNAVAILABLE' } },
      { investor_id: unknown, error: { code: 'INVESTOR_NOT_FOUND' } },
    ]),
  )
})

t.test(
  'when the database fails for some of several ids, the result of each id is still reported',
  async (t) => {
    const { purchaseIds, failFor, where } = await fillDatabase(t, 3)
    const [first = '', second = '', third = ''] = purchaseIds
    await failFor('share_purchases', 'share_purchase_id', second)
    const approved = await runCommand(PurchaseApprove, first, second, third, ...where)
    t.equal(approved.exitCode, 5)
    t.match(
      approved.json,
      exactArrays([
        { share_purchase_id: first, status: 'approved' },
        { share_purchase_id: second, error: { code: 'SERVICE_UNAVAILABLE' } },
        { share_purchase_id: third, status: 'approved' },
      ]),
    )
    t.equal(approved.stderr, '', 'the data has the result of each id')
  },
)
