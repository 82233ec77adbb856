import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import t, { type Test } from 'tap'
import { until } from '../../../fixtures/async.ts'
import { eventRecord, organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { createMarket } from '../../../fixtures/world/market.ts'
import {
  openPostgresStore,
  type PostgresStore,
} from '../../../src/adapters/postgres/postgres-store.ts'
import { sealAudit } from '../../../src/usecases/audit/audit-chain.ts'
import { verifyAudit } from '../../../src/usecases/audit/read-audit.ts'
import { auditAttempt, systemAuditContext } from '../../../src/usecases/audit/record-audit.ts'

t.teardown(stopServer)

const putEvent = (store: PostgresStore, minute: number) =>
  store.write(anything, ({ events }) => events.put(eventRecord(minute)))

const follow = (store: PostgresStore, after?: string) =>
  store.read(async ({ events }) => {
    const found = await events.listAfter({ organizationId: 'org-1', after, limit: 10 })
    return found.map(({ eventId }) => eventId)
  })

/**
 * Waits for an event to appear in the log. The log ends before the oldest write in progress on the
 * server, which may belong to another test.
 */
const logged = (t: Test, store: PostgresStore, last: string) =>
  until(t, async () => (await follow(store)).at(-1) === last)

async function createEmpty(t: Test) {
  const { options, drop } = await createDatabase({ isEmpty: true })
  const sql = postgres(options.url, { max: 1 })
  t.teardown(async () => {
    await sql.end()
    await drop()
  })
  const encryptionKey = randomBytes(32).toString('hex')
  const open = async (isServed: boolean) => {
    const { store } = await openPostgresStore({ ...options, encryptionKey, isServed })
    t.teardown(() => store.close())
    return store
  }
  return { sql, open }
}

t.test('a log restored on a server with lower transaction numbers can be followed', async (t) => {
  const { sql, open } = await createEmpty(t)
  const rows = () => sql`select event_id, xmin, written_in from events order by event_id`

  const first = await open(true)
  await first.write(anything, ({ organizations }) => organizations.put(organizationRecord()))
  for (const minute of [1, 2, 3, 4]) await putEvent(first, minute)
  await first.close()
  // This is the state after a restored dump. Its numbers come from a server that is a million
  // transactions ahead.
  await sql`update events set written_in = (written_in::text::bigint + 1000000)::text::xid8
    where event_id <> 'event-1'`

  const looking = await open(false)
  await logged(t, looking, 'event-1')
  t.same(await follow(looking), ['event-1'], 'a store that is only opened changes nothing')
  const [kept] = await rows()

  const served = await open(true)
  await logged(t, served, 'event-4')
  t.same(await follow(served), ['event-1', 'event-2', 'event-3', 'event-4'])
  t.same(await follow(served, 'event-2'), ['event-3', 'event-4'], 'from an earlier cursor')
  await putEvent(served, 5)
  await logged(t, served, 'event-5')
  t.same(await follow(served, 'event-4'), ['event-5'], 'a new event comes after the existing ones')
  t.same((await rows())[0], kept, 'possible numbers do not change')

  const before = await rows()
  await open(true)
  t.same(await rows(), before, 'a log with new events does not change')
})

/** The state after a restored dump, whose second record was written by an earlier transaction than the first. */
const moveLog = (sql: postgres.Sql, table: string, ids: readonly string[]) =>
  Promise.all(
    ids.map(
      (id, place) =>
        sql`update ${sql(table)} set written_in = ${`${10_000_000 + place}`}::xid8
          where ${sql(table === 'events' ? 'event_id' : 'entry_id')} = ${id}`,
    ),
  )

t.test('a restored log keeps its order, so that no cursor skips an event', async (t) => {
  const { sql, open } = await createEmpty(t)
  const first = await open(true)
  await first.write(anything, ({ organizations }) => organizations.put(organizationRecord()))
  for (const minute of [1, 2, 3]) await putEvent(first, minute)
  await first.close()
  await moveLog(sql, 'events', ['event-2', 'event-1', 'event-3'])
  const served = await open(true)
  await logged(t, served, 'event-3')
  t.same(await follow(served), ['event-2', 'event-1', 'event-3'])
})

t.test('what a command adds to a restored store comes after what is there', async (t) => {
  const { sql, open } = await createEmpty(t)
  const first = await open(true)
  const { service } = (await createMarket({}, { store: first })).world
  const addEntry = (store: PostgresStore) =>
    auditAttempt({ ...service, store }, systemAuditContext('start'), {
      subjects: {},
      outcome: 'done',
    })
  const organization = organizationRecord({ name: 'Other Bank' })
  await first.write(anything, ({ organizations }) => organizations.put(organization))
  for (const minute of [1, 2]) await putEvent(first, minute)
  await until(t, () => sealAudit(service))
  await addEntry(first)
  const entries = await first.read(({ auditEntries }) =>
    auditEntries.listInOrder({ limit: 100, withHidden: true }),
  )
  await first.close()
  await moveLog(sql, 'events', ['event-1', 'event-2'])
  const ids = entries.map(({ entryId }) => entryId)
  await moveLog(sql, 'audit_entries', ids)

  const command = await open(false)
  await putEvent(command, 3)
  await addEntry(command)
  await command.close()

  const served = await open(true)
  await putEvent(served, 4)
  await logged(t, served, 'event-4')
  t.same(await follow(served), ['event-1', 'event-2', 'event-3', 'event-4'])
  await until(t, () => sealAudit({ ...service, store: served }))
  const verified = await verifyAudit({ ...service, store: served }, undefined)
  const count = entries.length + 1
  const { problems, position, unsealed } = verified
  t.same(
    { problems, position, unsealed, count: verified.count },
    { problems: [], position: count, unsealed: 0, count },
  )
})
