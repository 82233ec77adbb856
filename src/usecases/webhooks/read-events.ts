import type { CursorPage } from '../../domain/page.ts'
import { Problem } from '../../domain/problem.ts'
import type {
  SharePurchaseStatus,
  SharePurchaseTransition,
} from '../../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import { type Delivery, isPending, receiverOf } from '../../domain/webhooks/delivery.ts'
import {
  type Event,
  type EventState,
  isForPartners,
  sharePurchaseIdOf,
  statusOfEvent,
} from '../../domain/webhooks/event.ts'
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { EventFilter } from '../../ports/webhook-records.ts'
import { nameOwners, requireOrganization, type WithOwner } from '../organizations/organizations.ts'
import { readInBatches } from '../read-in-batches.ts'
import type { Service } from '../service.ts'
import { requireAnySharePurchase } from '../share-purchases/read-share-purchases.ts'

export interface DeliveryDetails {
  readonly delivery: Delivery
  /** undefined for an e-mail, and for an endpoint that was removed. */
  readonly endpoint: WebhookEndpoint | undefined
  /** Whether an earlier delivery of the ordering key is still pending. */
  readonly isBlocked: boolean
  /** The time since which the delivery has been due; null if it is not due. */
  readonly dueSince: Timestamp | null
}

export interface TransitionDetails extends SharePurchaseTransition {
  /** null for the first transition. */
  readonly from: SharePurchaseStatus | null
}

export interface EventDetails {
  readonly event: Event
  /** The transition that the event reports; null if it reports none. */
  readonly transition: TransitionDetails | null
  readonly deliveries: readonly DeliveryDetails[]
}

/** Returns an event with its deliveries and attempts. */
export function readEvent({ store, clock }: Service, eventId: string): Promise<EventDetails> {
  return store.read(async (records) =>
    describeEvent(records, await requireEvent(records, eventId), clock.now()),
  )
}

/** An organization with self-service reads one of its events. */
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

async function readTransition(
  records: ReadableRecords,
  event: Event,
): Promise<TransitionDetails | null> {
  const to = statusOfEvent(event)
  if (to === null) return null
  const { transitions } = await requireAnySharePurchase(records, sharePurchaseIdOf(event))
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

/** Throws EVENT_NOT_FOUND for unknown events, those of others, and those that are not for partners alike. */
export async function requireOrganizationEvent(
  { events }: Pick<ReadableRecords, 'events'>,
  { organizationId, eventId }: OrganizationEvent,
): Promise<Event> {
  const event = await events.get(eventId.toLowerCase())
  if (event?.organizationId === organizationId && isForPartners(event)) return event
  throw new Problem(
    'EVENT_NOT_FOUND',
    'None of your events has this id. The event may have been removed because of its age.',
  )
}

/** All deliveries of an event. */
export async function readDeliveries(
  { deliveries }: ReadableRecords,
  { deliveryIds }: Event,
): Promise<readonly Delivery[]> {
  const found = await Promise.all(deliveryIds.map((deliveryId) => deliveries.get(deliveryId)))
  return found.filter((delivery) => delivery !== undefined)
}

export interface ListedEvent {
  readonly organizationId: string
  readonly event: Event
  /** Attempts to webhooks in all rounds. */
  readonly attempts: number
}

/** Yields events in batches. */
export async function* listEvents(
  { store }: Service,
  selection: EventSelection,
): AsyncGenerator<readonly WithOwner<ListedEvent>[]> {
  for await (const events of selectEvents({ store }, selection)) {
    yield await store.read(async (records) =>
      nameOwners(records, await describeEvents(records, events)),
    )
  }
}

async function describeEvents(
  records: ReadableRecords,
  events: readonly Event[],
): Promise<readonly ListedEvent[]> {
  const found = await readEventsWithDeliveries(records, events)
  return found.map(({ event, deliveries }) => ({
    organizationId: event.organizationId,
    event,
    attempts: countAttempts(deliveries),
  }))
}

export interface EventSelection extends Omit<EventFilter, 'organizationId' | 'topic'> {
  /** An id or an exact name. */
  readonly organization?: string | undefined
  /** Selects events whose e-mail is dead, regardless of their webhooks. */
  readonly deadMail?: boolean | undefined
}

/** Yields events in batches. */
export async function* selectEvents(
  { store }: Pick<Service, 'store'>,
  { after: lastSeen, limit, ...selection }: EventSelection,
): AsyncGenerator<readonly Event[]> {
  const list = await store.read((records) => prepareList(records, selection))
  const after = lastSeen?.toLowerCase()
  yield* readInBatches(store, { list, idOf: ({ eventId }) => eventId, after, limit })
}

async function prepareList(
  records: ReadableRecords,
  { organization, deadMail, state, ...filter }: Omit<EventSelection, 'limit' | 'after'>,
) {
  const owner =
    organization === undefined ? undefined : await requireOrganization(records, organization)
  const wanted = { ...filter, organizationId: owner?.organizationId }
  return ({ events }: ReadableRecords, page: CursorPage) =>
    deadMail
      ? events.listWithDeadMail({ ...wanted, ...page })
      : events.list({ ...wanted, state, ...page })
}

export interface EventWithDeliveries {
  readonly event: Event
  readonly deliveries: readonly Delivery[]
}

/** Asks for all deliveries in one turn, so that a database answers in one round trip. */
export function readEventsWithDeliveries(
  records: ReadableRecords,
  events: readonly Event[],
): Promise<readonly EventWithDeliveries[]> {
  const found = events.map(async (event) => ({
    event,
    deliveries: await readDeliveries(records, event),
  }))
  return Promise.all(found)
}

/** Counts the attempts to webhooks, in all rounds. */
export function countAttempts(deliveries: readonly Delivery[]): number {
  return deliveries
    .filter(({ target }) => target.kind === 'webhook')
    .reduce((sum, { attempts }) => sum + attempts.length, 0)
}

/** `organization` is an id or an exact name. With a limit, the count of each state stops there. */
export function countEvents(
  { store }: Service,
  { organization, limit }: Pick<EventSelection, 'organization' | 'limit'>,
): Promise<Readonly<Record<EventState, number>>> {
  return store.read(async (records) => {
    if (organization === undefined) return records.events.countByState({ limit })
    const { organizationId } = await requireOrganization(records, organization)
    return records.events.countByState({ organizationId, limit })
  })
}

export interface PageEvents {
  readonly organizationId: string
  readonly state?: EventState | undefined
  /** Cursor: id of the last event of the previous page. */
  readonly after?: string | undefined
  readonly limit: number
}

export interface EventPage {
  readonly items: readonly ListedEvent[]
  readonly hasNext: boolean
}

/** A page of the events of an organization with self-service, oldest first. */
export function pageEvents(
  { store }: Service,
  { organizationId, state, after: lastSeen, limit }: PageEvents,
): Promise<EventPage> {
  const after = lastSeen?.toLowerCase()
  return store.read(async (records) => {
    await requireOwn(records, organizationId, after)
    const page = {
      organizationId,
      state,
      topic: 'share_purchase',
      after,
      limit: limit + 1,
    } as const
    const found = await records.events.list(page)
    const items = await describeEvents(records, found.slice(0, limit))
    return { items, hasNext: found.length > limit }
  })
}

export interface FollowEvents {
  /** An id or an exact name. */
  readonly organization: string
  /** Cursor: id of the last event that the caller has seen. */
  readonly after?: string | undefined
  /** The time at which to start without a cursor. */
  readonly since?: Timestamp | undefined
  readonly limit: number
}

/** The events for partners after the last one that a follower saw, in the order of creation. */
export function followEvents(
  { store }: Service,
  { organization, after: lastSeen, since, limit }: FollowEvents,
): Promise<readonly Event[]> {
  const after = lastSeen?.toLowerCase()
  return store.read(async (records) => {
    const { organizationId } = await requireOrganization(records, organization)
    await requireOwn(records, organizationId, after)
    return records.events.listAfter({ organizationId, after, since, limit })
  })
}

async function requireOwn(
  { events }: ReadableRecords,
  organizationId: string,
  eventId: string | undefined,
): Promise<void> {
  if (eventId === undefined) return
  const event = await events.get(eventId)
  if (event?.organizationId === organizationId && isForPartners(event)) return
  throw new Problem(
    'EVENT_NOT_FOUND',
    `The organization has no event "${eventId}" to continue from. It may have been purged.`,
  )
}
