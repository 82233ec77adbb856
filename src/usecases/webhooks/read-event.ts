import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { Event } from '../../domain/webhooks/event.ts'
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { readDeliveries } from './read-deliveries.ts'
import { requireEvent } from './require-event.ts'

export interface ToldDelivery {
  readonly delivery: Delivery
  /** undefined of a mail, and when it was removed since. */
  readonly endpoint: WebhookEndpoint | undefined
}

export interface ToldEvent {
  readonly event: Event
  readonly deliveries: readonly ToldDelivery[]
}

/** The whole story of one event. */
export function readEvent({ store }: Service, eventId: string): Promise<ToldEvent> {
  return store.read(async (records) => {
    const event = await requireEvent(records, eventId)
    const deliveries = await readDeliveries(records, event)
    const told = deliveries.map((delivery) => tell(records, delivery))
    return { event, deliveries: await Promise.all(told) }
  })
}

async function tell(
  { webhookEndpoints }: ReadableRecords,
  delivery: Delivery,
): Promise<ToldDelivery> {
  const { target } = delivery
  const endpoint =
    target.kind === 'webhook' ? await webhookEndpoints.get(target.webhookEndpointId) : undefined
  return { delivery, endpoint }
}
