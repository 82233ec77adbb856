// `npm run check:start`, after `npm run binary`, checks that the executable starts in the promised
// time. It starts alternately with the Node that it contains, because on a busy machine only their
// ratio is meaningful.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findPinnedNode } from '../build/pinned-node.ts'

const binary = 'dist/coopshare'
/** The maximum ratio to the time of `node -e 0`. */
const mostTimes = 1.7
const rounds = 61
const node = findPinnedNode()

function measure(program: string, ...argv: readonly string[]): number {
  const begun = performance.now()
  execFileSync(program, argv, { stdio: 'ignore' })
  return performance.now() - begun
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0
}

if (!existsSync(binary)) throw new Error(`${binary} is not there: npm run binary.`)
const taken = Array.from({ length: rounds }, () => ({
  node: measure(node.program, '-e', '0'),
  binary: measure(binary, '--version'),
}))
const nodeMs = median(taken.map(({ node }) => node))
const binaryMs = median(taken.map(({ binary }) => binary))
const times = binaryMs / nodeMs
console.log(
  `${binary} --version: ${binaryMs.toFixed(0)} ms; node -e 0 of ${node.version}: ${nodeMs.toFixed(0)} ms; ${times.toFixed(2)} times that, of ${mostTimes} (medians of ${rounds})`,
)
if (times > mostTimes) {
  console.error('It starts too slowly: look for what a start has come to read, or to compile.')
  process.exitCode = 1
}
