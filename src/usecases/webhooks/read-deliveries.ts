import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { Event } from '../../domain/webhooks/event.ts'
import type { ReadableRecords } from '../../ports/store.ts'

/** All of an event. By key, so that a write sees its own. */
export async function readDeliveries(
  { deliveries }: ReadableRecords,
  { deliveryIds }: Event,
): Promise<readonly Delivery[]> {
  const found = await Promise.all(deliveryIds.map((deliveryId) => deliveries.get(deliveryId)))
  return found.filter((delivery) => delivery !== undefined)
}
