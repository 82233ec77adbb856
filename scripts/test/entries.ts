// Decides which processes run which test files, on which engine, and in which order.
import { writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { findPgbouncer } from '../../fixtures/postgres/pgbouncer.ts'
import { startDatabaseServer } from '../../fixtures/postgres/server.ts'
import {
  engineVariable,
  poolerVariable,
  serverVariable,
} from '../../fixtures/postgres/variables.ts'
import { testsDirectory } from './bundle.ts'

/** Bundled test files that run in one process, one after the other. */
interface TestGroup {
  readonly name: string
  readonly files: readonly string[]
}

// Partners see the same service on both engines. The reference page uses no store, and the disk
// faults need a disk.
const onBothEngines = /\/test\/(http\/(?!reference-page)|usecases\/webhooks\/(?!faults))/

// A pooler in transaction mode affects the promises of the store and of several instances.
const throughPooler =
  /\/test\/(adapters\/[\w-]+-contract|adapters\/postgres\/instances|end-to-end\/(instances|kill-rounds-postgres))\./

/** @returns the modules that run these bundles on each of their engines, the slowest first */
export async function enterTests(bundles: readonly string[]): Promise<readonly string[]> {
  const onPostgres = bundles.filter((file) => onBothEngines.test(file))
  const pooled = findPgbouncer() ? bundles.filter((file) => throughPooler.test(file)) : []
  const entries = await Promise.all([
    ...groupTests(bundles).map((group) => enterGroup(group)),
    ...groupTests(onPostgres).map((group) =>
      enterGroup(group, { suffix: 'on PostgreSQL', variable: engineVariable, value: 'postgres' }),
    ),
    ...groupTests(pooled).map((group) =>
      enterGroup(group, { suffix: 'through PgBouncer', variable: poolerVariable, value: '1' }),
    ),
  ])
  return entries.toSorted((left, right) => turnOf(left) - turnOf(right))
}

// Tests that wait for leases, timeouts and databases start between tests that compute, so that no
// core is idle.
const longest: readonly string[] = [
  ...['kill-rounds-postgres-js-through', 'adapters-part-2', 'clocks-apart', 'adapters-part-3'],
  ...['kill-rounds-directory', 'kill-rounds-postgres', 'database-faults', 'listener'],
  ...['usecases', 'adapters-part-1', 'adapters-through', 'http-part-4-on', 'stopped-instance'],
  ...['http-part-2-on', 'released-stores', 'cli-part-1', 'http-part-1-on', 'end-to-end/documents'],
  ...['contract-verify-values', 'cli-part-2', 'http-part-3-on', 'instances-js-through'],
  ...['drain', 'commands/files', 'deliveries', 'all-of-test-contract', 'webhooks', 'store-moved'],
  ...['listen-again', 'contract-verify', 'runtime-differences', 'refused-starts', 'commands/store'],
  ...['end-to-end/instances', 'lost-answers', 'silent-database', 'database-wait', 'http-part'],
  ...['lost-output', 'end-to-end/listen', 'commands/event', 'operations', 'build', 'package'],
]

function turnOf(entry: string): number {
  const turn = longest.findIndex((words) => entry.includes(words))
  return turn < 0 ? longest.length : turn
}

// With more files in a process, the last one would run alone for long.
const mostFiles = 12

// These tests start processes or set variables of the whole process.
const alone = ['test/end-to-end', 'test/commands']

/**
 * Files of one folder share processes, because a process for each file would spend most of its time
 * on starting.
 */
function groupTests(files: readonly string[]): TestGroup[] {
  const folders = new Map<string, string[]>()
  for (const file of files) {
    const path = relative(dirname(testsDirectory), file)
    const folder = dirname(path).split('/').slice(0, 2).join('/')
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  const separate = alone.flatMap((folder) => folders.get(folder) ?? [])
  const shared = [...folders].filter(([folder]) => !alone.includes(folder))
  return [
    ...separate.map((file) => ({ name: file, files: [file] })),
    ...shared.flatMap(([folder, inFolder]) => split(folder, inFolder)),
  ]
}

function split(folder: string, files: readonly string[]): TestGroup[] {
  const parts = Math.ceil(files.length / mostFiles)
  return Array.from({ length: parts }, (_, part) => ({
    name: parts === 1 ? `all of ${folder}` : `all of ${folder}, part ${part + 1}`,
    files: files.filter((_, index) => index % parts === part),
  }))
}

interface Variant {
  readonly suffix: string
  /** Must be set before the first file is loaded. */
  readonly variable: string
  readonly value: string
}

/** @returns a module that runs the group */
async function enterGroup({ name, files }: TestGroup, variant?: Variant): Promise<string> {
  const [first = '', ...others] = files
  if (others.length === 0 && !variant) return first
  const words = variant ? `${name} ${variant.suffix}` : name
  const entry = join(testsDirectory, `${words.replace(/\W+/g, '-')}.js`)
  const lines = [
    "import t from 'tap'",
    "import { enterSuite } from '../fixtures/suite.js'",
    ...(variant ? [`process.env['${variant.variable}'] = '${variant.value}'`] : []),
    ...files.map((file) => runFile(relative(testsDirectory, file))),
  ]
  await writeFile(entry, `${lines.join('\n')}\n`)
  return entry
}

function runFile(path: string): string {
  return `await t.test('${path}', async (suite) => {
  enterSuite(suite)
  await import('./${path}')
})`
}

/**
 * Runs `work` with a database server that all test files share, unless the environment names one.
 */
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
