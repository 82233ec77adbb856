// Orders and what is read of them, for ten minutes: do memory or times drift? `npm run bench:soak -- [--minutes 10]`. The
// drift is printed and not judged, because other work of the machine drifts, too; wrong answers end it with 1.
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
// Some of what it imports is made by the build.
const { runSoak } = await import('./run-soak.ts')
process.exit(await exitCodeOf(() => withFolder((directory) => runSoak(directory, minutes))))
