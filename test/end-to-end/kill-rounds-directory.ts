import { randomInt } from 'node:crypto'
import t from 'tap'
import { killRounds } from '../../fixtures/kill-rounds/run.ts'

t.test('kill -9 at random moments loses no acknowledged write in a directory', (t) =>
  killRounds(t, { engine: 'directory', rounds: 20, seed: randomInt(2 ** 31) }),
)
