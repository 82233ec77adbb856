import type { Sealed } from '../../domain/sealed.ts'
import {
  type CopySource,
  collectionNames,
  type RecordBatch,
  type StoreMove,
} from '../../ports/store-copy.ts'
import { isKeyFor, otherKey, refuseKey } from '../key-check.ts'
import { requireNotMoved } from '../moved-store.ts'
import { noStore } from '../no-store.ts'
import type { Collection } from '../store/collection.ts'
import { collections } from '../store/records.ts'
import { explained, explaining } from './explaining.ts'
import { requireMigrated, thisDatabase } from './migrate.ts'
import { markMoved, readMove, requireMayMark } from './moved-database.ts'
import { openGivenVault, type PostgresStoreOptions } from './open-postgres-store.ts'
import { orderOf } from './questions.ts'
import { rowsOf } from './rows.ts'
import { Session } from './session.ts'

const batchSize = 500

const begin = [
  'begin isolation level repeatable read',
  // Reading back what was written may take longer than a transaction may rest.
  'set local idle_in_transaction_session_timeout = 0',
  // From before the first look until the store is marked: nothing is written that the copy would lack.
  `lock table ${Object.values(collections)
    .map(({ row }) => row.table)
    .join(', ')} in share mode`,
]

/** The store in a database. Instances that still run can read it; what they write waits, and is refused in the end. */
export async function openDatabaseSource(options: PostgresStoreOptions): Promise<CopySource> {
  const vault = openGivenVault(options)
  await requireMigrated(options)
  const session = await explaining(options, () => Session.open(options))
  const close = () => session.close()
  try {
    await requireMayMark(session)
    for (const command of begin) await session.command(command)
    requireNotMoved(await readMove(session.ask))
    const keyCheck = await readKeyCheck(session)
    if (!isKeyFor(keyCheck, vault)) refuseKey(otherKey)
    const count = await countRecords(session)
    return {
      keyCheck,
      count,
      keyFile: undefined,
      read: (onBatch) => explaining(options, () => readTables(session, onBatch)),
      markMoved: (move) => explaining(options, () => mark(session, move)),
      close,
    }
  } catch (error) {
    await close()
    throw explained(options, error)
  }
}

async function mark(session: Session, move: StoreMove): Promise<void> {
  await markMoved(session, move)
  await session.command('commit')
}

async function readKeyCheck(session: Session): Promise<Sealed> {
  const text = 'select key_check as "keyCheck" from store'
  const [row] = await session.ask<{ readonly keyCheck: Sealed }>(text)
  if (row) return row.keyCheck
  throw noStore(thisDatabase)
}

async function countRecords(session: Session): Promise<number> {
  const counts = Object.values(collections).map(({ row }) => `(select count(*) from ${row.table})`)
  const [row] = await session.ask<{ readonly count: string }>(
    `select (${counts.join(' + ')})::text as count`,
  )
  return Number(row?.count)
}

/** All records of all tables, through a cursor of the transaction that the connection is in. */
export async function readTables(
  session: Session,
  onBatch: (batch: RecordBatch) => void | Promise<void>,
): Promise<void> {
  for (const name of collectionNames) {
    const collection = collections[name] as unknown as Collection<object>
    const rows = rowsOf(collection)
    const log = collection.lists?.find(({ isLog }) => isLog)
    const order = orderOf(collection, log ?? { columns: [], valuesOf: () => [] })
    const orderBy = order.length > 0 ? `order by ${order.join(', ')}` : ''
    const cursor = `all_${rows.table}`
    await session.command(
      `declare ${cursor} no scroll cursor for select ${rows.read} as row from ${rows.table} t ${orderBy}`,
    )
    for (;;) {
      const fetch = `fetch ${batchSize} from ${cursor}`
      const found = await session.ask<{ readonly row: readonly unknown[] }>(fetch)
      if (found.length === 0) break
      await onBatch({ collection: name, records: found.map(({ row }) => rows.found(row).record) })
    }
    await session.command(`close ${cursor}`)
  }
}
