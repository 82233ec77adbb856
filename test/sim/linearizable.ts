import t from 'tap'
import { type Called, judge } from '../../sim/linearizable.ts'
import {
  decided,
  held,
  noOrders,
  type Orders,
  placed,
  type Status,
  seen,
  textOfOrders,
} from '../../sim/orders.ts'

/** A call of a register, which is the example of Herlihy and Wing. */
type Register = Called<number>

function write(from: number, to: number | undefined, value: number): Register {
  return { from, to, text: `write ${value}`, next: () => [value] }
}

function read(from: number, to: number, value: number): Register {
  return { from, to, text: `read ${value}`, next: (state) => (state === value ? [state] : []) }
}

const judgeRegister = (calls: readonly Register[]) => judge(calls, 0, String)

t.test('histories of a register have their known verdicts', async (t) => {
  const verdicts: readonly (readonly [string, readonly Register[], string])[] = [
    ['a read after a write', [write(0, 1, 1), read(2, 3, 1)], 'linearizable'],
    ['an old value after a write', [write(0, 1, 1), read(2, 3, 0)], 'not linearizable'],
    ['an old value during a write', [write(0, 3, 1), read(1, 2, 0)], 'linearizable'],
    [
      'first the new value, then the old one',
      [write(0, 9, 1), read(1, 2, 1), read(3, 4, 0)],
      'not linearizable',
    ],
    [
      'first the old value, then the new one',
      [write(0, 9, 1), read(1, 2, 0), read(3, 4, 1)],
      'linearizable',
    ],
    [
      'a write without an answer that happened',
      [write(0, undefined, 1), read(5, 6, 1)],
      'linearizable',
    ],
    [
      'a write without an answer that did not happen',
      [write(0, undefined, 1), read(5, 6, 0)],
      'linearizable',
    ],
    [
      'a write without an answer that happened and was undone',
      [write(0, undefined, 1), read(5, 6, 1), read(7, 8, 0)],
      'not linearizable',
    ],
    [
      'two writes in an order that two readers see differently',
      [write(0, 9, 1), write(0.5, 9.5, 2), read(10, 11, 1), read(12, 13, 2)],
      'not linearizable',
    ],
    ['a value that was never written', [write(0, 1, 1), read(2, 3, 7)], 'not linearizable'],
  ]
  for (const [title, calls, verdict] of verdicts) t.equal(judgeRegister(calls), verdict, title)
})

const order = { key: 'a', shares: 5, cooperativeId: 'sun' }
const judgeOrders = (calls: readonly Called<Orders>[]) => judge(calls, noOrders, textOfOrders)
const sees = (from: number, status?: Status) =>
  seen({
    from,
    to: from + 1,
    isAll: true,
    seen: new Map(status === undefined ? [] : [['a', status]]),
  })

t.test('histories of orders have their known verdicts', async (t) => {
  const place = placed({ ...order, from: 0, to: 1, answered: 'submitted' })
  const lost = placed({ ...order, from: 0, to: undefined, answered: undefined })
  const cancel = (from: number, answered: 'done' | 'refused' | undefined) =>
    decided({ key: 'a', decision: 'cancel', answered, from, to: answered && from + 1 })
  const approve = (from: number, answered: 'done' | 'refused' | undefined) =>
    decided({ key: 'a', decision: 'approve', answered, from, to: answered && from + 1 })
  const holds = (from: number, pendingShares: number) =>
    held({ from, to: from + 1, cooperativeId: 'sun', shares: 0, pendingShares })
  const verdicts: readonly (readonly [string, readonly Called<Orders>[], string])[] = [
    ['a placed order is listed', [place, sees(2, 'submitted'), holds(4, 5)], 'linearizable'],
    ['a placed order is lost', [place, sees(2)], 'not linearizable'],
    ['an order without an answer may exist', [lost, sees(2, 'submitted')], 'linearizable'],
    ['or not', [lost, sees(2)], 'linearizable'],
    ['it does not disappear again', [lost, sees(2, 'submitted'), sees(4)], 'not linearizable'],
    [
      'cancelled after an approval',
      [place, approve(2, 'done'), cancel(4, 'done')],
      'not linearizable',
    ],
    [
      'one of two simultaneous decisions succeeds',
      [place, approve(2, 'done'), cancel(2.5, 'refused')],
      'linearizable',
    ],
    [
      'both of two simultaneous decisions succeed',
      [place, approve(2, 'done'), cancel(2.5, 'done')],
      'not linearizable',
    ],
    [
      'refused without a reason',
      [place, cancel(2, 'refused'), sees(4, 'submitted')],
      'not linearizable',
    ],
    [
      'refused because of a decision without an answer',
      [place, approve(2, undefined), cancel(4, 'refused'), sees(6, 'approved')],
      'linearizable',
    ],
    [
      'shares without an order',
      [holds(0, 5), placed({ ...order, from: 2, to: 3, answered: 'submitted' })],
      'not linearizable',
    ],
  ]
  for (const [title, calls, verdict] of verdicts) t.equal(judgeOrders(calls), verdict, title)
})
