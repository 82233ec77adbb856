// What long lists cost, and what others notice: `npm run bench:lists -- [--orders 100000]`. Ends with 1 where a readiness
// answer took longer than it may.
import { parseArgs } from 'node:util'
import { readArguments, wholeNumber } from './arguments.ts'
import { build } from './build.ts'
import { withFolder } from './with-folder.ts'
import { exitCodeOf, GaveWay } from './wrong-answers.ts'

const orders = readArguments(() => {
  const { values } = parseArgs({ options: { orders: { type: 'string', default: '100000' } } })
  return wholeNumber('--orders', values.orders)
})

build()
// Some of what it imports is made by the build.
const { runLists } = await import('./lists/run-lists.ts')
const code = await exitCodeOf(() =>
  withFolder(async (directory) => {
    const faults = await runLists({ directory, orders })
    if (faults.length > 0) throw new GaveWay(faults.join('\n'))
  }),
)
process.exit(code)
