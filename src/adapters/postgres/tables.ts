// Reads whole tables, for copies and checks.
import { type CollectionName, collectionNames } from '../../ports/collections.ts'
import type { RecordBatch } from '../../ports/store-admin.ts'
import type { Collection } from '../store/collection.ts'
import { collections } from '../store/records.ts'
import type { DatabaseOptions } from './connect.ts'
import { type Session, withSession } from './session.ts'
import { tableOf } from './table.ts'

const batchSize = 500

type OnBatch = (batch: RecordBatch) => void | Promise<void>

export const tableNames = Object.values(collections).map(({ row }) => row.table)

/** The numbers of records, by the names of collections. */
export async function countRecords({ ask }: Session): Promise<Record<string, number>> {
  const counts = Object.entries(collections).map(
    ([name, { row }]) => `(select count(*) from ${row.table})::integer as "${name}"`,
  )
  const [row] = await ask<Record<string, number>>(`select ${counts.join(', ')}`)
  return { ...row }
}

/** All records of all collections, each collection in its order. */
export async function readTables(session: Session, onBatch: OnBatch): Promise<void> {
  for (const name of collectionNames) {
    const collection: Collection<object> = collections[name]
    const log = collection.lists?.find(({ isLog }) => isLog)
    await readTable(session, name, onBatch, tableOf(collection).order(log ?? {}))
  }
}

/** Reads all records of a collection with a cursor of the current transaction. */
export async function readTable(
  { ask }: Session,
  name: CollectionName,
  onBatch: OnBatch,
  order: readonly string[] = [],
): Promise<void> {
  const table = tableOf<object>(collections[name])
  const orderBy = order.length > 0 ? `order by ${order.join(', ')}` : ''
  const cursor = `all_${table.name}`
  await ask(
    `declare ${cursor} no scroll cursor for select ${table.row} as row from ${table.name} t ${orderBy}`,
  )
  for (;;) {
    const fetch = `fetch ${batchSize} from ${cursor}`
    const found = await ask<{ readonly row: readonly unknown[] }>(fetch)
    if (found.length === 0) break
    await onBatch({ collection: name, records: found.map(({ row }) => table.read(row).record) })
  }
  await ask(`close ${cursor}`)
}

const rowsPerStatement = 100

export async function writeBatch(
  session: Session,
  { collection: name, records }: RecordBatch,
): Promise<void> {
  const table = tableOf<object>(collections[name])
  for (let at = 0; at < records.length; at += rowsPerStatement) {
    const written = records.slice(at, at + rowsPerStatement).map((record) => table.write(record))
    const inserts = JSON.stringify({ inserts: written })
    await session.ask(`select store_${table.name}($1::text::jsonb)`, [inserts])
  }
}

/** Reads everything into memory. The returned function restores all of it in one transaction. */
export async function rememberDatabase(options: DatabaseOptions): Promise<() => Promise<void>> {
  const batches: RecordBatch[] = []
  await withSession(options, async (session) => {
    await session.ask('begin isolation level repeatable read')
    await readTables(session, (batch) => void batches.push(batch))
  })
  return () =>
    withSession(options, async (session) => {
      // For a few rows, `truncate` would take far longer, because it creates new files.
      const emptied = tableNames.toReversed().map((name) => `delete from ${name}`)
      await session.ask(['begin', ...emptied].join('; '))
      for (const batch of batches) await writeBatch(session, batch)
      await session.ask('commit')
    })
}
