import { Problem } from '../../domain/problem.ts'
import type { StoreMove } from '../../ports/store-copy.ts'
import { noStore } from '../no-store.ts'
import { collections } from '../store/records.ts'
import type { DatabaseOptions } from './connect.ts'
import type { Ask } from './database.ts'
import { explaining } from './explaining.ts'
import { requireMigrated, thisDatabase } from './migrate.ts'
import { readInstant } from './rows.ts'
import { type Session, withSession } from './session.ts'

const trigger = 'store_has_moved'
const tableNames = Object.values(collections).map(({ row }) => row.table)

interface MoveRow {
  readonly to: string | null
  readonly at: string | null
}

/** null when the store lives in this database, or when there is none. */
export async function readMove(ask: Ask): Promise<StoreMove | null> {
  const [row] = await ask<MoveRow>(
    `select moved_to as "to", (moved_at at time zone 'UTC')::text as "at" from store`,
  )
  return row?.to && row.at ? { to: row.to, at: readInstant(row.at) } : null
}

/** Within a transaction. From its commit on the database itself refuses what instances write that still run. */
export async function markMoved(session: Session, { to, at }: StoreMove): Promise<void> {
  await session.ask('update store set moved_to = $1, moved_at = $2::text::timestamptz', [to, at])
  for (const name of tableNames) {
    await session.command(
      `create trigger ${trigger} before insert or update or delete or truncate on ${name} for each statement execute function refuse_moved()`,
    )
  }
}

/** Within a transaction. */
export async function removeMark(session: Session): Promise<void> {
  for (const name of tableNames)
    await session.command(`drop trigger if exists ${trigger} on ${name}`)
  await session.ask('update store set moved_to = null, moved_at = null')
}

/** Refuses a role that could not mark the store at the end, before anything is copied. */
export async function requireMayMark(session: Session): Promise<void> {
  const names = tableNames.map((name) => `'${name}'`).join(', ')
  const [row] = await session.ask<{ readonly mayMark: boolean }>(
    `select has_table_privilege('store', 'update') and bool_and(has_table_privilege(name, 'trigger, update')) as "mayMark" from unnest(array[${names}]) as name`,
  )
  if (row?.mayMark) return
  throw new Problem(
    'SERVICE_UNAVAILABLE',
    'This role may not mark the store as moved, so nothing was copied. Copy with the role that owns the tables.',
  )
}

/**
 * Returns where it had been moved to; null when it was not, and nothing was changed.
 * @param isWanted asked before the mark is removed
 */
export async function reopenDatabase(
  options: DatabaseOptions,
  isWanted: (moved: StoreMove) => Promise<boolean>,
): Promise<StoreMove | null> {
  await requireMigrated(options)
  return explaining(options, () =>
    withSession(options, async (session) => {
      if ((await session.ask('select from store')).length === 0) throw noStore(thisDatabase)
      const moved = await readMove(session.ask)
      if (!moved || !(await isWanted(moved))) return null
      await session.command('begin')
      await removeMark(session)
      await session.command('commit')
      return moved
    }),
  )
}
