import { hash } from 'node:crypto'
import type postgres from 'postgres'
import { Problem } from '../../domain/problem.ts'
import { noStore } from '../no-store.ts'
import { connect, type Sql } from './connect.ts'
import type { DatabaseOptions } from './database-options.ts'
import { explained } from './faults.ts'
import { type Migration, migrations } from './migrations/migrations.ts'

export const thisDatabase = 'this database'

// Of this program alone: whoever else uses advisory locks in the database draws other numbers.
const lockNumber = '7236837530'
const createLog = `create table if not exists migrations (
  name text collate "C" primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
)`

/** Brings the schema to the newest state, once, however many do so at the same time; returns what was applied. */
export function migrate(options: MigrateOptions): Promise<readonly string[]> {
  return connected(options, async (sql) => {
    if (options.onlyExisting) await requireBegun(sql)
    return applyAll(sql)
  })
}

export interface MigrateOptions extends DatabaseOptions {
  /** Begins no schema where there is none. */
  readonly onlyExisting?: boolean
}

/** Refuses a database that lacks a migration, or has another one. */
export function requireMigrated(options: DatabaseOptions): Promise<void> {
  return connected(options, async (sql) => {
    await requireLog(sql)
    const [lacking] = selectPending(await readLog(sql))
    if (lacking) {
      throw damaged(
        `it lacks the migration ${lacking.name}. \`coopshare store migrate\` applies it.`,
      )
    }
  })
}

async function requireLog(sql: Sql): Promise<void> {
  const [found] = await sql`select to_regclass('migrations')::text as name`
  if (!found?.['name']) throw noStore(thisDatabase)
}

/** With a key: a schema alone is no store. */
async function requireBegun(sql: Sql): Promise<void> {
  await requireLog(sql)
  const [table] = await sql`select to_regclass('store')::text as name`
  const [row] = table?.['name'] ? await sql`select from store` : []
  if (!row) throw noStore(thisDatabase)
}

async function connected<Result>(
  options: DatabaseOptions,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  // A migration may take longer than any request.
  const sql = connect({ ...options, statementTimeoutMs: 0 }, { connections: 1 })
  try {
    return await work(sql)
  } catch (error) {
    throw explained(options, error)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** All in one transaction: a migration that fails leaves everything as it was. */
function applyAll(sql: Sql): Promise<readonly string[]> {
  return sql.begin(async (transaction) => {
    await transaction.unsafe(`select pg_advisory_xact_lock(${lockNumber})`)
    await transaction.unsafe(createLog)
    const pending = selectPending(await readLog(transaction))
    for (const { name, sql: text } of pending) {
      await transaction.unsafe(text)
      const sha256 = hash('sha256', text)
      await transaction`insert into migrations (name, sha256) values (${name}, ${sha256})`
    }
    return pending.map(({ name }) => name)
  })
}

async function readLog(sql: postgres.ISql): Promise<readonly LoggedMigration[]> {
  return sql<LoggedMigration[]>`select name, sha256 from migrations order by name`
}

interface LoggedMigration {
  readonly name: string
  readonly sha256: string
}

/** Refuses a database that a newer or another program has made. */
function selectPending(log: readonly LoggedMigration[]): readonly Migration[] {
  for (const [index, { name, sha256 }] of log.entries()) {
    const known = migrations[index]
    if (known?.name !== name) {
      throw damaged(
        `it has the migration ${name}, which this version of coopshare does not know. Use a newer one.`,
      )
    }
    if (hash('sha256', known.sql) !== sha256) {
      throw damaged(
        `its migration ${name} is not the one of this version. Use the version that made it.`,
      )
    }
  }
  return migrations.slice(log.length)
}

function damaged(what: string): Problem {
  return new Problem('STORE_DAMAGED', `The schema of the database does not fit: ${what}`)
}
