import { Problem } from '../../domain/problem.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { Event, EventState } from '../../domain/webhooks/event.ts'
import type { CursorPage } from '../../ports/collections.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { EventFilter } from '../../ports/webhook-records.ts'
import { nameOwners, requireOrganization, type WithOwner } from '../organizations/organizations.ts'
import { readInBatches } from '../read-in-batches.ts'
import type { Service } from '../service.ts'

export interface ListedEvent {
  readonly organizationId: string
  readonly event: Event
  /** Attempts to webhooks in all rounds. */
  readonly attempts: number
}

/** In batches. */
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
  const found = await readEventDeliveries(records, events)
  return found.map(({ event, deliveries }) => ({
    organizationId: event.organizationId,
    event,
    attempts: countAttempts(deliveries),
  }))
}

export interface EventSelection extends Omit<EventFilter, 'organizationId'> {
  /** An id or an exact name. */
  readonly organization?: string | undefined
  /** Selects events whose e-mail is dead, regardless of their webhooks. */
  readonly deadMail?: boolean | undefined
}

/** In batches. */
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

export interface EventDeliveries {
  readonly event: Event
  readonly deliveries: readonly Delivery[]
}

/** Reads the deliveries of several events in one query. */
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

/** For organizations with self-service: a page of their events, oldest first. */
export function pageEvents(
  { store }: Service,
  { organizationId, state, after: lastSeen, limit }: PageEvents,
): Promise<EventPage> {
  const after = lastSeen?.toLowerCase()
  return store.read(async (records) => {
    await requireOwn(records, organizationId, after)
    const found = await records.events.list({ organizationId, state, after, limit: limit + 1 })
    const items = await describeEvents(records, found.slice(0, limit))
    return { items, hasNext: found.length > limit }
  })
}

export interface FollowEvents {
  /** An id or an exact name. */
  readonly organization: string
  /** Cursor: id of the last event that the caller has seen. */
  readonly after?: string | undefined
  /** Where to start without a cursor. */
  readonly since?: Timestamp | undefined
  readonly limit: number
}

/** For followers: the events after the last one that they saw, in the order of creation. */
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
  if (event?.organizationId === organizationId) return
  throw new Problem(
    'EVENT_NOT_FOUND',
    `The organization has no event "${eventId}" to continue from. It may have been purged.`,
  )
}
