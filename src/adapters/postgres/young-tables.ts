import type { Ask } from './statements.ts'

const fewRows = 50

const young = `select relid::regclass::text as name from pg_stat_user_tables
  where schemaname = current_schema() and last_analyze is null and last_autoanalyze is null
    and n_live_tup > ${fewRows}`

/**
 * Of a table that nobody has analysed the planner knows nothing, and takes an index that reads all rows of an
 * organisation for as good as one that reads the row. PostgreSQL looks once a minute; a platform that begins is busy
 * before that, and each order would take longer than the one before it.
 */
export async function analyzeYoungTables(ask: Ask): Promise<void> {
  for (const { name } of await ask<{ readonly name: string }>(young)) {
    // Another instance may be at it.
    await ask(`analyze (skip_locked) ${name}`)
  }
}
