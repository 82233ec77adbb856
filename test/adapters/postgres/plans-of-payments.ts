import t from 'tap'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { findScans } from '../../../fixtures/postgres/explain.ts'
import { openSniffingProxy } from '../../../fixtures/postgres/sniffing-proxy.ts'
import { connect } from '../../../src/adapters/postgres/connect.ts'
import { PostgresStore } from '../../../src/adapters/postgres/postgres-store.ts'
import type { ReadableRecords } from '../../../src/ports/store.ts'

t.teardown(stopServer)

const upTo = (count: number) => `from generate_series(1, ${count}) n`

/** Twenty thousand direct debits in a hundred collections, and their bookings. Almost all are paid. */
const filling = [
  // References are not checked, because checking them would take longer than everything else.
  'set session_replication_role = replica',
  `insert into payments (share_purchase_id, organization_id, investor_id, cooperative_id, state, amount, currency,
      collection_id, attempts, charges, created_at, updated_at)
    select 'p' || n, 'o1', 'i' || n, 'k' || n % 20,
      case n % 200 when 0 then 'due' when 1 then 'collecting' when 2 then 'returned' else 'paid' end,
      500, 'EUR', 'c' || n % 100, '[]', 0, now(), now() ${upTo(20_000)}`,
  `insert into debit_collections (collection_id, cooperative_id, state, creditor, due_date, is_open, is_complete, count,
      total, currency, refused_count, refused_total, announced_count, created_by, created_by_id, created_at, updated_at)
    select 'c' || n, 'k' || n % 20, case when n < 5000 then 'booked' else 'created' end, '{}', '2026-12-14', false, true,
      1, 500, 'EUR', 0, 0, 0, '', '', now(), now() ${upTo(5000)}`,
  `insert into direct_debits (end_to_end_id, collection_id, share_purchase_id, organization_id, investor_id,
      cooperative_id, amount, mandate_reference, mandate_signed_on, is_announced, encrypted_debtor, created_at)
    select 'd' || n, 'c' || n % 100, 'p' || n, 'o1', 'i' || n, 'k' || n % 20, 500, 'M' || n, '', true, '', now() ${upTo(20_000)}`,
  `insert into statements (statement_id, file, file_digest, format, entry_count, is_complete, counts, imported_by,
      created_at, updated_at)
    select 's' || n, '', '', '', 4, n < 5000, '{}', '', now(), now() ${upTo(5000)}`,
  `insert into statement_entries (entry_id, statement_id, identity, kind, is_credit, outcome, amount, currency, charges,
      created_at)
    select 'e' || n, 's' || n % 5000, 'x' || n, 'booking', true,
      case n % 500 when 0 then null when 1 then 'unmatched' else 'booked' end, 500, 'EUR', 0, now() ${upTo(20_000)}`,
  'analyze',
]

const limit = 20
const page = { after: 'p40', limit }

const questions: Readonly<Record<string, (records: ReadableRecords) => Promise<unknown>>> = {
  'payments.get': ({ payments }) => payments.get('p7'),
  'payments.list': ({ payments }) => payments.list({ limit }),
  'payments.list of a state': ({ payments }) => payments.list({ state: 'due', ...page }),
  'payments.list of a cooperative': ({ payments }) =>
    payments.list({ cooperativeId: 'k0', state: 'due', limit }),
  'payments.listByCollection': ({ payments }) =>
    payments.listByCollection({ collectionId: 'c1', state: 'collecting', limit }),
  'debitCollections.get': ({ debitCollections }) => debitCollections.get('c1'),
  'debitCollections.list': ({ debitCollections }) => debitCollections.list({ limit }),
  'debitCollections.list of a cooperative': ({ debitCollections }) =>
    debitCollections.list({ cooperativeId: 'k0', state: 'created', limit }),
  'directDebits.get': ({ directDebits }) => directDebits.get('d1'),
  'directDebits.listByCollection': ({ directDebits }) =>
    directDebits.listByCollection({ collectionId: 'c1', after: 'd101', limit }),
  'directDebits.listByMandate': ({ directDebits }) => directDebits.listByMandate('k1', 'm1', limit),
  'statements.get': ({ statements }) => statements.get('s1'),
  'statements.list': ({ statements }) => statements.list({ limit }),
  'statements.listUnfinished': ({ statements }) => statements.listUnfinished(limit),
  'statementEntries.findByIdentity': ({ statementEntries }) =>
    statementEntries.findByIdentity('x2'),
  'statementEntries.findByFact': ({ statementEntries }) => statementEntries.findByFact('return:2'),
  'statementEntries.listByStatement': ({ statementEntries }) =>
    statementEntries.listByStatement({ statementId: 's1', limit }),
  'statementEntries.listByOrder': ({ statementEntries }) => statementEntries.listByOrder('p1'),
  'statementEntries.listUnapplied': ({ statementEntries }) =>
    statementEntries.listUnapplied('s0', limit),
  'statementEntries.listUnmatched': ({ statementEntries }) =>
    statementEntries.listUnmatched({ limit }),
}

t.test('payments and what banks say about them are found by an index', async (t) => {
  const { options, drop } = await createDatabase()
  const line = await openSniffingProxy(t, options.url)
  const store = new PostgresStore({ ...options, url: line.url })
  const sql = connect(options, { connections: 1 })
  t.teardown(async () => {
    await Promise.all([store.close(), sql.end()])
    await drop()
  })
  for (const text of filling) await sql.unsafe(text)
  const tables = /\bfrom (payments|debit_collections|direct_debits|statements|statement_entries)\b/
  for (const [name, ask] of Object.entries(questions)) {
    line.take()
    await store.read(ask)
    const said = line.take().filter(({ text }) => tables.test(text))
    t.ok(said.length > 0, name)
    for (const statement of said) t.strictSame(await findScans(sql, statement), [], name)
  }
})
