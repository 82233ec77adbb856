import { Problem } from '../../domain/problem.ts'
import type { Sealed } from '../../domain/sealed.ts'
import type { CopyTarget, RecordBatch } from '../../ports/store-copy.ts'
import type { Collection } from '../store/collection.ts'
import { collections } from '../store/records.ts'
import type { DatabaseOptions } from './connect.ts'
import { readTables } from './database-source.ts'
import { explained, explaining } from './explaining.ts'
import { migrate } from './migrate.ts'
import { removeMark } from './moved-database.ts'
import { rowsOf } from './rows.ts'
import { Session } from './session.ts'

const rowsPerStatement = 100
const tableNames = Object.values(collections).map(({ row }) => row.table)

export interface DatabaseTargetOptions extends DatabaseOptions {
  readonly keyCheck: Sealed
}

/** An empty database, filled in one transaction: before its commit nobody sees anything of it. */
export async function openDatabaseTarget(options: DatabaseTargetOptions): Promise<CopyTarget> {
  await migrate(options)
  const session = await explaining(options, () => Session.open(options))
  const end = () => session.close()
  try {
    await begin(session, options.keyCheck)
    return {
      put: (batch) => explaining(options, () => put(session, batch)),
      readBack: (onBatch) => explaining(options, () => readTables(session, onBatch)),
      keep: () => explaining(options, () => keep(session)).finally(end),
      discard: end,
    }
  } catch (error) {
    await end()
    throw explained(options, error)
  }
}

async function begin(session: Session, keyCheck: Sealed): Promise<void> {
  await session.command('begin')
  // Looked at with each statement, or the server would keep a note of every row until the end.
  await session.command('set constraints all immediate')
  // Whoever starts a service now waits here for the end of the copy.
  const keepKey =
    'insert into store (key_check) values ($1) on conflict do nothing returning key_check'
  const isNew = (await session.ask(keepKey, [keyCheck])).length > 0
  if (!isNew) await clearMoved(session, keyCheck)
  for (const name of tableNames) {
    if ((await session.ask(`select from ${name} limit 1`)).length > 0) refuseFull()
  }
}

/** A store that has moved gives way to the copy of it that lives, which has the same text sealed with its key. */
async function clearMoved(session: Session, keyCheck: Sealed): Promise<void> {
  const same = 'select from store where key_check = $1 and moved_to is not null for update'
  if ((await session.ask(same, [keyCheck])).length === 0) refuseFull()
  await removeMark(session)
  await session.command(`truncate ${tableNames.join(', ')}`)
}

async function put(session: Session, { collection: name, records }: RecordBatch): Promise<void> {
  const collection = collections[name] as unknown as Collection<object>
  const rows = rowsOf(collection)
  for (let at = 0; at < records.length; at += rowsPerStatement) {
    const written = records.slice(at, at + rowsPerStatement).map((record) => rows.write(record))
    const inserts = JSON.stringify({ inserts: written })
    await session.ask(`select store_${rows.table}($1::text::jsonb)`, [inserts])
  }
}

async function keep(session: Session): Promise<void> {
  // Until somebody has counted, the planner takes the tables for empty.
  await session.command(`analyze ${tableNames.join(', ')}`)
  await session.command('commit')
}

function refuseFull(): never {
  throw new Problem(
    'STORE_NOT_EMPTY',
    'There is a store in this database already. Name an empty one, and nothing is overwritten.',
  )
}
