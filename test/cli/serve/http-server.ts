import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { queueRequests } from '../../../src/cli/serve/http-server.ts'

t.test(
  'a limited number of requests begins in each turn of the event loop, in order [D22]',
  async (t) => {
    const begun: number[] = []
    const begin = queueRequests((number: number) => begun.push(number), {
      refuse: () => t.fail('the queue has room'),
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

t.test(
  'a request is refused if the queue is full, and queued requests continue [D22]',
  async (t) => {
    const [begun, refused]: [number[], number[]] = [[], []]
    const begin = queueRequests((number: number) => begun.push(number), {
      refuse: (number) => refused.push(number),
      perTurn: 1,
      maximumWaiting: 2,
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
  },
)
