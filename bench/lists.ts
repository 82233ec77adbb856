// `npm run bench:lists -- [--orders 100000]` measures the cost of long lists and their effect on
// other requests. The exit code is 1 if a readiness answer took too long.
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
// The build generates some of its imports.
const { runLists } = await import('./lists/run-lists.ts')
const code = await exitCodeOf(() =>
  withFolder(async (directory) => {
    const faults = await runLists({ directory, orders })
    if (faults.length > 0) throw new GaveWay(faults.join('\n'))
  }),
)
process.exit(code)
