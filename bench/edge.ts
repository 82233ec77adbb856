// `npm run bench:edge -- [--seconds 60]` sends a fixed rate of requests, twice the capacity of the
// service, on 1,000 connections, besides clients that never finish their requests. Then some
// clients pipeline, and some reset their connections while answers wait. Exit code 1 if a limit did
// not hold.
import { parseArgs } from 'node:util'
import { positiveNumber, readArguments } from './arguments.ts'
import { build } from './build.ts'
import { runEdge } from './edge/run-edge.ts'
import { withFolder } from './with-folder.ts'
import { exitCodeOf, GaveWay } from './wrong-answers.ts'

const seconds = readArguments(() => {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
  return positiveNumber('--seconds', values.seconds)
})

build()
const code = await exitCodeOf(() =>
  withFolder(async (directory) => {
    const faults = await runEdge({ directory, seconds })
    if (faults.length > 0) throw new GaveWay(`Something gave way:\n${faults.join('\n')}`)
    console.log('Nothing gave way.')
  }),
)
process.exit(code)
