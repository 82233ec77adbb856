// What partners see of the service is tested on both engines, by the same files: a second entry into each group names the other one.

import { findPgbouncer } from '../fixtures/postgres/pgbouncer.ts'
import { startDatabaseServer } from '../fixtures/postgres/server.ts'
import { engineVariable, poolerVariable, serverVariable } from '../fixtures/postgres/variables.ts'
import { enterGroup, groupTests } from './group-tests.ts'

// The reference page looks at no store, and the faults are those of a disk and of a body that no text column takes.
const onBothEngines = /\/test\/(http\/(?!reference-page)|usecases\/webhooks\/(?!faults))/

/** @returns the entries into those files that are tested on PostgreSQL, too */
export function enterOnPostgres(directory: string, files: readonly string[]): Promise<string[]> {
  const groups = groupTests(
    directory,
    files.filter((file) => onBothEngines.test(file)),
  )
  const preparation = `process.env['${engineVariable}'] = 'postgres'`
  return Promise.all(
    groups.map(({ name, files }) =>
      enterGroup(directory, { name: `${name} on PostgreSQL`, files }, preparation),
    ),
  )
}

// What a pooler in transaction mode makes a difference to: the promises of the store, and several instances.
const throughPooler =
  /\/test\/(adapters\/[\w-]+-contract|adapters\/postgres\/instances|end-to-end\/(instances|kill-rounds-postgres))\./

/** @returns the entries into those files that are run through PgBouncer, too; none where there is no PgBouncer */
export function enterThroughPooler(directory: string, files: readonly string[]): Promise<string[]> {
  if (!findPgbouncer()) return Promise.resolve([])
  const groups = groupTests(
    directory,
    files.filter((file) => throughPooler.test(file)),
  )
  const preparation = `process.env['${poolerVariable}'] = '1'`
  return Promise.all(
    groups.map(({ name, files }) =>
      enterGroup(directory, { name: `${name} through PgBouncer`, files }, preparation),
    ),
  )
}

/** Runs `work` with a server that all test files share, unless there is one already. */
export async function withDatabaseServer<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.env[serverVariable]) return work()
  const server = await startDatabaseServer()
  process.env[serverVariable] = server.url
  try {
    return await work()
  } finally {
    await server.stop()
  }
}
