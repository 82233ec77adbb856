import postgres from 'postgres'
import t, { type Test } from 'tap'
import { v7 } from 'uuid'
import { until } from '../../../fixtures/async.ts'
import { organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { openDroppingProxy } from '../../../fixtures/postgres/dropping-proxy.ts'
import { PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'
import { machineTime, useTime } from '../../../src/machine/time.ts'

t.teardown(stopServer)

const minuteMs = 60_000

async function openStore(t: Test) {
  const { options, drop } = await createDatabase()
  const line = await openDroppingProxy(t, options.url)
  const store = new PostgresStore({ ...options, url: line.url })
  const sql = postgres(options.url, { max: 1 })
  t.teardown(async () => {
    await Promise.all([store.close(), sql.end()])
    await drop()
  })
  return { line, store, sql }
}

t.test('a call is removed only when no instance can ask for its outcome any more', async (t) => {
  const { store, sql } = await openStore(t)
  // The clocks of the instances that sent the calls differ from the clock of the database.
  const old = v7({ msecs: Date.now() + 11 * minuteMs })
  const [young, stale] = [v7({ msecs: Date.now() - 20 * minuteMs }), v7()]
  await sql`insert into calls (id, stale, created_at) values
    (${old}, null, now() - interval '11 minutes'),
    (${young}, null, now() - interval '9 minutes'),
    (${stale}, '{2}', now())`
  const ids = async () => {
    const calls = await sql`select id from calls order by created_at`
    return calls.map(({ id }): string => id)
  }
  const outcomeOf = async (id: string) => {
    const [row] = await sql`select call_outcome(${id}) as stale`
    return row?.['stale']
  }

  await store.write(anything, ({ organizations }) => organizations.put(organizationRecord()))
  const [, , , committed = ''] = await ids()
  t.same(
    await ids(),
    [old, young, stale, committed],
    'a commit removes no calls, and its call is recorded',
  )
  t.teardown(store.watchDeliveries(() => {}))
  await until(t, async () => !(await ids()).includes(old))
  t.same(await ids(), [young, stale, committed])

  t.same(await outcomeOf(young), [], 'it was carried out completely')
  t.same(await outcomeOf(stale), [2], 'it was carried out except for one work')
  t.same(await outcomeOf(committed), [])
  const never = v7()
  t.equal(await outcomeOf(never), null, 'it was not carried out')
  const late = sql`select commit_works(${never}, '{}'::jsonb)`
  await t.rejects(late, { code: '23505' }, 'it cannot be carried out any more')
})

t.test('a call without a record is repeated only if it was sent a short time ago', async (t) => {
  const { line, store, sql } = await openStore(t)
  let asleepMs = 0
  useTime({ ...machineTime, stopwatchMs: () => machineTime.stopwatchMs() + asleepMs })
  t.teardown(() => useTime(machineTime))
  /**
   * Loses the answer and the record of a call, and returns how often its work ran.
   * @param name differs from what is stored, because nothing is sent for a record that is put as it was
   */
  const writeDuring = async (ms: number, name: string) => {
    const organization = organizationRecord({ name })
    let runs = 0
    const isLost = line.loseAnswer(organization.organizationId, async () => {
      await sql`delete from calls`
      asleepMs += ms
    })
    const written = store.write(anything, ({ organizations }) => {
      runs += 1
      return organizations.put(organization)
    })
    const error = await written.catch(({ code }) => code)
    await isLost
    return { runs, error }
  }
  t.match(await writeDuring(11 * minuteMs, 'First Bank'), { runs: 1, error: 'SERVICE_UNAVAILABLE' })
  t.match(await sql`select from organizations`, { length: 1 }, 'it has committed')
  t.match(await writeDuring(minuteMs, 'Second Bank'), { runs: 2, error: undefined })
  t.match(await sql`select from organizations where name = 'Second Bank'`, { length: 1 })
})
