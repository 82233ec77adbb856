import postgres from 'postgres'
import t from 'tap'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { referringStore } from '../../../fixtures/referring-store.ts'
import { deliveryRecord, minutesAfterNoon } from '../../../fixtures/webhook-records.ts'
import { KeptStore } from '../../../src/adapters/postgres/kept-store.ts'

t.teardown(stopServer)

const many = 400

t.test(
  'a plan that was made while tables were small reads none of them whole once they have grown',
  async (t) => {
    const { options, drop } = await createDatabase()
    t.teardown(drop)
    const store = referringStore(new KeptStore({ ...options, poolSize: 1 }))
    const claim = () =>
      store.deliveryClaims.claimDue({
        now: minutesAfterNoon(many),
        leaseSeconds: { webhook: 60, mail: 60 },
        limit: 2 * many,
        perLane: 2 * many,
        exceptions: new Map(),
      })
    // From the sixth time on, PostgreSQL may keep a plan for whatever values come.
    for (let time = 0; time < 8; time += 1) {
      await store.write(({ deliveries }) => deliveries.put(deliveryRecord(0)))
      t.equal((await claim()).length, 1)
    }
    await store.write(async ({ deliveries }) => {
      for (let minute = 1; minute <= many; minute += 1) await deliveries.put(deliveryRecord(minute))
    })
    t.equal((await claim()).length, many)
    await store.close()
    const sql = postgres(options.url, { max: 1 })
    t.teardown(() => sql.end())
    const rows =
      await sql`select relname, seq_tup_read::integer as read from pg_stat_user_tables where seq_tup_read > ${many}`
    t.strictSame([...rows], [])
  },
)
