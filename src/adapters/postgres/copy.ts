import { Problem } from '../../domain/problem.ts'
import type { Encrypted } from '../../domain/text.ts'
import type { CopySource, CopyTarget } from '../../ports/store-admin.ts'
import { requireNoRotation } from '../encryption-key.ts'
import { requireNotMoved } from '../store-refusals.ts'
import type { DatabaseOptions } from './connect.ts'
import { migrate, requireMigrated } from './migrate.ts'
import { openSession, type Session, withSession } from './session.ts'
import {
  markMoved,
  openGivenVault,
  readStoreRow,
  removeMark,
  requireMarkPermission,
} from './store-row.ts'
import { countRecords, readTables, tableNames, writeBatch } from './tables.ts'

const beginToRead = [
  'begin isolation level repeatable read',
  // This transaction is idle while the copy is read back, which may take longer than the usual limit.
  'set local idle_in_transaction_session_timeout = 0',
  // The lock lasts from the first read until the store is marked as moved, so no write is missing from the copy.
  `lock table ${tableNames.join(', ')} in share mode`,
]

/**
 * Opens the store in a database as the source of a copy. Running instances can still read. Their writes wait until
 * the copy has ended, and are then refused.
 */
export async function openDatabaseSource(
  options: DatabaseOptions & { readonly encryptionKey: string | undefined },
): Promise<CopySource> {
  const vault = openGivenVault(options.encryptionKey)
  await requireMigrated(options)
  const session = await openSession(options)
  const close = () => session.close()
  try {
    await requireMarkPermission(session)
    await session.ask(beginToRead.join('; '))
    const { keyCheck, moved, rotation } = await readStoreRow(session.ask, vault)
    requireNotMoved(moved)
    requireNoRotation({ rotation })
    const counts = Object.values(await countRecords(session))
    return {
      keyCheck,
      count: counts.reduce((sum, count) => sum + count, 0),
      keyFile: undefined,
      read: (onBatch) => readTables(session, onBatch),
      async markMoved(move) {
        await markMoved(session, move)
        await session.ask('commit')
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Lets `work` read the store as of one moment, while instances read and write. */
export function withSnapshot<Result>(
  options: DatabaseOptions,
  work: (
    source: Awaited<ReturnType<typeof readStoreRow>> & Pick<CopySource, 'read'>,
  ) => Promise<Result>,
): Promise<Result> {
  return withSession(options, async (session) => {
    await session.ask('begin isolation level repeatable read')
    const row = await readStoreRow(session.ask)
    return work({ ...row, read: (onBatch) => readTables(session, onBatch) })
  })
}

/** Fills an empty database in one transaction, so nobody sees any of it before the commit. */
export async function openDatabaseTarget(
  options: DatabaseOptions & { readonly keyCheck: Encrypted },
): Promise<CopyTarget> {
  await migrate(options)
  const session = await openSession(options)
  const end = () => session.close()
  try {
    await beginToFill(session, options.keyCheck)
    return {
      put: (batch) => writeBatch(session, batch),
      readBack: (onBatch) => readTables(session, onBatch),
      commit: () => keep(session).finally(end),
      discard: end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function beginToFill(session: Session, keyCheck: Encrypted): Promise<void> {
  await session.ask('begin')
  // Constraints are checked with each statement; otherwise the server would remember a pending
  // check for every row.
  await session.ask('set constraints all immediate')
  // A service that starts now waits here until the copy ends.
  const keepKey =
    'insert into store (key_check) values ($1) on conflict do nothing returning key_check'
  const isNew = (await session.ask(keepKey, [keyCheck])).length > 0
  if (!isNew) await clearMoved(session, keyCheck)
  for (const name of tableNames) {
    if ((await session.ask(`select from ${name} limit 1`)).length > 0) refuseFull()
  }
}

/** Empties a store that has moved, so that a copy of the live store, which has the same key check, can replace it. */
async function clearMoved(session: Session, keyCheck: Encrypted): Promise<void> {
  const same = 'select from store where key_check = $1 and moved_to is not null for update'
  if ((await session.ask(same, [keyCheck])).length === 0) refuseFull()
  await removeMark(session)
  await session.ask(`truncate ${tableNames.join(', ')}`)
}

async function keep(session: Session): Promise<void> {
  // Before the first analysis, the planner assumes that the tables are empty.
  await session.ask(`analyze ${tableNames.join(', ')}`)
  await session.ask('commit')
  // Until the first vacuum, counts look at each row. If the vacuum fails, the copy is still complete, and PostgreSQL
  // vacuums automatically later.
  await session.ask(`vacuum ${tableNames.join(', ')}`).catch(() => undefined)
}

function refuseFull(): never {
  throw new Problem(
    'STORE_NOT_EMPTY',
    'There is a store in this database already. Name an empty database, so that nothing is overwritten.',
  )
}
