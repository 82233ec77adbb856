// `npm run bench:soak -- [--minutes 10]` sends orders and reads for ten minutes and prints how
// memory and times change. It sets no limit for the changes, because other work on the machine
// causes some of them. The exit code is 1 if an answer is wrong.
import { parseArgs } from 'node:util'
import { positiveNumber, readArguments } from './arguments.ts'
import { build } from './build.ts'
import { withFolder } from './with-folder.ts'
import { exitCodeOf } from './wrong-answers.ts'

const minutes = readArguments(() => {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
  return positiveNumber('--minutes', values.minutes)
})

build()
// The build generates some of its imports.
const { runSoak } = await import('./run-soak.ts')
process.exit(await exitCodeOf(() => withFolder((directory) => runSoak(directory, minutes))))
