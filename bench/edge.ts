// `npm run bench:edge -- [--seconds 60]` overloads the service. It sends requests at twice the
// capacity of the service on 1,000 connections, while other clients never finish their requests.
// Later some clients pipeline, and some reset their connections while answers wait. The exit code
// is 1 if a limit did not hold.
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
    if (faults.length > 0) throw new GaveWay(`These limits did not hold:\n${faults.join('\n')}`)
    console.log('All limits held.')
  }),
)
process.exit(code)
