import { countDeliveries } from '../../domain/webhooks/count-deliveries.ts'
import type { Event } from '../../domain/webhooks/event.ts'
import { batchesInTurns } from './batches-of.ts'
import type { Collections } from './collections.ts'

/** Events that lack a delivery, or count them otherwise than they stand. */
export async function* findWrongCounts(data: Pick<Collections, 'events' | 'deliveries'>) {
  for await (const events of batchesInTurns(data.events.values())) {
    for (const event of events) {
      const wrong = faultOf(event, data)
      if (wrong) yield `events ${event.eventId}: ${wrong}`
    }
  }
}

function faultOf(event: Event, { deliveries }: Pick<Collections, 'deliveries'>) {
  const found = event.deliveryIds.map((id) => deliveries.get(id)).filter((one) => one !== undefined)
  const missing = event.deliveryIds.length - found.length
  if (missing > 0) return `${missing} of its deliveries are missing.`
  const due = countDeliveries(found)
  const isSame = (['pending', 'delivered', 'dead'] as const).every(
    (state) => due[state] === event.deliveries[state],
  )
  return isSame ? undefined : 'its counts are not those of its deliveries.'
}
