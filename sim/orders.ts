// The answers that calls about the orders of one investor may have, if each call happens at one
// moment.
import type { Called } from './linearizable.ts'

export type Status = 'submitted' | 'approved' | 'settled' | 'rejected' | 'cancelled'

interface Order {
  readonly status: Status
  readonly shares: number
  readonly cooperativeId: string
}

/** The orders by their keys. */
export type Orders = ReadonlyMap<string, Order>

export const noOrders: Orders = new Map()

/** Returns equal texts for equal orders, whatever the sequence in which they were placed. */
export function textOfOrders(orders: Orders): string {
  const texts: string[] = []
  for (const [key, { status }] of orders) texts.push(`${key}=${status}`)
  return texts.sort().join()
}

const pending: readonly Status[] = ['submitted', 'approved']

/** The status that an order needs for each decision, and the status that the decision gives it. */
const decisions = {
  approve: { from: ['submitted'], to: 'approved' },
  settle: { from: ['approved'], to: 'settled' },
  reject: { from: pending, to: 'rejected' },
  cancel: { from: ['submitted'], to: 'cancelled' },
} as const satisfies Record<string, { from: readonly Status[]; to: Status }>

export type Decision = keyof typeof decisions

type Times = Pick<Called<Orders>, 'from' | 'to'>

interface Placing extends Times {
  readonly key: string
  readonly shares: number
  readonly cooperativeId: string
  /** The status in the answer; undefined without an answer. */
  readonly answered: Status | undefined
}

export function placed({
  key,
  shares,
  cooperativeId,
  answered,
  ...times
}: Placing): Called<Orders> {
  return {
    ...times,
    text: `place ${key}: ${answered ?? 'no answer'}`,
    next(orders) {
      const before = orders.get(key)
      const after = before ?? { status: 'submitted' as const, shares, cooperativeId }
      if (answered !== undefined && after.status !== answered) return []
      return [before ? orders : new Map(orders).set(key, after)]
    },
  }
}

interface Deciding extends Times {
  readonly key: string
  readonly decision: Decision
  readonly answered: 'done' | 'refused' | 'unfit' | undefined
}

export function decided({ key, decision, answered, ...times }: Deciding): Called<Orders> {
  const { from, to } = decisions[decision]
  return {
    ...times,
    text: `${decision} ${key}: ${answered ?? 'no answer'}`,
    next(orders) {
      const order = orders.get(key)
      const isPossible = order !== undefined && (from as readonly Status[]).includes(order.status)
      if (answered === 'refused') return isPossible ? [] : [orders]
      // The status would allow the decision, but the money does not.
      if (answered === 'unfit') return isPossible ? [orders] : []
      if (!isPossible) return answered === 'done' ? [] : [orders]
      return [new Map(orders).set(key, { ...order, status: to })]
    },
  }
}

interface Seeing extends Times {
  readonly seen: ReadonlyMap<string, Status>
  /** Whether `seen` has all orders of the investor. */
  readonly isAll: boolean
}

export function seen({ seen: statuses, isAll, ...times }: Seeing): Called<Orders> {
  return {
    ...times,
    text: `see ${[...statuses].map(([key, status]) => `${key}=${status}`).join()}`,
    next(orders) {
      if (isAll && orders.size !== statuses.size) return []
      return [...statuses].every(([key, status]) => orders.get(key)?.status === status)
        ? [orders]
        : []
    },
  }
}

interface Holding extends Times {
  readonly cooperativeId: string
  readonly shares: number
  readonly pendingShares: number
}

export function held({ cooperativeId, shares, pendingShares, ...times }: Holding): Called<Orders> {
  return {
    ...times,
    text: `hold ${shares} and ${pendingShares} pending`,
    next(orders) {
      const of = [...orders.values()].filter((order) => order.cooperativeId === cooperativeId)
      const sum = (statuses: readonly Status[]) =>
        of
          .filter(({ status }) => statuses.includes(status))
          .reduce((total, order) => total + order.shares, 0)
      return sum(['settled']) === shares && sum(pending) === pendingShares ? [orders] : []
    },
  }
}
