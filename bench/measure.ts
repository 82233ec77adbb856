import { orderFor, type SeededOrders } from '../fixtures/seed-orders.ts'
import type { FilledOrders } from './fill-orders.ts'
import type { RunningService } from './running-service.ts'

export interface Subject {
  readonly orders: number
  readonly seeded: FilledOrders
  readonly service: RunningService
}

interface Row {
  readonly name: string
  readonly request: (subject: Subject) => Promise<unknown>
  /** Milliseconds. */
  readonly taken: { readonly few: number[]; readonly many: number[] }
}

const rounds = 8
const requestsPerRound = 100
const writers = 50
const ordersOfAllWriters = 5000

/** By turns, so that whatever else the machine does meets both. */
export async function measureRequests(few: Subject, many: Subject): Promise<readonly Row[]> {
  const rows = createRows()
  for (let round = 0; round <= rounds; round++) {
    // The first one only warms up.
    for (const row of round === 0 ? createRows() : rows) {
      for (let sent = 0; sent < requestsPerRound; sent++) {
        row.taken.few.push(await time(() => row.request(few)))
        row.taken.many.push(await time(() => row.request(many)))
      }
    }
  }
  return rows
}

export async function measureWriters(subject: Subject) {
  const { orders } = subject
  const each = ordersOfAllWriters / writers
  const write = async () => {
    for (let placed = 0; placed < each; placed++) await placeOrder(subject)
  }
  const ms = await time(() => Promise.all(Array.from({ length: writers }, write)))
  return { orders, perSecond: (ordersOfAllWriters / ms) * 1000 }
}

export function percentile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((left, right) => left - right)
  return `${(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(2)} ms`
}

function createRows(): readonly Row[] {
  const row = (name: string, request: Row['request']): Row => ({
    name,
    request,
    taken: { few: [], many: [] },
  })
  return [
    row('GET one order', ({ service, seeded }) =>
      service.send('GET', `${pathOf(seeded)}/${seeded.purchaseIds[0]}`),
    ),
    row('GET a page of orders', ({ service, seeded }) => service.send('GET', pathOf(seeded))),
    row('GET holdings', ({ service, seeded }) =>
      service.send('GET', `/v1/investors/${seeded.investorId}/holdings`),
    ),
    row('POST an order', placeOrder),
    row('POST cancel of an old order', cancelOldest),
  ]
}

function pathOf({ investorId }: SeededOrders): string {
  return `/v1/investors/${investorId}/share-purchases`
}

function placeOrder({ service, seeded }: Subject) {
  return service.send('POST', pathOf(seeded), orderFor(seeded.cooperativeId))
}

function cancelOldest({ service, seeded }: Subject) {
  const path = seeded.oldOrders.shift()
  if (!path) throw new Error('Store at least 1000 orders: this bench cancels 900 of them.')
  return service.send('POST', `${path}/cancel`)
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
