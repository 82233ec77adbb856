import { hash } from 'node:crypto'
import { Problem } from '../../domain/problem.ts'
import { madeByNewer, noStore } from '../store-refusals.ts'
import type { DatabaseOptions } from './connect.ts'
import { type Migration, migrations } from './migrations/migrations.ts'
import { encodingRefused, type Session, withSession } from './session.ts'

export const thisDatabase = 'this database'

// Chosen for this program, so that it does not collide with advisory locks of other programs in the database.
const lockNumber = '7236837530'
const createLog = `create table if not exists migrations (
  name text collate "C" primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
)`
const readLog = 'select name, sha256 from migrations order by name'
const insertLog = 'insert into migrations (name, sha256) values ($1, $2)'
/** SQL_ASCII stores bytes without checking them. */
const encodings = new Set(['UTF8', 'SQL_ASCII'])

/**
 * Applies the missing migrations once, even if several processes try at the same time, and returns their names. With
 * `onlyExisting` it refuses a database without a store.
 * @param known those of this version, unless a test has others
 */
export function migrate(
  options: DatabaseOptions & { readonly onlyExisting?: boolean },
  known: readonly Migration[] = migrations,
): Promise<readonly string[]> {
  return withSession(options, async (session) => {
    const { isMigrated, isBegun } = await look(session, options)
    if (options.onlyExisting && !isBegun) throw noStore(thisDatabase)
    // The role of a service may not be allowed to create tables, so nothing is created if nothing is missing.
    const isDone = isMigrated && (await listPending(session, known)).length === 0
    return isDone ? [] : applyAll(session, known)
  })
}

/** Refuses a database with missing or different migrations. */
export function requireMigrated(
  options: DatabaseOptions,
  known: readonly Migration[] = migrations,
): Promise<void> {
  return withSession(options, async (session) => {
    if (!(await look(session, options)).isMigrated) throw noStore(thisDatabase)
    const [lacking] = await listPending(session, known)
    if (lacking) {
      throw damaged(
        `it lacks the migration ${lacking.name}. \`coopshare store migrate\` applies it.`,
      )
    }
  })
}

/** Refuses encodings that lack letters of names or the euro sign. A store has begun if its row exists. */
async function look({ ask }: Session, options: DatabaseOptions) {
  const [found] = await ask<{ encoding: string; isMigrated: boolean; hasStore: boolean }>(
    `select current_setting('server_encoding') as encoding, to_regclass('migrations') is not null as "isMigrated", to_regclass('store') is not null as "hasStore"`,
  )
  const { encoding = '', isMigrated = false, hasStore = false } = found ?? {}
  if (!encodings.has(encoding)) throw encodingRefused(options, encoding)
  return {
    isMigrated,
    isBegun: isMigrated && hasStore && (await ask('select from store')).length > 0,
  }
}

/** Runs in one transaction, so a migration that fails changes nothing. */
async function applyAll(session: Session, known: readonly Migration[]): Promise<readonly string[]> {
  await session.ask('begin')
  await session.ask(`select pg_advisory_xact_lock(${lockNumber})`)
  await session.ask(createLog)
  const pending = await listPending(session, known)
  for (const { name, sql: text } of pending) {
    await session.ask(text)
    await session.ask(insertLog, [name, hash('sha256', text)])
  }
  await session.ask('commit')
  return pending.map(({ name }) => name)
}

/** Refuses a database of a newer version or of another program. */
async function listPending(
  session: Session,
  all: readonly Migration[],
): Promise<readonly Migration[]> {
  const log = await session.ask<{ readonly name: string; readonly sha256: string }>(readLog)
  for (const [index, { name, sha256 }] of log.entries()) {
    const known = all[index]
    if (!known) throw madeByNewer(`The schema of the database (${name})`)
    if (known.name !== name) {
      throw damaged(
        `it has the migration ${name}, which this version of coopshare does not know. Use the version that made it.`,
      )
    }
    if (hash('sha256', known.sql) !== sha256) {
      throw damaged(`its migration ${name} is different. Use the version that made it.`)
    }
  }
  return all.slice(log.length)
}

function damaged(what: string): Problem {
  return new Problem(
    'STORE_DAMAGED',
    `The schema of the database does not match this version: ${what}`,
  )
}
