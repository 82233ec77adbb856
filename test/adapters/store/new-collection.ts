import postgres from 'postgres'
import t, { type Test } from 'tap'
import { organizationRecord } from '../../../fixtures/builders/records.ts'
import { anything } from '../../../fixtures/builders/subject.ts'
import { exactArrays } from '../../../fixtures/exact-arrays.ts'
import { createDatabase, stopServer } from '../../../fixtures/postgres/databases.ts'
import { temporaryDirectory } from '../../../fixtures/stores/engines.ts'
import { checkStore, describeFault, findFaults } from '../../../src/adapters/lowdb/check-store.ts'
import { readAll } from '../../../src/adapters/lowdb/copy.ts'
import { loadDirectory } from '../../../src/adapters/lowdb/load-store.ts'
import { openLowdbStore } from '../../../src/adapters/lowdb/open-store.ts'
import { Database } from '../../../src/adapters/postgres/database.ts'
import { GroupCommit } from '../../../src/adapters/postgres/group-commit.ts'
import { lookupOf } from '../../../src/adapters/postgres/postgres-store.ts'
import { QueryCache } from '../../../src/adapters/postgres/query-cache.ts'
import { Reads } from '../../../src/adapters/postgres/reads.ts'
import {
  type Collection,
  drawnId,
  type ListIndex,
  listBy,
  scopedKey,
  uniqueBy,
} from '../../../src/adapters/store/collection.ts'
import type { Lookup } from '../../../src/adapters/store/lookup.ts'
import { CollectionReader } from '../../../src/adapters/store/read-records.ts'
import { collections } from '../../../src/adapters/store/records.ts'
import { Transaction } from '../../../src/adapters/store/transaction.ts'
import type { CollectionName } from '../../../src/ports/collections.ts'
import { UniquenessError } from '../../../src/ports/store.ts'
import type { RecordBatch } from '../../../src/ports/store-admin.ts'

t.teardown(stopServer)

interface Voucher {
  readonly organizationId: string
  readonly voucherId: string
  readonly code: string
  /** Records of an earlier version do not have this field. */
  readonly state?: 'open' | 'used'
}

const byCode = uniqueBy<Voucher>(
  { name: 'code', constraint: 'vouchers_code' },
  'organizationId',
  'code',
)

const byState: ListIndex<Voucher> = {
  ...listBy<Voucher>('organizationId', 'state'),
  proof: 'rows',
}

// Everything that the storage engines need for a new collection, except for its table in
// PostgreSQL.
const vouchers: Collection<Voucher> = {
  name: 'vouchers' as CollectionName,
  key: scopedKey('organizationId', 'voucherId'),
  ownerOf: ({ organizationId }) => organizationId,
  sharedFields: ['organizationId'],
  references: { organizationId: 'organizations' },
  unique: [drawnId('voucherId', 'vouchers_id'), byCode],
  lists: [byState],
  row: {
    table: 'vouchers',
    columns: { organizationId: 'plain', voucherId: 'plain', code: 'plain', state: 'plain' },
  },
  upgrade: (voucher) => ({ state: 'open', ...voucher }),
}

const readVouchers = (lookup: Lookup) => {
  const reader = new CollectionReader(lookup, vouchers)
  return {
    get: (organizationId: string, id: string) => reader.get(organizationId, id),
    findByCode: (organizationId: string, code: string) => reader.find(byCode, organizationId, code),
    listOpen: (organizationId: string) =>
      reader.list(byState, { values: [organizationId, 'open'] }),
  }
}

const withVouchers = [
  ...Object.values(collections),
  vouchers,
] as unknown as readonly Collection<object>[]

function voucher(number: number, fields: Partial<Voucher> = {}): Voucher {
  return { organizationId: 'org-1', voucherId: `v-${number}`, code: `code-${number}`, ...fields }
}

t.test('another collection needs a descriptor and a reader', async (t) => {
  const directory = temporaryDirectory(t)
  const open = () => openLowdbStore({ directory, collections: withVouchers })
  const store = await open()
  const put = (record: Voucher) =>
    store.transact((transaction: Transaction) => transaction.put(vouchers, record))
  await put(voucher(1, { state: 'used' }))
  await put(voucher(2, { state: 'open' }))
  await put(voucher(3))
  await t.rejects(put(voucher(4, { code: 'code-1' })), new UniquenessError('code'))
  await t.rejects(put(voucher(1, { organizationId: 'org-2' })), new UniquenessError('id'))
  await store.compact()
  await put(voucher(5))
  await store.close()

  const reopened = await open()
  await reopened.look(async (lookup) => {
    const reader = readVouchers(lookup)
    t.same(await reader.get('org-1', 'v-1'), voucher(1, { state: 'used' }))
    t.equal(await reader.get('org-2', 'v-1'), undefined, "another tenant's is not there")
    t.same(await reader.findByCode('org-1', 'code-2'), voucher(2, { state: 'open' }))
    const upgraded = [voucher(2), voucher(3), voucher(5)].map((one) => ({ ...one, state: 'open' }))
    t.same(await reader.listOpen('org-1'), upgraded, 'older records have the current shape')
  })
  t.match(reopened.stats().records, { vouchers: 4 })
  await reopened.close()
  const newer = { code: 'STORE_NEWER', message: /A record of the kind vouchers/ }
  await t.rejects(
    checkStore({ directory }),
    newer,
    'a program without the collection changes nothing',
  )
})

t.test('the copy and the check of a store follow from the descriptor', async (t) => {
  const directory = temporaryDirectory(t)
  const store = await openLowdbStore({ directory, collections: withVouchers })
  await store.write(anything, ({ organizations }) => organizations.put(organizationRecord()))
  for (const record of [voucher(1), voucher(2, { organizationId: 'org-2' })]) {
    await store.transact((transaction) => transaction.put(vouchers, record))
  }
  await store.close()
  const { tables } = await loadDirectory(directory, withVouchers)
  const copied: RecordBatch[] = []
  await readAll(tables, async (batch) => {
    copied.push(batch)
  })
  const today = { state: 'open' } as const
  const records = [voucher(1, today), voucher(2, { organizationId: 'org-2', ...today })]
  t.match(
    copied,
    exactArrays([{ collection: 'organizations' }, { collection: 'vouchers', records }]),
  )
  const faults: string[] = []
  for await (const fault of findFaults(tables)) faults.push(describeFault(fault))
  t.same(faults, ['vouchers v-2: its organizationId org-2 is not among the organizations.'])
})

const migration = `
create table vouchers (
  organization_id text collate "C" not null,
  voucher_id text collate "C" not null,
  code text not null,
  state text not null,
  sequence bigint generated always as identity,
  primary key (organization_id, voucher_id),
  constraint vouchers_id unique (voucher_id),
  constraint vouchers_code unique (organization_id, code)
);
create index vouchers_by_state on vouchers (organization_id, state, sequence);
select add_collection('vouchers');
`

async function openVouchers(t: Test) {
  const { options, drop } = await createDatabase()
  const sql = postgres(options.url, { max: 1, onnotice: () => {} })
  await sql.unsafe(migration)
  await sql.end()
  const database = new Database(options)
  t.teardown(async () => {
    await database.close()
    await drop()
  })
  const reads = new Reads(database.ask)
  const kept = new QueryCache(database.ask, reads)
  const commits = new GroupCommit(database)
  const begin = () => new Transaction(lookupOf(reads, kept, { isProven: true }))
  const commit = ({ proof, changes }: Transaction) => commits.commit({ proof, changes })
  return { lookup: lookupOf(reads, kept), begin, commit }
}

t.test('another collection in PostgreSQL also needs a migration', async (t) => {
  const { lookup, begin, commit } = await openVouchers(t)
  const reader = readVouchers(lookup)
  const put = async (record: Voucher) => {
    const transaction = begin()
    await transaction.put(vouchers, record)
    return commit(transaction)
  }
  t.equal(await put(voucher(1, { state: 'used' })), 'done')
  t.equal(await put(voucher(2, { state: 'open' })), 'done')
  t.equal(await put(voucher(3, { state: 'open' })), 'done')
  await t.rejects(put(voucher(4, { code: 'code-1' })), new UniquenessError('code'))
  t.same(await reader.findByCode('org-1', 'code-1'), voucher(1, { state: 'used' }))
  t.equal(await reader.get('org-2', 'v-1'), undefined, "another tenant's is not there")
  const open = [voucher(2, { state: 'open' }), voucher(3, { state: 'open' })]
  t.same(await reader.listOpen('org-1'), open)

  const late = begin()
  await readVouchers(late).get('org-1', 'v-2')
  t.equal(await put(voucher(2, { state: 'used' })), 'done')
  await late.put(vouchers, voucher(5, { state: 'open' }))
  t.equal(await commit(late), 'stale', 'a record that it has read has changed')
  t.equal(await reader.get('org-1', 'v-5'), undefined)
})
