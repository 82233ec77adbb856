import { Problem } from '../../domain/problem.ts'
import type {
  SharePurchaseStatus,
  SharePurchaseTransition,
} from '../../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import { type Delivery, isPending, receiverOf } from '../../domain/webhooks/delivery.ts'
import type { Event } from '../../domain/webhooks/event.ts'
import { statusOfEvent } from '../../domain/webhooks/event.ts'
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { requireAnySharePurchase } from '../share-purchases/read-share-purchases.ts'

export interface DeliveryDetails {
  readonly delivery: Delivery
  /** undefined for an e-mail, and for an endpoint that was removed. */
  readonly endpoint: WebhookEndpoint | undefined
  /** Whether an earlier delivery of the ordering key is still pending. */
  readonly isBlocked: boolean
  /** Since when the delivery has been due; null if it is not due. */
  readonly dueSince: Timestamp | null
}

export interface TransitionDetails extends SharePurchaseTransition {
  /** null for the first transition. */
  readonly from: SharePurchaseStatus | null
}

export interface EventDetails {
  readonly event: Event
  /** The transition that the event reports. */
  readonly transition: TransitionDetails
  readonly deliveries: readonly DeliveryDetails[]
}

/** Returns an event with its deliveries and attempts. */
export function readEvent({ store, clock }: Service, eventId: string): Promise<EventDetails> {
  return store.read(async (records) =>
    describeEvent(records, await requireEvent(records, eventId), clock.now()),
  )
}

/** For organizations with self-service. */
export function readOrganizationEvent(
  { store, clock }: Service,
  own: OrganizationEvent,
): Promise<EventDetails> {
  return store.read(async (records) =>
    describeEvent(records, await requireOrganizationEvent(records, own), clock.now()),
  )
}

async function describeEvent(
  records: ReadableRecords,
  event: Event,
  now: Timestamp,
): Promise<EventDetails> {
  const deliveries = await readDeliveries(records, event)
  const described = deliveries.map((delivery) => describeDelivery(records, delivery, now))
  const transition = await readTransition(records, event)
  return { event, transition, deliveries: await Promise.all(described) }
}

async function readTransition(records: ReadableRecords, event: Event): Promise<TransitionDetails> {
  const { transitions } = await requireAnySharePurchase(records, event.orderingKey)
  const to = statusOfEvent(event)
  const place = transitions.findIndex((transition) => transition.to === to)
  return { from: transitions[place - 1]?.to ?? null, to, at: event.createdAt }
}

async function describeDelivery(
  records: ReadableRecords,
  delivery: Delivery,
  now: Timestamp,
): Promise<DeliveryDetails> {
  const { target, nextAttemptAt } = delivery
  const [endpoint, isBlocked] = await Promise.all([
    target.kind === 'webhook' ? records.webhookEndpoints.get(target.webhookEndpointId) : undefined,
    isBehindAnother(records, delivery),
  ])
  const isDue = !isBlocked && nextAttemptAt !== null && nextAttemptAt <= now
  return { delivery, endpoint, isBlocked, dueSince: isDue ? nextAttemptAt : null }
}

async function isBehindAnother({ deliveries }: ReadableRecords, delivery: Delivery) {
  if (!isPending(delivery)) return false
  const first = await deliveries.findFirstPending(receiverOf(delivery), delivery.orderingKey)
  return first?.deliveryId !== delivery.deliveryId
}

export async function requireEvent(
  { events }: Pick<ReadableRecords, 'events'>,
  eventId: string,
): Promise<Event> {
  const event = await events.get(eventId.toLowerCase())
  if (event) return event
  throw new Problem(
    'EVENT_NOT_FOUND',
    `There is no event "${eventId}". It may have been purged. \`coopshare event list\` lists all events.`,
  )
}

export interface OrganizationEvent {
  readonly organizationId: string
  readonly eventId: string
}

/** Throws EVENT_NOT_FOUND for unknown events and those of others alike. */
export async function requireOrganizationEvent(
  { events }: Pick<ReadableRecords, 'events'>,
  { organizationId, eventId }: OrganizationEvent,
): Promise<Event> {
  const event = await events.get(eventId.toLowerCase())
  if (event?.organizationId === organizationId) return event
  throw new Problem(
    'EVENT_NOT_FOUND',
    'None of your events has this id. The event may have been removed because of its age.',
  )
}

/** All deliveries of an event, read by key so that writes can use it. */
export async function readDeliveries(
  { deliveries }: ReadableRecords,
  { deliveryIds }: Event,
): Promise<readonly Delivery[]> {
  const found = await Promise.all(deliveryIds.map((deliveryId) => deliveries.get(deliveryId)))
  return found.filter((delivery) => delivery !== undefined)
}
