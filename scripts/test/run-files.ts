import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { type FinalResults, Parser, type Result } from 'tap-parser'
import { stringify } from 'yaml'
import { findPgbouncer, howToGetPgbouncer } from '../../fixtures/postgres/pgbouncer.ts'
import { startDatabaseServer } from '../../fixtures/postgres/server.ts'
import { serverVariable } from '../../fixtures/postgres/variables.ts'
import {
  findBrowser,
  findFaketime,
  howToGetBrowser,
  howToGetFaketime,
} from '../../fixtures/program/installed-tools.ts'
import { testsDirectory } from './bundle.ts'

interface RunOptions {
  /** Variables for tests and for the programs that they start. */
  readonly env: NodeJS.ProcessEnv
  /** The number of files that run at the same time. */
  readonly jobs: number
}

/**
 * Settings of tap. It keeps the folders of tests, because a service may still write to its folder
 * when tap would remove it.
 */
const tapVariables = { TAP_TIMEOUT: '480', TAP_SAVE_FIXTURE: '1' }

/**
 * With a larger young generation, there is less garbage collection, which saves a seventh of the
 * CPU. Optimizing a function only after ten times as many calls saves another seventh, because most
 * test processes end before the optimization pays off.
 */
const nodeFlags = ['--max-semi-space-size=64', '--interrupt-budget=1000000']

/**
 * tap itself ends a slow file and reports its results. This limit ends a file in which tap hangs.
 */
const maximumMs = 600_000

/**
 * Runs bundled tests as plain programs, because with `tap run` each file and its child processes
 * would take twice as long to start. Prints a line for each file that has ended, and immediately
 * its failures, because the end of a long log may be cut off.
 */
export async function runFiles(
  files: readonly string[],
  { env, jobs }: RunOptions,
): Promise<Results> {
  const waiting = [...files]
  const all: Results[] = []
  const runNext = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
      all.push(await runFile(file, env))
  }
  await Promise.all(Array.from({ length: jobs }, runNext))
  return addResults(all)
}

async function runFile(file: string, env: NodeJS.ProcessEnv): Promise<Results> {
  const from = performance.now()
  const child = spawn(process.execPath, [...nodeFlags, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...tapVariables, ...env },
    timeout: maximumMs,
    killSignal: 'SIGKILL',
  })
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const [said, [code, signal]] = await Promise.all([text(child.stdout), closed])
  const results = readResults(file, said, code ?? signal)
  const seconds = ((performance.now() - from) / 1000).toFixed(1)
  console.log(
    `${results.failures.length === 0 ? 'passed' : 'FAILED'} ${nameOf(file)} (${seconds} s)`,
  )
  if (results.failures.length > 0) console.log(renderFailures(results.failures))
  return results
}

export interface Failure {
  /** The test file, or the group of files that share a process. */
  readonly file: string
  /** The names of the subtests, from the outermost to the assertion. */
  readonly path: readonly string[]
  readonly diagnostics: string
}

export interface Results {
  readonly passed: number
  readonly skipped: number
  /**
   * Failed assertions, and tests and files that failed without a failed assertion because they
   * threw, crashed or timed out.
   */
  readonly failures: readonly Failure[]
}

interface Counts {
  passed: number
  skipped: number
}

// These lines show the difference and the stack. Some values would fill pages.
const maximumLines = 40
const maximumColumns = 400

/** Returns a readable name for a bundle. */
function nameOf(file: string): string {
  return relative(testsDirectory, file)
}

/**
 * Counts assertions, but not the subtests and files around them.
 * @param said the whole output of the process that ran `file`
 * @param ending the exit code of the process, or the signal that ended it
 */
function readResults(file: string, said: string, ending: number | string | null): Results {
  const counts: Counts = { passed: 0, skipped: 0 }
  const failures: Failure[] = []
  const parser = new Parser()
  let results: FinalResults | undefined
  parser.on('complete', (final: FinalResults) => (results = final))
  readSuite(parser, [nameOf(file)], counts, failures)
  parser.end(said)
  // A file without any result has tested nothing.
  const isSound = results?.ok && results.count > 0 && ending === 0
  if (!isSound && failures.length === 0) {
    const faults = results?.failures.map(({ tapError }) => tapError)
    const diagnostics = [`The process ended with ${ending}.`, ...(faults ?? [])].join('\n')
    failures.push({ file: nameOf(file), path: [], diagnostics })
  }
  return { ...counts, failures }
}

function addResults(all: readonly Results[]): Results {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
    failures: all.flatMap(({ failures }) => failures),
  }
}

function readSuite(
  parser: Parser,
  path: readonly string[],
  counts: Counts,
  failures: Failure[],
): void {
  // The number of failures before the next subtest. A failed subtest ends with an assertion about
  // the subtest as a whole.
  let before = failures.length
  parser.on('child', (child: Parser) => {
    before = failures.length
    readSuite(child, [...path, child.name], counts, failures)
  })
  parser.on('assert', (result) => {
    const outcome = outcomeOf(result)
    if (outcome !== 'failed' && !result.closingTestPoint) counts[outcome] += 1
    const isTold = result.closingTestPoint && failures.length > before
    if (outcome === 'failed' && !isTold) failures.push(failureOf(path, result))
  })
}

function outcomeOf(result: Result): keyof Counts | 'failed' {
  if (result.skip || result.todo) return 'skipped'
  return result.ok ? 'passed' : 'failed'
}

function failureOf([file = '', ...suites]: readonly string[], result: Result): Failure {
  const said = result.diag ? stringify(result.diag) : (result.tapError ?? '')
  return {
    file,
    path: [...suites, result.name],
    diagnostics: shorten(namePositions(stripVTControlCharacters(said))),
  }
}

/**
 * Replaces positions in bundles by positions in the sources. Node could do this too, but it would
 * do so for each assertion, which takes a twelfth of the time of a test process.
 */
function namePositions(text: string): string {
  const position = /[^\s('"]*(\.tap\/bundled\/[\w./-]+\.js):(\d+):(\d+)/g
  return text.replaceAll(position, (found, file: string, line: string, column: string) => {
    // The module that runs a group has no map.
    if (!existsSync(`${file}.map`)) return found
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
    const origin = map.findOrigin(Number(line), Number(column))
    if (!('fileName' in origin)) return found
    const source = join(dirname(file), origin.fileName)
    return `${source}:${origin.lineNumber}:${origin.columnNumber}`
  })
}

function shorten(text: string): string {
  const lines = text.trimEnd().split('\n')
  const shown = lines.slice(0, maximumLines).map((line) => line.slice(0, maximumColumns))
  const left = lines.length - shown.length
  return [...shown, ...(left > 0 ? [`(${left} more lines)`] : [])].join('\n')
}

/** Renders failures by file, each with the subtests around it. */
export function renderFailures(failures: readonly Failure[]): string {
  const byFile = new Map<string, Failure[]>()
  for (const failure of failures)
    byFile.set(failure.file, [...(byFile.get(failure.file) ?? []), failure])
  const files = [...byFile].map(([file, inFile]) => `\n${file}\n${inFile.map(render).join('\n')}`)
  return files.join('\n')
}

function render({ path, diagnostics }: Failure): string {
  const name = path.length > 0 ? path.join(' > ') : 'the file failed without a failed assertion'
  return [
    `  not ok: ${name}`,
    ...diagnostics
      .split('\n')
      .filter(Boolean)
      .map((line) => `      ${line}`),
  ].join('\n')
}

const packages = [
  {
    name: 'chromium-headless-shell',
    purpose: 'the browser for tests of the reference page and the console',
    find: findBrowser,
    howToGet: howToGetBrowser,
  },
  {
    name: 'pgbouncer',
    purpose: 'the pooler for tests of stores in PostgreSQL',
    find: findPgbouncer,
    howToGet: howToGetPgbouncer,
  },
  {
    name: 'faketime',
    purpose: 'the library for tests of instances with different clocks',
    find: findFaketime,
    howToGet: howToGetFaketime,
  },
]

/**
 * Installs packages on a new Debian machine or container. Tests that miss a package are skipped and
 * say so.
 */
export function installPackages(): void {
  if (process.getuid?.() !== 0) return
  for (const { name, purpose, find, howToGet } of packages) {
    if (find()) continue
    console.log(`Installing ${name}, ${purpose}.`)
    const install = ['install', '--yes', '--no-install-recommends', name]
    // A new machine has no package lists yet, and another process may be updating them.
    if (aptGet(install)) continue
    aptGet(['update'])
    if (!aptGet(install)) console.log(`${name} could not be installed: ${howToGet}.`)
  }
}

function aptGet(argv: readonly string[]): boolean {
  const { status } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...argv], {
    stdio: 'ignore',
    timeout: 5 * 60_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return status === 0
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
