// `npm run kill-rounds -- [--rounds 50] [--engine directory|postgres|both] [--seed N]` kills the
// real program at random moments under load and reports each round.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import t from 'tap'
import { type Engine, engines } from '../../fixtures/kill-rounds/program.ts'
import { killRounds } from '../../fixtures/kill-rounds/run.ts'
import { readArguments, WrongUsage, wholeNumber } from '../arguments.ts'

function enginesOf(name: string): readonly Engine[] {
  const chosen = engines.filter((engine) => engine === name || name === 'both')
  if (chosen.length > 0) return chosen
  throw new WrongUsage(`--engine takes ${engines.join(', ')} or both, not "${name}"`)
}

const { rounds, seed, chosen } = readArguments(() => {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '50' },
      engine: { type: 'string', default: 'both' },
      seed: { type: 'string', default: String(randomInt(1, 2 ** 31)) },
    },
  })
  return {
    rounds: wholeNumber('--rounds', values.rounds),
    seed: wholeNumber('--seed', values.seed),
    chosen: enginesOf(values.engine),
  }
})
// The time limit grows with the rounds, because tap's limit for a test is half a minute.
const timeout = 60_000 * (rounds + 5)
t.setTimeout(timeout * engines.length)
for (const engine of chosen) {
  await t.test(`kill -9 in ${engine}`, { timeout }, (t) => killRounds(t, { engine, rounds, seed }))
}
t.end()
