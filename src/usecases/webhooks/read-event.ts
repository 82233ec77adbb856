import type {
  SharePurchaseStatus,
  SharePurchaseTransition,
} from '../../domain/share-purchases/share-purchase.ts'
import { toldStatusOf } from '../../domain/share-purchases/share-purchase-event.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import { type Delivery, isUnfinished, receiverOf } from '../../domain/webhooks/delivery.ts'
import type { Event } from '../../domain/webhooks/event.ts'
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { requireAnySharePurchase } from '../share-purchases/require-any-share-purchase.ts'
import { readDeliveries } from './read-deliveries.ts'
import { requireEvent } from './require-event.ts'

export interface ToldDelivery {
  readonly delivery: Delivery
  /** undefined of a mail, and when it was removed since. */
  readonly endpoint: WebhookEndpoint | undefined
  /** An earlier one of the same ordering key has still to reach the receiver. */
  readonly isBlocked: boolean
  /** Since when it could have been attempted: it is under way, or a fault of ours holds it up. */
  readonly dueSince: Timestamp | null
}

export interface ToldTransition extends SharePurchaseTransition {
  /** null when the order was placed with it. */
  readonly from: SharePurchaseStatus | null
}

export interface ToldEvent {
  readonly event: Event
  /** What it tells of. */
  readonly transition: ToldTransition
  readonly deliveries: readonly ToldDelivery[]
}

/** The whole story of one event. */
export function readEvent({ store, clock }: Service, eventId: string): Promise<ToldEvent> {
  return store.read(async (records) => {
    const event = await requireEvent(records, eventId)
    const deliveries = await readDeliveries(records, event)
    const now = clock.now()
    const told = deliveries.map((delivery) => tell(records, delivery, now))
    const transition = await readTransition(records, event)
    return { event, transition, deliveries: await Promise.all(told) }
  })
}

async function readTransition(records: ReadableRecords, event: Event): Promise<ToldTransition> {
  const { transitions } = await requireAnySharePurchase(records, event.orderingKey)
  const to = toldStatusOf(event)
  const place = transitions.findIndex((transition) => transition.to === to)
  return { from: transitions[place - 1]?.to ?? null, to, at: event.createdAt }
}

async function tell(
  records: ReadableRecords,
  delivery: Delivery,
  now: Timestamp,
): Promise<ToldDelivery> {
  const { target, nextAttemptAt } = delivery
  const [endpoint, isBlocked] = await Promise.all([
    target.kind === 'webhook' ? records.webhookEndpoints.get(target.webhookEndpointId) : undefined,
    isBehindAnother(records, delivery),
  ])
  const isDue = !isBlocked && nextAttemptAt !== null && nextAttemptAt <= now
  return { delivery, endpoint, isBlocked, dueSince: isDue ? nextAttemptAt : null }
}

async function isBehindAnother({ deliveries }: ReadableRecords, delivery: Delivery) {
  if (!isUnfinished(delivery)) return false
  const first = await deliveries.findFirstPending(receiverOf(delivery), delivery.orderingKey)
  return first?.deliveryId !== delivery.deliveryId
}
