import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import t from 'tap'
import PurchaseApprove from '../../commands/purchase/approve.ts'
import { createDatabase, stopServer } from '../../fixtures/postgres/databases.ts'
import { fillStore, runCommand } from '../../fixtures/run-command.ts'
import { seedOrders } from '../../fixtures/seed-orders.ts'
import { withLengths } from '../../fixtures/with-lengths.ts'

t.teardown(stopServer)

t.test(
  'several ids: what the database could not do at the moment keeps none from being told',
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
    // As when its disk is full, for one of them.
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
      withLengths([
        { share_purchase_id: first, status: 'approved' },
        { share_purchase_id: second, error: { code: 'SERVICE_UNAVAILABLE' } },
        { share_purchase_id: third, status: 'approved' },
      ]),
    )
    t.equal(approved.stderr, '', 'the data says it of each')
  },
)
