import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { Event } from '../../domain/webhooks/event.ts'
import type { ReadableRecords } from '../../ports/store.ts'

export interface EventDeliveries {
  readonly event: Event
  readonly deliveries: readonly Delivery[]
}

/** All of several events, in one question to the store. */
export async function readEventDeliveries(
  { deliveries }: ReadableRecords,
  events: readonly Event[],
): Promise<readonly EventDeliveries[]> {
  const found = await deliveries.getMany(events.flatMap(({ deliveryIds }) => deliveryIds))
  const byId = new Map(found.map((delivery) => [delivery.deliveryId, delivery]))
  return events.map((event) => ({
    event,
    deliveries: event.deliveryIds.flatMap((deliveryId) => byId.get(deliveryId) ?? []),
  }))
}
