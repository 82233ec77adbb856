import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startDatabaseServer } from '../fixtures/postgres/server.ts'
import { databasePid } from './database-pid.ts'
import type { Bench } from './work.ts'

export interface BenchDatabase {
  readonly url: string
  readonly pid: number
  /** The flags of a service that keeps its store in the database. */
  readonly flags: readonly string[]
}

/** Starts a PostgreSQL server and creates a database. */
export async function startDatabase(bench: Bench): Promise<BenchDatabase> {
  // Acknowledged data must survive a crash, so the server runs without unsafe flags.
  const { url, stop } = await startDatabaseServer([])
  bench.stopAtEnd({ stop })
  const pid = databasePid(url)
  const keyFile = join(bench.directory, `${pid}.key`)
  writeFileSync(keyFile, randomBytes(32).toString('hex'))
  return { url, pid, flags: ['--database-url', url, '--encryption-key-file', keyFile] }
}
