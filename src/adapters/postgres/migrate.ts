import { hash } from 'node:crypto'
import { Problem } from '../../domain/problem.ts'
import { madeByNewer } from '../newer-form.ts'
import { noStore } from '../no-store.ts'
import type { DatabaseOptions } from './database-options.ts'
import { EncodingRefused, explaining } from './explaining.ts'
import { type Migration, migrations } from './migrations/migrations.ts'
import { type Life, Writer } from './writer.ts'

export const thisDatabase = 'this database'

// Of this program alone: whoever else uses advisory locks in the database draws other numbers.
const lockNumber = '7236837530'
const createLog = `create table if not exists migrations (
  name text collate "C" primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
)`
const readLog = 'select name, sha256 from migrations order by name'
const insertLog = 'insert into migrations (name, sha256) values ($1, $2)'
/** The second takes bytes as they come. */
const encodings = new Set(['UTF8', 'SQL_ASCII'])

/** Brings the schema to the newest state, once, however many do so at the same time; returns what was applied. */
export function migrate(options: MigrateOptions): Promise<readonly string[]> {
  return connected(options, async (life) => {
    if (options.onlyExisting) await requireBegun(life)
    // Whoever only serves may be a role that makes no tables.
    const isDone = (await hasTable(life, 'migrations')) && (await listPending(life)).length === 0
    return isDone ? [] : applyAll(life)
  })
}

export interface MigrateOptions extends DatabaseOptions {
  /** Begins no schema where there is none. */
  readonly onlyExisting?: boolean
}

/** Refuses a database that lacks a migration, or has another one. */
export function requireMigrated(options: DatabaseOptions): Promise<void> {
  return connected(options, async (life) => {
    await requireLog(life)
    const [lacking] = await listPending(life)
    if (lacking) {
      throw damaged(
        `it lacks the migration ${lacking.name}. \`coopshare store migrate\` applies it.`,
      )
    }
  })
}

async function requireLog(life: Life): Promise<void> {
  if (!(await hasTable(life, 'migrations'))) throw noStore(thisDatabase)
}

/** With a key: a schema alone is no store. */
async function requireBegun(life: Life): Promise<void> {
  await requireLog(life)
  const isBegun =
    (await hasTable(life, 'store')) && (await life.query('select from store')).length > 0
  if (!isBegun) throw noStore(thisDatabase)
}

async function hasTable(life: Life, name: string): Promise<boolean> {
  const [found] = await life.query<{ readonly name: string | null }>(
    'select to_regclass($1)::text as name',
    [name],
  )
  return typeof found?.name === 'string'
}

async function connected<Result>(
  options: DatabaseOptions,
  work: (life: Life) => Promise<Result>,
): Promise<Result> {
  // A migration may take longer than any request.
  const writer = new Writer({ ...options, statementTimeoutMs: 0 })
  const working = explaining(options, async () => {
    const life = await writer.live()
    await requireEncoding(life)
    return work(life)
  })
  return working.finally(() => writer.close())
}

/** Others refuse what they have no letters for: a name, or the euro sign. */
async function requireEncoding(life: Life): Promise<void> {
  const [row] = await life.query<{ readonly encoding: string }>(
    "select current_setting('server_encoding') as encoding",
  )
  if (row && !encodings.has(row.encoding)) throw new EncodingRefused(row.encoding)
}

/** All in one transaction, which ends with its connection: a migration that fails leaves everything as it was. */
async function applyAll(life: Life): Promise<readonly string[]> {
  await life.command('begin')
  await life.command(`select pg_advisory_xact_lock(${lockNumber})`)
  await life.command(createLog)
  const pending = await listPending(life)
  for (const { name, sql: text } of pending) {
    await life.command(text)
    await life.query(insertLog, [name, hash('sha256', text)])
  }
  await life.command('commit')
  return pending.map(({ name }) => name)
}

async function listPending(life: Life): Promise<readonly Migration[]> {
  return selectPending(await life.query<LoggedMigration>(readLog))
}

interface LoggedMigration {
  readonly name: string
  readonly sha256: string
}

/** Refuses a database that a newer or another program has made. */
function selectPending(log: readonly LoggedMigration[]): readonly Migration[] {
  for (const [index, { name, sha256 }] of log.entries()) {
    const known = migrations[index]
    if (!known) throw madeByNewer(`The schema of the database (${name})`)
    if (known.name !== name) {
      throw damaged(
        `it has the migration ${name}, which this version of coopshare does not know. Use the version that made it.`,
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
