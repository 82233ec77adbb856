// Bundles test files once, because reading 300 modules of TypeScript in each test process would
// take longer than most tests.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { findPgbouncer } from '../../fixtures/postgres/pgbouncer.ts'
import { engineVariable, poolerVariable } from '../../fixtures/postgres/variables.ts'
import packageJson from '../../package.json' with { type: 'json' }

const outdir = '.tap/bundled'

export const testsDirectory = join(outdir, 'test')

/**
 * Makes bundled modules find the files beside their sources. In quotation marks, `import.meta.url`
 * is a name that the build defines, so it stays.
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
 * Replaces tap's root test, because it ends with the tests of the first file. Files that share a
 * process add their tests to suites instead.
 */
const suiteForTap: Plugin = {
  name: 'suite-for-tap',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^tap$/ }, ({ importer }) =>
      importer === resolve(suite) ? undefined : { path: resolve(suite) },
    ),
}

/** Tools and oclif look for files beside their own, which a bundle would not have. */
const { tap: _, ...tools } = packageJson.devDependencies
const external = [...Object.keys(tools), '@oclif/core']

/** The bundle is an ES module, but packages in CommonJS call `require`. */
const requireForPackages = `import { createRequire as requireFrom } from 'node:module'
const require = requireFrom(import.meta.url)`

/**
 * @param files sources of tests, relative to the folder of the project
 * @returns their bundles in plain JavaScript. Code that several tests use is bundled once
 */
export async function bundleTests(files: readonly string[]): Promise<string[]> {
  await rm(outdir, { recursive: true, force: true })
  await build({
    entryPoints: [suite, ...files],
    outdir,
    outbase: '.',
    bundle: true,
    splitting: true,
    external,
    alias: { 'async-hook-domain': resolve('fixtures/error-domain.ts') },
    banner: { js: requireForPackages },
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    // Stack traces need only line numbers.
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

// Tests of the specification and tests that depend on queries, unique values and races run on both
// storage engines. No other test through HTTP depends on the engine. The suite of the store tests
// the promises of each engine.
const onBothEngines: readonly string[] = [
  ...['spec-', 'cooperatives', 'fates', 'holdings', 'investor-replay', 'investors'].map(ofHttp),
  ...['mandate-references', 'odd-values', 'operator-lists'].map(ofHttp),
  ...['console-orders', 'console-work', 'share-purchase'].map(ofHttp),
  ...['delivery.', 'endpoint-controls', 'fairness', 'many-events', 'outbox', 'replay'].map(
    (name) => `usecases/webhooks/${name}`,
  ),
]

function ofHttp(name: string): string {
  return `http/${name}`
}

// These tests also run through PgBouncer, because a pooler in transaction mode affects the store
// and several instances.
const throughPooler =
  /\/test\/(adapters\/[\w-]+-contract|adapters\/postgres\/instances|end-to-end\/instances)\./

// This test of several instances runs only through a pooler, because it is slow. Other tests
// without a pooler kill, disturb and stop instances.
const slowEitherWay = /\/test\/end-to-end\/instances\./

/** @returns the modules that run these bundles on each of their engines, the slowest first */
export async function enterTests(bundles: readonly string[]): Promise<readonly string[]> {
  const onPostgres = bundles.filter((file) =>
    onBothEngines.some((name) => file.includes(`/test/${name}`)),
  )
  const pooled = findPgbouncer() ? bundles.filter((file) => throughPooler.test(file)) : []
  const direct = bundles.filter((file) => !(pooled.includes(file) && slowEitherWay.test(file)))
  const entries = await Promise.all([
    ...groupTests(direct).map((group) => enterGroup(group)),
    ...groupTests(onPostgres).map((group) =>
      enterGroup(group, { suffix: 'on PostgreSQL', variable: engineVariable, value: 'postgres' }),
    ),
    ...groupTests(pooled).map((group) =>
      enterGroup(group, { suffix: 'through PgBouncer', variable: poolerVariable, value: '1' }),
    ),
  ])
  return entries.toSorted((left, right) => turnOf(left) - turnOf(right))
}

// The slowest tests, slowest first. Tests that wait for leases, timeouts and databases alternate
// with tests that compute, so that no core is idle.
const longest: readonly string[] = [
  ...['test-sim', 'adapters-part-2', 'clocks-apart', 'adapters-part-3', 'end-to-end/console'],
  'contract/tools',
  ...['kill-rounds-directory', 'kill-rounds-postgres', 'database-faults', 'listener'],
  ...[
    'usecases',
    'adapters-part-1',
    'adapters-part-4',
    'adapters-through',
    'stopped-instance',
    'test-end-to-end',
  ],
  ...[
    'test-commands',
    'test-tools',
    'http-part-2-on',
    'released-stores',
    'cli-part-1',
    'http-part-1-on',
  ],
  ...['contract-verify-values', 'cli-part-2', 'instances-js-through'],
  ...['drain', 'deliveries', 'all-of-test-contract', 'end-to-end/instances'],
  ...['http-part', 'operations'],
]

function turnOf(entry: string): number {
  const turn = longest.findIndex((words) => entry.includes(words))
  return turn < 0 ? longest.length : turn
}

/** With more files in a process, the last one would run alone for long. */
const maximumFiles: Readonly<Record<string, number>> = { 'test/commands': 9, 'test/end-to-end': 6 }
const maximumFilesElsewhere = 12

/** Each of these files takes as long as a group. */
const alone =
  /\/(contract\/tools|end-to-end\/(binary|clocks-apart|console|contract-verify-values|database-faults|deliveries|drain|instances|kill-rounds-\w+|listener|released-stores|stopped-instance))\./

/**
 * Files of one folder share processes, because a process for each file would spend most of its time
 * on starting.
 */
function groupTests(files: readonly string[]): TestGroup[] {
  const folders = new Map<string, string[]>()
  for (const file of files.filter((name) => !alone.test(name))) {
    const path = relative(dirname(testsDirectory), file)
    const folder = dirname(path).split('/').slice(0, 2).join('/')
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  return [
    ...files.filter((name) => alone.test(name)).map((file) => ({ name: file, files: [file] })),
    ...[...folders].flatMap(([folder, inFolder]) => split(folder, inFolder)),
  ]
}

function split(folder: string, files: readonly string[]): TestGroup[] {
  const parts = Math.ceil(files.length / (maximumFiles[folder] ?? maximumFilesElsewhere))
  return Array.from({ length: parts }, (_, part) => ({
    name: parts === 1 ? `all of ${folder}` : `all of ${folder}, part ${part + 1}`,
    files: files.filter((_, index) => index % parts === part),
  }))
}

interface Variant {
  readonly suffix: string
  /** This variable must be set before the first file is loaded. */
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
    // The module imports the bundled suite. Otherwise a second tap would be loaded from its
    // package.
    "import suite, { enterSuite } from '../fixtures/suite.js'",
    'const t = suite',
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
