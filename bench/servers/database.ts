import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { startDatabaseServer } from '../../fixtures/postgres/server.ts'
import type { Bench } from '../bench.ts'

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
  const pid = findPid(Number(new URL(url).port))
  const keyFile = join(bench.directory, `${pid}.key`)
  writeFileSync(keyFile, randomBytes(32).toString('hex'))
  return withKeyOf(keyFile, { url, pid })
}

/** A database whose store has the key in this file. */
export function withKeyOf(
  keyFile: string,
  { url, pid }: Pick<BenchDatabase, 'url' | 'pid'>,
): BenchDatabase {
  return { url, pid, flags: ['--database-url', url, '--encryption-key-file', keyFile] }
}

/** Makes a copy of a database that nobody uses, on the same server and with the same key. */
export async function copyDatabase(
  { url, pid, flags }: BenchDatabase,
  name: string,
): Promise<BenchDatabase> {
  const address = new URL(url)
  const original = address.pathname.slice(1)
  address.pathname = `/${name}`
  const others = new URL(url)
  others.pathname = '/template1'
  const sql = postgres(others.href, { max: 1 })
  await sql.unsafe(`create database ${name} template ${original}`)
  await sql.end()
  return { url: address.href, pid, flags: ['--database-url', address.href, ...flags.slice(2)] }
}

function findPid(port: number): number {
  const found = readdirSync('/proc').find((name) => /^\d+$/.test(name) && listensOn(name, port))
  if (found === undefined) throw new Error(`No PostgreSQL server listens on ${port}.`)
  return Number(found)
}

function listensOn(pid: string, port: number): boolean {
  try {
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return /postgres$/.test(argv[0] ?? '') && argv[argv.indexOf('-p') + 1] === String(port)
  } catch {
    // The process has ended since it was listed.
    return false
  }
}
