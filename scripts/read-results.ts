// What a run of tap has left in its results file: how many assertions passed, and what failed.
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { Parser, type Result } from 'tap-parser'
import { stringify } from 'yaml'
import { testsDirectory } from './bundle-tests.ts'
import { withoutTurn } from './order-tests.ts'

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
export function fileOf({
  name,
  diag,
}: Pick<Result, 'name'> & { readonly diag?: Result['diag'] }): string {
  // Who ran out of time is named by the diagnostics alone.
  return withoutTurn(relative(testsDirectory, diag?.expired ?? name))
}

/** Counts assertions, not the subtests and files that hold them. */
export async function readResults(file: string): Promise<Results> {
  const counts: Counts = { passed: 0, skipped: 0 }
  const failures: Failure[] = []
  const parser = new Parser()
  readSuite(parser, [], counts, failures)
  createReadStream(file).pipe(parser)
  await once(parser, 'complete')
  return { ...counts, failures }
}

/** @returns takes the failures that `parser` has met since it was last called */
export function followFailures(parser: Parser): () => readonly Failure[] {
  const failures: Failure[] = []
  readSuite(parser, [], { passed: 0, skipped: 0 }, failures)
  return () => failures.splice(0)
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
    readSuite(child, [...path, path.length > 0 ? child.name : fileOf(child)], counts, failures)
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

function failureOf([file, ...suites]: readonly string[], result: Result): Failure {
  const said = result.diag ? stringify(result.diag) : (result.tapError ?? '')
  return {
    file: file ?? fileOf(result),
    path: file === undefined ? [] : [...suites, result.name],
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
