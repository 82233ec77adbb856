// Runs the whole suite and ends with one plain line counted from the results themselves, for machines that read only that.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { Parser, type Result } from 'tap-parser'
import { bundleTests, testsDirectory } from './bundle-tests.ts'
import { enterGroup, groupTests } from './group-tests.ts'
import { installBrowser } from './install-browser.ts'
import { enterOnPostgres, withDatabaseServer } from './on-postgres.ts'

const resultsFile = '.tap/results.tap'

async function tap(...argv: readonly string[]): Promise<number> {
  // Whatever starts the program starts the executable: what can be run from the sources can be wrong in it alone.
  const COOPSHARE_TEST_PROGRAM = resolve('dist/coopshare')
  const env = { COOPSHARE_TEST_PROGRAM, ...process.env, TAP_RCFILE: 'scripts/bundled.taprc' }
  const child = spawn('npx', ['tap', ...argv], { stdio: 'inherit', env })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

async function enterTests(): Promise<string[]> {
  const bundles = await bundleTests()
  const groups = groupTests(testsDirectory, bundles)
  const entries = groups.map((group) => enterGroup(testsDirectory, group))
  return [...(await Promise.all(entries)), ...(await enterOnPostgres(testsDirectory, bundles))]
}

async function runTap(): Promise<number> {
  mkdirSync('.tap', { recursive: true })
  const entries = await enterTests()
  // Without coverage, which would make this run far longer; `npx tap` measures it.
  const options = ['--disable-coverage', '--reporter=terse', `--output-file=${resultsFile}`]
  // A run that has to leave plugins out itself still loads them, which takes longer than most tests.
  if ((await tap('build')) !== 0) throw new Error('tap could not be built without its plugins.')
  return tap('run', ...options, ...entries)
}

/** Counts assertions, not the subtests and files that hold them. */
async function countResults() {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const countIn = (parser: Parser) => {
    parser.on('child', countIn)
    parser.on('assert', (result) => {
      if (!result.closingTestPoint) counts[outcomeOf(result)]++
    })
  }
  const parser = new Parser()
  countIn(parser)
  createReadStream(resultsFile).pipe(parser)
  await once(parser, 'complete')
  return counts
}

function outcomeOf(result: Result): 'passed' | 'failed' | 'skipped' {
  if (result.skip || result.todo) return 'skipped'
  return result.ok ? 'passed' : 'failed'
}

installBrowser()
const code = await withDatabaseServer(runTap)
const counts = await countResults()
// A file that crashed or ran out of time fails without any assertion of its own having failed.
const failed = Math.max(counts.failed, code === 0 ? 0 : 1)
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
console.log(`\n${counts.passed} passed, ${failed} failed${skipped}`)
process.exitCode = failed > 0 || counts.passed === 0 ? 1 : 0
