import { randomInt } from 'node:crypto'
import t from 'tap'
import { killRounds } from '../../fixtures/kill-rounds/run.ts'

t.test('kill -9 of one or both instances loses no acknowledged write [D58]', (t) =>
  killRounds(t, { engine: 'postgres', rounds: 20, seed: randomInt(2 ** 31) }),
)
