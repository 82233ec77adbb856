import { hash } from 'node:crypto'
import { Problem } from '../../domain/problem.ts'
import { madeByNewer } from '../newer-form.ts'
import { noStore } from '../no-store.ts'
import type { DatabaseOptions } from './connect.ts'
import { EncodingRefused, explaining } from './explaining.ts'
import { type Migration, migrations } from './migrations/migrations.ts'
import { type Session, withSession } from './session.ts'

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
  return connected(options, async (session) => {
    if (options.onlyExisting) await requireBegun(session)
    // Whoever only serves may be a role that makes no tables.
    const isDone =
      (await hasTable(session, 'migrations')) && (await listPending(session)).length === 0
    return isDone ? [] : applyAll(session)
  })
}

export interface MigrateOptions extends DatabaseOptions {
  /** Begins no schema where there is none. */
  readonly onlyExisting?: boolean
}

/** Refuses a database that lacks a migration, or has another one. */
export function requireMigrated(options: DatabaseOptions): Promise<void> {
  return connected(options, async (session) => {
    await requireLog(session)
    const [lacking] = await listPending(session)
    if (lacking) {
      throw damaged(
        `it lacks the migration ${lacking.name}. \`coopshare store migrate\` applies it.`,
      )
    }
  })
}

async function requireLog(session: Session): Promise<void> {
  if (!(await hasTable(session, 'migrations'))) throw noStore(thisDatabase)
}

/** With a key: a schema alone is no store. */
async function requireBegun(session: Session): Promise<void> {
  await requireLog(session)
  const isBegun =
    (await hasTable(session, 'store')) && (await session.ask('select from store')).length > 0
  if (!isBegun) throw noStore(thisDatabase)
}

async function hasTable(session: Session, name: string): Promise<boolean> {
  const [found] = await session.ask<{ readonly name: string | null }>(
    'select to_regclass($1)::text as name',
    [name],
  )
  return typeof found?.name === 'string'
}

function connected<Result>(
  options: DatabaseOptions,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  return explaining(options, () =>
    withSession(options, async (session) => {
      await requireEncoding(session)
      return work(session)
    }),
  )
}

/** Others refuse what they have no letters for: a name, or the euro sign. */
async function requireEncoding(session: Session): Promise<void> {
  const [row] = await session.ask<{ readonly encoding: string }>(
    "select current_setting('server_encoding') as encoding",
  )
  if (row && !encodings.has(row.encoding)) throw new EncodingRefused(row.encoding)
}

/** All in one transaction, which ends with its connection: a migration that fails leaves everything as it was. */
async function applyAll(session: Session): Promise<readonly string[]> {
  await session.command('begin')
  await session.command(`select pg_advisory_xact_lock(${lockNumber})`)
  await session.command(createLog)
  const pending = await listPending(session)
  for (const { name, sql: text } of pending) {
    await session.command(text)
    await session.ask(insertLog, [name, hash('sha256', text)])
  }
  await session.command('commit')
  return pending.map(({ name }) => name)
}

async function listPending(session: Session): Promise<readonly Migration[]> {
  return selectPending(await session.ask<LoggedMigration>(readLog))
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
