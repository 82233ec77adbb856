// The single row of the table `store`: the key check, and where the store has moved to.
import { Problem } from '../../domain/problem.ts'
import type { Encrypted } from '../../domain/text.ts'
import type { StoreMove } from '../../ports/store-admin.ts'
import { type KeyRotation, requireKeys, vaultOf } from '../encryption-key.ts'
import { noStore } from '../store-refusals.ts'
import type { StoreVault } from '../vault.ts'
import type { DatabaseOptions } from './connect.ts'
import type { Ask, Value } from './database.ts'
import { requireMigrated, thisDatabase } from './migrate.ts'
import { type Session, withSession } from './session.ts'
import { readInstant } from './table.ts'
import { tableNames } from './tables.ts'

const trigger = 'store_has_moved'

/** Refuses a database without a store, and a wrong key. `moved` is null if the store has not moved. */
export async function readStoreRow(ask: Ask, vault?: StoreVault) {
  const [row] = await ask<StoreRow>(
    `select key_check as "keyCheck", rotation, moved_to as "to", (moved_at at time zone 'UTC')::text as "at" from store`,
  )
  if (!row) throw noStore(thisDatabase)
  const { keyCheck, rotation, to, at } = row
  if (vault) requireKeys(vault, row)
  const moved: StoreMove | null = to !== null && at !== null ? { to, at: readInstant(at) } : null
  return { keyCheck, rotation, moved }
}

type StoreRow = Readonly<{
  keyCheck: Encrypted
  rotation: KeyRotation | null
  to: string | null
  at: string | null
}>

/** Returns false if another change of the key is in progress. */
export async function keepRotation(
  ask: Ask,
  { keyCheck, rotation }: { readonly keyCheck: Encrypted; readonly rotation: KeyRotation },
): Promise<boolean> {
  const change = 'rotation = $1::text::jsonb where rotation is null and key_check = $2'
  return updateNoted(ask, change, [JSON.stringify(rotation), keyCheck])
}

/** Changes the row, and the version by which other instances notice the change. Returns whether the row was changed. */
async function updateNoted(ask: Ask, change: string, values: readonly Value[]): Promise<boolean> {
  const changed = await ask(
    `with changed as (update store set ${change} returning 1), noted as (
      update changes set version = version + 1 where name = 'store' and exists (select from changed)
    ) select 1 from changed`,
    values,
  )
  return changed.length > 0
}

/** Makes all instances encrypt with the new key. */
export async function activateRotation(ask: Ask, { keyCheck }: KeyRotation): Promise<void> {
  const change = `rotation = rotation || '{"isActive": true}' where rotation->>'keyCheck' = $1`
  await updateNoted(ask, change, [keyCheck])
}

/** Makes the new key the only key of the store. */
export async function endRotation(ask: Ask, { keyCheck }: KeyRotation): Promise<void> {
  const change = `key_check = $1, rotation = null where rotation->>'keyCheck' = $1`
  await updateNoted(ask, change, [keyCheck])
}

/** Call this within a transaction. After its commit, the database refuses writes by instances that still run. */
export async function markMoved({ ask }: Session, { to, at }: StoreMove): Promise<void> {
  await ask('update store set moved_to = $1, moved_at = $2::text::timestamptz', [to, at])
  for (const name of tableNames) {
    await ask(
      `create trigger ${trigger} before insert or update or delete or truncate on ${name} for each statement execute function refuse_moved()`,
    )
  }
}

/** Call this within a transaction. */
export async function removeMark({ ask }: Session): Promise<void> {
  for (const name of tableNames) await ask(`drop trigger if exists ${trigger} on ${name}`)
  await ask('update store set moved_to = null, moved_at = null')
}

/** Refuses a role that could not mark the store at the end, before anything is copied. */
export async function requireMarkPermission({ ask }: Session): Promise<void> {
  const names = tableNames.map((name) => `'${name}'`).join(', ')
  const [row] = await ask<{ readonly mayMark: boolean }>(
    `select has_table_privilege('store', 'update') and bool_and(has_table_privilege(name, 'trigger, update')) as "mayMark" from unnest(array[${names}]) as name`,
  )
  if (row?.mayMark) return
  throw new Problem(
    'SERVICE_UNAVAILABLE',
    'This role may not mark the store as moved, so nothing was copied. Copy with the role that owns the tables.',
  )
}

/**
 * Returns where the store had moved to, or null if it had not moved and nothing was changed.
 * @param isWanted asked before the mark is removed
 */
export async function reopenDatabase(
  options: DatabaseOptions,
  isWanted: (moved: StoreMove) => Promise<boolean>,
): Promise<StoreMove | null> {
  await requireMigrated(options)
  return withSession(options, async (session) => {
    const { moved } = await readStoreRow(session.ask)
    if (!moved || !(await isWanted(moved))) return null
    await session.ask('begin')
    await removeMark(session)
    await session.ask('commit')
    return moved
  })
}

export function openGivenVault(encryptionKey: string | undefined): StoreVault {
  if (encryptionKey !== undefined) return vaultOf(encryptionKey)
  throw new Problem(
    'ENCRYPTION_KEY_REFUSED',
    'A store in a database needs a key: --encryption-key-file or COOPSHARE_ENCRYPTION_KEY, the same for all instances. `openssl rand -hex 32` makes one.',
  )
}
