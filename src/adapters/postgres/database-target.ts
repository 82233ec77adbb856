import { Problem } from '../../domain/problem.ts'
import type { Sealed } from '../../domain/sealed.ts'
import type { CopyTarget, RecordBatch } from '../../ports/store-copy.ts'
import type { DatabaseOptions } from './database-options.ts'
import { explained, explaining } from './explaining.ts'
import { migrate } from './migrate.ts'
import { removeMark } from './moved-database.ts'
import { readTables } from './read-tables.ts'
import { tables } from './tables/tables.ts'
import { type Life, Writer } from './writer.ts'

const rowsPerStatement = 100
const nextCatalogue = 'update catalogue set version = version + 1'
const nextVersions = 'update changes set version = version + 1'
const tableNames = Object.values(tables).map(({ name }) => name)

export interface DatabaseTargetOptions extends DatabaseOptions {
  readonly keyCheck: Sealed
}

/** An empty database, filled in one transaction: before its commit nobody sees anything of it. */
export async function openDatabaseTarget(options: DatabaseTargetOptions): Promise<CopyTarget> {
  await migrate(options)
  const writer = new Writer({ ...options, statementTimeoutMs: 0 })
  const end = () => writer.close()
  try {
    const life = await writer.live()
    await begin(life, options.keyCheck)
    return {
      put: (batch) => explaining(options, () => put(life, batch)),
      readBack: (onBatch) => explaining(options, () => readTables(life, onBatch)),
      keep: () => explaining(options, () => keep(life)).finally(end),
      discard: end,
    }
  } catch (error) {
    await end()
    throw explained(options, error)
  }
}

async function begin(life: Life, keyCheck: Sealed): Promise<void> {
  await life.command('begin')
  // Looked at with each statement, or the server would keep a note of every row until the end.
  await life.command('set constraints all immediate')
  // Whoever starts a service now waits here for the end of the copy.
  const keepKey =
    'insert into store (key_check) values ($1) on conflict do nothing returning key_check'
  const isNew = (await life.query(keepKey, [keyCheck])).length > 0
  if (!isNew) await clearMoved(life, keyCheck)
  for (const name of tableNames) {
    if ((await life.query(`select from ${name} limit 1`)).length > 0) refuseFull()
  }
}

/** A store that has moved gives way to the copy of it that lives, which has the same text sealed with its key. */
async function clearMoved(life: Life, keyCheck: Sealed): Promise<void> {
  const same = 'select from store where key_check = $1 and moved_to is not null for update'
  if ((await life.query(same, [keyCheck])).length === 0) refuseFull()
  await removeMark(life)
  await life.command(`truncate ${tableNames.join(', ')}`)
}

async function put(life: Life, { collection, records }: RecordBatch): Promise<void> {
  const statements = []
  for (let at = 0; at < records.length; at += rowsPerStatement) {
    const { text, values } = tables[collection].insertMany(records.slice(at, at + rowsPerStatement))
    statements.push(life.query(text, values))
  }
  await Promise.all(statements)
}

async function keep(life: Life): Promise<void> {
  await life.query(nextCatalogue)
  await life.query(nextVersions)
  // Until somebody has counted, the planner takes the tables for empty.
  await life.command(`analyze ${tableNames.join(', ')}`)
  await life.command('commit')
}

function refuseFull(): never {
  throw new Problem(
    'STORE_NOT_EMPTY',
    'There is a store in this database already. Name an empty one, and nothing is overwritten.',
  )
}
