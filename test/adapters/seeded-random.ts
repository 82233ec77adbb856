import t from 'tap'
import { noon } from '../../fixtures/builders/records.ts'
import { createSeededRandom } from '../../src/adapters/bench-clock.ts'

t.test('the waits of retries do not change the ids that a seed determines', async (t) => {
  const clock = { now: () => noon }
  const [calm, retrying] = [createSeededRandom(7, clock), createSeededRandom(7, clock)]
  const waits = [retrying.fraction(), retrying.fraction()]
  t.equal(retrying.id(), calm.id())
  t.equal(retrying.secret(), calm.secret())
  t.not(waits[0], waits[1])
  t.strictSame([calm.fraction(), calm.fraction()], waits)
})

t.test('a mark restores ids, secrets and waits', async (t) => {
  const random = createSeededRandom(7, { now: () => noon })
  random.id()
  const restore = random.mark()
  const drawn = [random.id(), random.secret(), random.fraction()]
  restore()
  t.strictSame([random.id(), random.secret(), random.fraction()], drawn)
})
