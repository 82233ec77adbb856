import postgres from 'postgres'
import t from 'tap'
import { until } from '../../../fixtures/async.ts'
import { organizationRecord } from '../../../fixtures/builders/records.ts'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'

t.teardown(stopServer)

const minuteMs = 60_000

/** Makes an id of a call, which begins with the time and continues with random bits. */
function callAt(atMs: number): string {
  const hex = atMs.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-9abc-0123456789ab`
}

t.test('a call is removed only when no instance can ask for its outcome any more', async (t) => {
  const { options, drop } = await createDatabase()
  const store = new PostgresStore(options)
  const sql = postgres(options.url, { max: 1 })
  t.teardown(async () => {
    await Promise.all([store.close(), sql.end()])
    await drop()
  })
  const now = Date.now()
  const [old, young, stale] = [callAt(now - 11 * minuteMs), callAt(now - 9 * minuteMs), callAt(now)]
  await sql`insert into calls (id, stale) values (${old}, null), (${young}, null), (${stale}, '{2}')`
  const ids = async () => (await sql`select id from calls order by id`).map(({ id }) => id)
  const outcomeOf = async (id: string) => {
    const [row] = await sql`select call_outcome(${id}) as stale`
    return row?.['stale']
  }

  await store.write('test', ({ organizations }) => organizations.put(organizationRecord()))
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
  const never = callAt(now + minuteMs)
  t.equal(await outcomeOf(never), null, 'it was not carried out')
  const late = sql`select commit_works(${never}, '{}'::jsonb)`
  await t.rejects(late, { code: '23505' }, 'it cannot be carried out any more')
})
