import t, { type Test } from 'tap'
import { stillTimers } from '../../../fixtures/still-timers.ts'
import { withLengths } from '../../../fixtures/with-lengths.ts'
import { SharedWrites } from '../../../src/adapters/postgres/sharing/shared-writes.ts'

/** How many works each transaction has had; the time stands still, so that whoever waits for it waits for ever. */
function openWrites(t: Test) {
  const { tick } = stillTimers(t)
  const sizes: number[] = []
  const writes = new SharedWrites(async (works, noteSent) => {
    sizes.push(works.length)
    noteSent()
    return Promise.all(works.map(async () => ({ status: 'fulfilled', value: undefined }) as const))
  })
  const add = (subject: string) => writes.add(subject, async () => {})
  const takeSizes = () => sizes.splice(0)
  return { add, takeSizes, tick }
}

const several = (count: number) => Array.from({ length: count }, (_, number) => `of ${number}`)

t.test('works that come at once go together: up to eight, half of more', async (t) => {
  const { add, takeSizes } = openWrites(t)
  await Promise.all(several(8).map(add))
  t.strictSame(takeSizes(), [8])
  await Promise.all(several(40).map(add))
  t.strictSame(takeSizes(), [20, 20])
})

t.test('works of one subject begin one after the other, and wait for nobody else', async (t) => {
  const { add, takeSizes } = openWrites(t)
  await Promise.all(several(20).map(() => add('the same')))
  t.strictSame(takeSizes(), Array(20).fill(1))
})

t.test('who is not alone waits for those who were there lately, and once in vain', async (t) => {
  const { add, takeSizes, tick } = openWrites(t)
  await Promise.all(several(8).map(add))
  const alone = add('alone')
  tick(2)
  await alone
  await add('alone')
  await add('alone again')
  t.strictSame(takeSizes(), [8, 1, 1, 1])
})

t.test('who has waited too long is refused, and nobody waits for that any more', async (t) => {
  const { add, takeSizes, tick } = openWrites(t)
  await Promise.all(several(8).map(add))
  const first = add('the same')
  const second = add('the same')
  tick(10_000)
  const refused = { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } }
  t.match(await Promise.all([first, second]), withLengths([refused, refused]))
  t.equal((await add('the same')).status, 'fulfilled')
  t.strictSame(takeSizes(), [8, 1])
})
