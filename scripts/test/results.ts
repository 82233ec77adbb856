import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type FinalResults, Parser, type Result } from 'tap-parser'
import { stringify } from 'yaml'
import { testsDirectory } from './bundle.ts'

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

/**
 * Counts assertions, but not the subtests and files around them.
 * @param said the whole output of the process that ran `file`
 * @param ending the exit code of the process, or the signal that ended it
 */
export function readResults(file: string, said: string, ending: number | string | null): Results {
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

export function addResults(all: readonly Results[]): Results {
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

/** Returns a readable name for a bundle. */
export function nameOf(file: string): string {
  return relative(testsDirectory, file)
}
