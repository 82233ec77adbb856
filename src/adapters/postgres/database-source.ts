import type { Sealed } from '../../domain/sealed.ts'
import type { CopySource, StoreMove } from '../../ports/store-copy.ts'
import { isKeyFor, otherKey, refuseKey } from '../key-check.ts'
import { requireNotMoved } from '../moved-store.ts'
import { noStore } from '../no-store.ts'
import { explained, explaining } from './explaining.ts'
import { requireMigrated, thisDatabase } from './migrate.ts'
import { markMoved, readMove, requireMayMark } from './moved-database.ts'
import { openGivenVault, type PostgresStoreOptions } from './open-postgres-store.ts'
import { readTables } from './read-tables.ts'
import { tables } from './tables/tables.ts'
import { type Life, Writer } from './writer.ts'

const begin = [
  'begin isolation level repeatable read',
  // Reading back what was written may take longer than a transaction may rest.
  'set local idle_in_transaction_session_timeout = 0',
  // From before the first look until the store is marked: nothing is written that the copy would lack.
  `lock table ${Object.values(tables)
    .map(({ name }) => name)
    .join(', ')} in share mode`,
]

/** The store in a database. Instances that still run can read it; what they write waits, and is refused in the end. */
export async function openDatabaseSource(options: PostgresStoreOptions): Promise<CopySource> {
  const vault = openGivenVault(options)
  await requireMigrated(options)
  const writer = new Writer({ ...options, statementTimeoutMs: 0 })
  const close = () => writer.close()
  try {
    const life = await writer.live()
    await requireMayMark(life)
    for (const command of begin) await life.command(command)
    requireNotMoved(await readMove((text) => life.query(text)))
    const keyCheck = await readKeyCheck(life)
    if (!isKeyFor(keyCheck, vault)) refuseKey(otherKey)
    const count = await countRecords(life)
    return {
      keyCheck,
      count,
      keyFile: undefined,
      read: (onBatch) => explaining(options, () => readTables(life, onBatch)),
      markMoved: (move) => explaining(options, () => mark(life, move)),
      close,
    }
  } catch (error) {
    await close()
    throw explained(options, error)
  }
}

async function mark(life: Life, move: StoreMove): Promise<void> {
  await markMoved(life, move)
  await life.command('commit')
}

async function readKeyCheck(life: Life): Promise<Sealed> {
  const text = 'select key_check as "keyCheck" from store'
  const [row] = await life.query<{ readonly keyCheck: Sealed }>(text)
  if (row) return row.keyCheck
  throw noStore(thisDatabase)
}

async function countRecords(life: Life): Promise<number> {
  const counts = Object.values(tables).map(({ name }) => `(select count(*) from ${name})`)
  const [row] = await life.query<{ readonly count: string }>(
    `select (${counts.join(' + ')})::text as count`,
  )
  return Number(row?.count)
}
