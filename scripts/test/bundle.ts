// Bundles test files once, because reading 300 modules of TypeScript in each test process would
// take longer than most tests.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { findPgbouncer } from '../../fixtures/postgres/pgbouncer.ts'
import { engineVariable, poolerVariable } from '../../fixtures/postgres/variables.ts'

const outdir = '.tap/bundled'

export const testsDirectory = join(outdir, 'test')

/**
 * Bundled modules must find the files beside their sources. In quotes the words are a name that the
 * build defines.
 */
const whereSourcesLie: Plugin = {
  name: 'where-sources-lie',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/, namespace: 'file' }, async ({ path }) => {
      if (path.includes('node_modules')) return undefined
      const source = await readFile(path, 'utf8')
      const contents = source
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll(/(?<!')import\.meta\.url/g, JSON.stringify(`file://${path}`))
      return { contents, loader: 'ts' }
    }),
}

const suite = join('fixtures', 'suite.ts')

/**
 * The root test of tap ends when the tests of a file have ended. Files that share a process add
 * their tests to suites instead.
 */
const suiteForTap: Plugin = {
  name: 'suite-for-tap',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^tap$/ }, ({ importer }) =>
      importer === resolve(suite) ? { path: 'tap', external: true } : { path: resolve(suite) },
    ),
}

/**
 * @param files sources of tests, relative to the folder of the project
 * @returns their bundles in plain JavaScript. Modules that several tests use are included once,
 * packages not at all
 */
export async function bundleTests(files: readonly string[]): Promise<string[]> {
  await rm(outdir, { recursive: true, force: true })
  await build({
    entryPoints: [suite, ...files],
    outdir,
    outbase: '.',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    // Traces need lines only. Each process reads and parses the maps when it starts.
    sourcesContent: false,
    plugins: [suiteForTap, whereSourcesLie],
  })
  return files.map((file) => join(outdir, file.replace(/\.ts$/, '.js')))
}

/** @returns the sources of all tests below a folder of the project */
export async function listTests(folder = 'test'): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name))
}

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
const maximumFiles = 12

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
  const parts = Math.ceil(files.length / maximumFiles)
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
