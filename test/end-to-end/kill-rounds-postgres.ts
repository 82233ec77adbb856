import { randomInt } from 'node:crypto'
import t from 'tap'
import { killRounds } from '../../fixtures/kill-rounds/run.ts'

t.test('kill -9 of one of two instances, or of both, loses nothing acknowledged', (t) =>
  killRounds(t, { engine: 'postgres', rounds: 6, seed: randomInt(2 ** 31) }),
)
