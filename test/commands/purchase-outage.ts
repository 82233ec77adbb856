import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import t from 'tap'
import PurchaseApprove from '../../commands/purchase/approve.ts'
import { exactArrays } from '../../fixtures/exact-arrays.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { fillStore, runCommand } from '../../fixtures/program/run-command.ts'
import { seedOrders } from '../../fixtures/world/seed-orders.ts'

t.teardown(stopServer)

t.test(
  'when the database fails for some of several ids, the result of each id is still reported',
  async (t) => {
    const { options, drop } = await createDatabase()
    const sql = postgres(options.url, { max: 1 })
    t.teardown(async () => {
      await sql.end()
      await drop()
    })
    const directory = t.testdir({ data: {} })
    const key = join(directory, 'key')
    writeFileSync(key, randomBytes(32).toString('hex'))
    const where = ['--database-url', options.url, '--encryption-key-file', key]
    const data = join(directory, 'data')
    const { purchaseIds } = await fillStore(data, seedOrders(3), ...where)
    const [first = '', second = '', third = ''] = purchaseIds
    // The database now fails for one of the orders, as if the disk were full.
    await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'no room' using errcode = '53100'; end $$;
    create trigger refuse before update on share_purchases for each row
      when (old.share_purchase_id = '${second}') execute function refuse()`)
    const ids = [first, second, third]
    const approved = await runCommand(
      PurchaseApprove,
      ...ids,
      '--json',
      ...where,
      '--data-dir',
      data,
    )
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
