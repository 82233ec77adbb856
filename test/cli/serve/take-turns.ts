import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { takeTurns } from '../../../src/cli/serve/take-turns.ts'

t.test(
  'so many begin in one turn of the event loop, the others in the next ones, in order',
  async (t) => {
    const begun: number[] = []
    const begin = takeTurns((number: number) => begun.push(number), {
      refuse: () => t.fail('there is room to wait'),
      perTurn: 3,
    })
    for (const number of [1, 2, 3, 4, 5, 6, 7]) begin(number)
    t.strictSame(begun, [1, 2, 3])
    await nextTurn()
    t.strictSame(begun, [1, 2, 3, 4, 5, 6])
    begin(8)
    t.equal(begun.length, 6)
    await nextTurn()
    t.strictSame(begun, [1, 2, 3, 4, 5, 6, 7, 8])
    begin(9)
    t.equal(begun.at(-1), 9)
  },
)

t.test('who finds no room to wait is refused, and those who wait go on', async (t) => {
  const [begun, refused]: [number[], number[]] = [[], []]
  const begin = takeTurns((number: number) => begun.push(number), {
    refuse: (number) => refused.push(number),
    perTurn: 1,
    mostWaiting: 2,
  })
  for (const number of [1, 2, 3, 4, 5]) begin(number)
  t.strictSame([begun, refused], [[1], [4, 5]])
  await nextTurn()
  begin(6)
  begin(7)
  t.strictSame(
    [begun, refused],
    [
      [1, 2],
      [4, 5, 7],
    ],
  )
})
