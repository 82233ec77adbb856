// A fixed rate of requests, twice what the service can do, on 1 000 connections, with clients beside them that never end
// what they send, and then some that pipeline: `npm run bench:edge -- [--seconds 60]`. Ends with 1 where something gave way.
import { parseArgs } from 'node:util'
import { positiveNumber, readArguments } from './arguments.ts'
import { build } from './build.ts'
import { runEdge } from './edge/run-edge.ts'
import { withFolder } from './with-folder.ts'

const seconds = readArguments(() => {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
  return positiveNumber('--seconds', values.seconds)
})

build()
const faults = await withFolder((directory) => runEdge({ directory, seconds }))
for (const fault of faults) console.error(`FAULT: ${fault}`)
console.log(faults.length === 0 ? '\nNothing gave way.' : '')
process.exit(faults.length === 0 ? 0 : 1)
