import postgres from 'postgres'
import t from 'tap'
import { eventRecord, organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { createDatabase, databaseAt, stopServer } from '../../../fixtures/postgres/databases.ts'
import { everyQuery } from '../../../fixtures/postgres/every-query.ts'
import { findScans } from '../../../fixtures/postgres/explain.ts'
import { fillLarge } from '../../../fixtures/postgres/fill-large.ts'
import { openSniffingProxy } from '../../../fixtures/postgres/sniffing-proxy.ts'
import { connect } from '../../../src/adapters/postgres/connect.ts'
import { PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'

t.teardown(stopServer)

/**
 * Tables that have a row for each investor or order. They could be divided by organization if each
 * query names one.
 */
const tenantTables = [
  'investors',
  'share_purchases',
  'holdings',
  'idempotency_records',
  'events',
  'deliveries',
].join('|')
const isOfTenants = new RegExp(tenantTables)
const readsTenants = new RegExp(`\\b(from|join|update) (${tenantTables})\\b`)
const insertsTenants = new RegExp(
  `^(with locked .*)?insert into (${tenantTables}) \\(organization_id, `,
  's',
)
// Matches a parameter of a statement, or an element of a parameter that is an array.
const value = '(\\$\\d|\\(a ->> \\d\\))'
const ofOneOrganization = new RegExp(`\\borganization_id = (${value}|any\\(array\\[${value}\\]\\))`)

const byId = 'only the record after which the list begins is found by its id alone'

/** Queries that may read records of several organizations, with the reason. */
const acrossOrganizations: Readonly<Record<string, string>> = {
  'investors.put': 'operators may give an id, which must belong to nothing else',
  'investors.find': 'operators name an investor by its id alone',
  'investors.list': 'operators see the investors of all organizations',
  'investors.list, oldest first': 'operators see the investors of all organizations',
  'investors.list after one': 'operators see the investors of all organizations',
  'investors.listErased': 'operators see the investors of all organizations',
  'investors.search': 'operators search all persons',
  'investors.search for what all have': 'operators search all persons',
  'investors.search for two words': 'operators search all persons',
  'investors.listByIdPrefix': 'operators search all persons',
  'sharePurchases.search': 'operators search all orders',
  'sharePurchases.listByIdPrefix': 'operators search all orders',
  'investors.listByIdEnd': 'operators search all persons',
  'sharePurchases.listByIdEnd': 'operators search all orders',
  'sharePurchases.list of settled ones': 'operators see the orders of all organizations',
  'sharePurchases.list of settled ones after one': 'operators see the orders of all organizations',
  'sharePurchases.list of settled ones of a cooperative':
    'operators see the orders of all organizations',
  'sharePurchases.list of proposed ones': 'operators see the orders of all organizations',
  'events.listByIdPrefix': 'operators search all events',
  'sharePurchases.countByStatus': 'figures for operators, once for each reading of the metrics',
  'sharePurchases.countByStatus up to a limit': 'figures for operators',
  'sharePurchases.countByStatus of a cooperative': 'figures for operators',
  'sharePurchases.countByStatus of settled ones': 'figures for operators',
  'sharePurchases.countByStatus of settled ones of a cooperative': 'figures for operators',
  'sharePurchases.countBefore': 'operators see the orders of all organizations',
  'sharePurchases.countBefore of an organization': byId,
  'events.countByState': 'figures for operators, before and after a replay',
  'events.countByState up to a limit': 'figures for operators',
  'sharePurchases.listByFate': 'the service looks for the next step of any order',
  'sharePurchases.listByFate until an instant': 'the service takes the steps of all orders',
  'sharePurchases.find': 'operators name an order by its id alone',
  'sharePurchases.list': 'operators see the orders of all organizations',
  'sharePurchases.list by status': 'operators see the orders of all organizations',
  'sharePurchases.list after one': 'operators see the orders of all organizations',
  'sharePurchases.list by status after one': 'operators see the orders of all organizations',
  'sharePurchases.list of an organization after one': byId,
  'sharePurchases.list of an organization by status after one': byId,
  'sharePurchases.list, newest first': 'operators see the orders of all organizations',
  'sharePurchases.list by status, newest first': 'operators see the orders of all organizations',
  'sharePurchases.list of a cooperative': 'operators see the orders of all organizations',
  'sharePurchases.list of a cooperative by status': 'operators see the orders of all organizations',
  'events.get': 'operators name an event by its id alone',
  'events.list': 'operators see the events of all organizations',
  'events.list of an instant': 'operators see the events of all organizations',
  'events.list by state': 'operators see the events of all organizations',
  'events.list by type': 'operators see the events of all organizations',
  'events.list by type and state, newest first': 'operators see the events of all organizations',
  'events.list after one': 'operators see the events of all organizations',
  'events.list by state after one': 'operators see the events of all organizations',
  'events.list of an organization after one': byId,
  'events.list of an organization by state after one': byId,
  'events.listAfter': byId,
  'events.listWithDeadMail of an organization after one': byId,
  'events.listWithDeadMail': 'operators see the events of all organizations',
  'events.listWithDeadMail after one': 'operators see the events of all organizations',
  'events.listRetained': 'the service removes expired records of all organizations',
  'events.remove': 'its id is enough to find it',
  'deliveries.remove': 'its id is enough to find it',
  'deliveries.get': 'the id is derived from order, transition and receiver',
  'deliveries.countPending': 'a receiver belongs to one organization',
  'deliveries.listPending': 'a receiver belongs to one organization',
  'deliveries.countByState': 'figures for operators, once for each reading of the metrics',
  'deliveries.findOldestPending': 'a figure for operators',
  'idempotencyRecords.purgeExpired': 'the service removes expired records of all organizations',
  'deliveries.listReceivers': 'the dispatcher sends for all organizations',
  'deliveries.listDue': 'a receiver belongs to one organization, or is a shard of all e-mails',
  'deliveries.listDue again':
    'a receiver belongs to one organization, or is a shard of all e-mails',
  'deliveries.findFirstPending':
    'a receiver belongs to one organization, or is a shard of all e-mails',
  'deliveries.findNextDueAt': 'the dispatcher waits for the next receiver',
}

interface Found {
  readonly scanning: Set<string>
  readonly across: Set<string>
  statements: number
}

async function ask(t: Tap, url: string): Promise<Found> {
  const line = await openSniffingProxy(t, url)
  const store = new PostgresStore({
    ...databaseAt(line.url),
    poolSize: 2,
    statementTimeoutMs: 60_000,
  })
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const found: Found = { scanning: new Set(), across: new Set(), statements: 0 }
  for (const { name, ask } of everyQuery) {
    await ask(store)
    for (const said of line.take()) {
      if (!readsTenants.test(said.text) && !insertsTenants.test(said.text)) continue
      found.statements += 1
      const scans = await findScans(sql, said)
      if (scans.some((whole) => isOfTenants.test(whole))) found.scanning.add(name)
      const isOfOne = ofOneOrganization.test(said.text) || insertsTenants.test(said.text)
      if (!isOfOne) found.across.add(name)
    }
  }
  await Promise.all([store.close(), sql.end()])
  return found
}

type Tap = Parameters<typeof openSniffingProxy>[0]

t.test('statements in a database of a hundred thousand orders use its indexes', async (t) => {
  const { options, drop } = await createDatabase()
  t.teardown(drop)
  await fillLarge(options.url)
  const { scanning, across, statements } = await ask(t, options.url)
  t.ok(statements > everyQuery.length, 'the proxy has recorded statements')

  await t.test('every statement finds its rows by an index', async (t) => {
    t.strictSame([...scanning], [])
  })

  await t.test('every statement on records of a partner filters by organization', async (t) => {
    t.strictSame([...across].sort(), Object.keys(acrossOrganizations).sort())
  })
})

t.test(
  'deliveries are found by an index even if none was pending at the last analysis',
  async (t) => {
    const { options, drop } = await createDatabase()
    const line = await openSniffingProxy(t, options.url)
    const store = new PostgresStore({ ...options, url: line.url })
    const sql = connect(options, { connections: 1 })
    t.teardown(async () => {
      await Promise.all([store.close(), sql.end()])
      await drop()
    })
    await store.write(anything, async ({ organizations, events }) => {
      await organizations.put(organizationRecord())
      await events.put(eventRecord(0))
    })
    await sql.unsafe(`insert into deliveries (organization_id, delivery_id, event_id, ordering_key, kind,
        receiver, state, attempts_in_round, attempts, created_at, updated_at)
      select 'org-1', 'delivery-' || i, 'event-0', 'order-' || i, 'webhook',
        'w' || i % 9, 'delivered', 1, '[]', now(), now() from generate_series(1, 20000) i`)
    await sql`analyze`
    for (const name of ['listReceivers', 'listDue', 'listDue again', 'findFirstPending']) {
      line.take()
      await everyQuery.find((one) => one.name === `deliveries.${name}`)?.ask(store)
      const said = line.take().filter(({ text }) => /\bfrom deliveries\b/.test(text))
      t.equal(said.length, 1)
      for (const statement of said) t.same(await findScans(sql, statement), [], name)
    }
  },
)
