import type { Sealed } from '../../domain/sealed.ts'
import type { CopySource } from '../../ports/store-copy.ts'
import { isKeyFor, otherKey, refuseKey } from '../key-check.ts'
import { noStore } from '../no-store.ts'
import { explained, explaining } from './explaining.ts'
import { requireMigrated, thisDatabase } from './migrate.ts'
import { openGivenVault, type PostgresStoreOptions } from './open-postgres-store.ts'
import { readTables } from './read-tables.ts'
import { tables } from './tables/tables.ts'
import { type Life, Writer } from './writer.ts'

const begin = 'begin isolation level repeatable read read only'

/** The store in a database as it is at this moment, whatever instances do to it meanwhile. */
export async function openDatabaseSource(options: PostgresStoreOptions): Promise<CopySource> {
  const vault = openGivenVault(options)
  await requireMigrated(options)
  const writer = new Writer({ ...options, statementTimeoutMs: 0 })
  const close = () => writer.close()
  try {
    const life = await writer.live()
    await life.command(begin)
    const keyCheck = await readKeyCheck(life)
    if (!isKeyFor(keyCheck, vault)) refuseKey(otherKey)
    const count = await countRecords(life)
    const readAll: CopySource['read'] = (onBatch) => explaining(options, () => read(life, onBatch))
    return { keyCheck, count, keyFile: undefined, read: readAll, close }
  } catch (error) {
    await close()
    throw explained(options, error)
  }
}

async function read(life: Life, onBatch: Parameters<CopySource['read']>[0]): Promise<void> {
  await readTables(life, onBatch)
  // While the copy is read back, nobody needs this any more.
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
