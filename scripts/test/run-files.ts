import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { type FinalResults, Parser, type Result } from 'tap-parser'
import { stringify } from 'yaml'
import { testsDirectory } from './bundle.ts'

export interface RunOptions {
  /** What tests and the programs that they start see of the environment beside what is there. */
  readonly env: NodeJS.ProcessEnv
  /** How many files run at a time. */
  readonly jobs: number
}

/** How test files of tap behave: a service that a test has started may still write while tap would clear its folder away. */
const tapVariables = { TAP_TIMEOUT: '480', TAP_SAVE_FIXTURE: '1' }

/** With more room for what is young a seventh of the work of most files is saved, which is collecting it. */
const nodeFlags = ['--enable-source-maps', '--max-semi-space-size=64']

/** Tap ends a file that takes too long and reports what it did. This ends a file with which tap itself hangs. */
const mostMs = 600_000

/**
 * Runs bundled tests as plain programs, and prints a line for each file that has ended, and at once what failed in it:
 * the end of a long log may be cut off. By `tap run` each of them, and whatever it starts, would start twice as long.
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
    timeout: mostMs,
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
  /** Subtests from the outermost to the assertion itself. */
  readonly path: readonly string[]
  readonly diagnostics: string
}

export interface Results {
  readonly passed: number
  readonly skipped: number
  /** Failed assertions, and tests and files that failed without one: they threw, crashed or ran out of time. */
  readonly failures: readonly Failure[]
}

interface Counts {
  passed: number
  skipped: number
}

// Enough for the difference and the stack; a few values are pages long.
const mostLines = 40
const mostColumns = 400

/** What a reader calls the bundle that a result of the outermost level is about. */
function nameOf(file: string): string {
  return relative(testsDirectory, file)
}

/**
 * Counts assertions, not the subtests and files that hold them.
 * @param said all of the output of the process that ran `file`
 * @param ending its exit code, or the signal that ended it
 */
function readResults(file: string, said: string, ending: number | string | null): Results {
  const counts: Counts = { passed: 0, skipped: 0 }
  const failures: Failure[] = []
  const parser = new Parser()
  let results: FinalResults | undefined
  parser.on('complete', (final: FinalResults) => (results = final))
  readSuite(parser, [nameOf(file)], counts, failures)
  parser.end(said)
  // One that says nothing at all has tested nothing.
  const isSound = results?.ok && results.count > 0 && ending === 0
  if (!isSound && failures.length === 0) {
    const faults = results?.failures.map(({ tapError }) => tapError)
    const diagnostics = [`It ended with ${ending}.`, ...(faults ?? [])].join('\n')
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
  // Of the subtest that comes next, which ends with an assertion that speaks of all of it.
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
    diagnostics: shorten(stripVTControlCharacters(said)),
  }
}

function shorten(text: string): string {
  const lines = text.trimEnd().split('\n')
  const shown = lines.slice(0, mostLines).map((line) => line.slice(0, mostColumns))
  const left = lines.length - shown.length
  return [...shown, ...(left > 0 ? [`(${left} more lines)`] : [])].join('\n')
}

/** For people and logs: by file, each with the subtests that lead to it. */
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
