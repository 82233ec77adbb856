import postgres from 'postgres'
import t, { type Test } from 'tap'
import { investorRecord, organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import type { DatabaseOptions } from '../../../src/adapters/postgres/connect.ts'
import { PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'
import { subjects } from '../../../src/ports/subjects.ts'

t.teardown(stopServer)

const ids = Array.from({ length: 16 }, (_, number) => `investor-${number}`)

/** Opens a store with some investors, and counts its calls of the function that commits. */
async function openStore(t: Test, more: Partial<DatabaseOptions> = {}) {
  const { options, drop } = await createDatabase()
  const store = new PostgresStore({ ...options, ...more })
  const sql = postgres(options.url, { max: 1 })
  t.teardown(async () => {
    await Promise.all([store.close(), sql.end()])
    await drop()
  })
  await store.write(anything, async ({ investors, organizations }) => {
    await organizations.put(organizationRecord())
    for (const investorId of ids) {
      await investors.put(investorRecord({ investorId, partnerCustomerRef: investorId }))
    }
  })
  const countCalls = async () => {
    const [row] = await sql`select count(*)::integer as calls from calls`
    return row?.['calls'] as number
  }
  /** Changes an investor. `happen` runs between the read and the commit. */
  const change = (subject: string, investorId: string, happen: () => Promise<unknown>) =>
    store.write(subjects.investor(subject), async ({ investors }) => {
      const found = await investors.get('org-1', investorId)
      await happen()
      if (found) await investors.put({ ...found, partnerCustomerRef: `${investorId} again` })
    })
  return { sql, countCalls, change }
}

const nothing = async () => undefined

t.test('writes that wait at the same moment are committed by one call [D55]', async (t) => {
  const { countCalls, change } = await openStore(t)
  const before = await countCalls()
  await Promise.all(ids.map((id) => change(id, id, nothing)))
  const calls = (await countCalls()) - before
  t.ok(calls <= 2, `${ids.length} writes took ${calls} calls`)
})

t.test('writes with the same subject are committed one after the other [D55]', async (t) => {
  const { countCalls, change } = await openStore(t)
  const before = await countCalls()
  let [inFlight, most] = [0, 0]
  await Promise.all(
    ids.map((id) =>
      change('the same', id, async () => {
        inFlight += 1
        most = Math.max(most, inFlight)
        await countCalls()
        inFlight -= 1
      }),
    ),
  )
  t.equal(most, 1, 'the next one begins when the previous one has ended')
  t.equal((await countCalls()) - before, ids.length)
})

t.test(
  'a write whose reads change again and again is refused after some seconds, and can be repeated [D55]',
  async (t) => {
    const { sql, change } = await openStore(t)
    let runs = 0
    const disturb = async () => {
      runs += 1
      await sql`update investors set updated_at = updated_at + interval '1 second'
        where investor_id = 'investor-0'`
    }
    const startedAt = performance.now()
    await t.rejects(change('test', 'investor-0', disturb), {
      code: 'SERVICE_UNAVAILABLE',
      message: /Other requests keep changing/,
      extra: { retryAfterSeconds: 1 },
    })
    const seconds = (performance.now() - startedAt) / 1000
    t.ok(runs >= 8, `it ran ${runs} times`)
    t.ok(seconds > 3 && seconds < 20, `it was refused after ${seconds} s`)
    await change('test', 'investor-0', nothing)
  },
)

t.test('writes to a locked table are refused after a few time limits, not one each', async (t) => {
  const statementTimeoutMs = 300
  const { sql, change } = await openStore(t, { statementTimeoutMs })
  await sql`begin`
  await sql`lock table investors in exclusive mode`
  const startedAt = performance.now()
  const refused = await Promise.allSettled(ids.map((id) => change(id, id, nothing)))
  const tookMs = performance.now() - startedAt
  await sql`rollback`
  t.ok(refused.every(({ status }) => status === 'rejected'))
  t.ok(tookMs < (statementTimeoutMs * ids.length) / 2, `${tookMs} ms`)
  await change('test', 'investor-0', nothing)
})

t.test('writes to two locked rows do not refuse other writes of the same call', async (t) => {
  const { sql, change } = await openStore(t, { statementTimeoutMs: 300 })
  await sql`begin`
  await sql`select from investors where investor_id in ('investor-0', 'investor-1') for update`
  const settled = await Promise.allSettled(ids.map((id) => change(id, id, nothing)))
  await sql`rollback`
  const refused = settled.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))
  t.same(refused, [0, 1])
})
