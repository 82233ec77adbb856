import type { Delivery } from './delivery.ts'
import type { DeliveryCounts } from './event.ts'

/** Of webhooks only: that an investor's mail is under way is nothing a partner waits for. */
export function countDeliveries(deliveries: readonly Delivery[]): DeliveryCounts {
  const counts = { pending: 0, delivered: 0, dead: 0 }
  for (const delivery of deliveries) {
    if (delivery.target.kind === 'webhook') counts[delivery.state] += 1
  }
  return counts
}

/** The counts when `before` has become `after`. */
export function recount(counts: DeliveryCounts, before: Delivery, after: Delivery): DeliveryCounts {
  const [from, to] = [before.state, after.state]
  if (from === to || after.target.kind !== 'webhook') return counts
  return { ...counts, [from]: counts[from] - 1, [to]: counts[to] + 1 }
}
