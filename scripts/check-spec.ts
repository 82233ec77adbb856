// `npm run check:spec` checks that each promise in test/specification.yaml and each decision in
// DECISIONS.md has a test whose title names its id. `npm run trace` prints all of them with their
// tests.
import { findTraceFaults, readTrace, renderTrace } from './spec-trace.ts'

const trace = readTrace('.')
const faults = findTraceFaults(trace)
for (const fault of faults) console.error(fault)
if (process.argv.includes('--print')) console.log(renderTrace(trace))
else if (faults.length === 0) {
  const count = trace.sections.reduce((sum, { entries }) => sum + entries.length, 0)
  console.log(`${count} promises and decisions have tests.`)
}
process.exitCode = faults.length === 0 ? 0 : 1
