import type { Timestamp } from '../../domain/timestamp.ts'
import { type Delivery, type ShownState, shownStates } from '../../domain/webhooks/delivery.ts'
import {
  type Event,
  type EventState,
  type EventType,
  eventStates,
} from '../../domain/webhooks/event.ts'
import type {
  DeliveryReader,
  EventFilter,
  EventReader,
  WebhookEndpointReader,
} from '../../ports/webhook-records.ts'
import type { Collection, GroupIndex } from './collection.ts'
import type { Collections } from './collections.ts'
import { joinKey } from './join-key.ts'
import { take } from './take.ts'
import type { View } from './view.ts'
import {
  allEvents,
  deadMails,
  deadMailsByOrganization,
  deliveriesByKindAndState,
  endpointsByOrganization,
  eventsAsCreated,
  eventsByOrganization,
  eventsByOrganizationAndState,
  eventsByState,
  firstAttemptsByLane,
  pendingByKind,
  retriesByLane,
  waitingByLane,
} from './webhook-collections.ts'

export function readWebhookEndpoints(
  { webhookEndpoints }: Collections,
  view: View,
): WebhookEndpointReader {
  return {
    get: async (id) => view.get(webhookEndpoints, id),
    list: async () => [...view.all(webhookEndpoints)],
    listByOrganization: async (organizationId) =>
      view.list(webhookEndpoints, endpointsByOrganization, organizationId),
  }
}

export function readEvents(data: Collections, view: View): EventReader {
  const { events } = data
  const sizeOf = (state: EventState, organizationId?: string) =>
    view.group(events, ...eventGroup({ state, organizationId }))?.size ?? 0
  return {
    get: async (eventId) => view.get(events, eventId),
    list: async (filter) => listEvents(data, view, filter),
    listWithDeadMail: async (filter) => listWithDeadMail(data, view, filter),
    listAfter: async ({ organizationId, after: key, since, limit }) => {
      if (key === undefined) return take(logFrom(events, view, { organizationId, since }), limit)
      return take(view.after(events, eventsAsCreated, { value: organizationId, key }), limit)
    },
    countByState: async (organizationId) =>
      countsOf(eventStates, (state) => sizeOf(state, organizationId)),
  }
}

function listEvents({ events }: Collections, view: View, filter: EventFilter): Event[] {
  const { since, until, after: key } = filter
  const begun = begin(view, events, eventGroup(filter), { key, since })
  return choose(before(begun, until), filter)
}

function listWithDeadMail(data: Collections, view: View, filter: EventFilter): Event[] {
  const { organizationId, since, until, after } = filter
  const group: [GroupIndex<Delivery>, string] =
    organizationId === undefined ? [deadMails, ''] : [deadMailsByOrganization, organizationId]
  const key = after === undefined ? undefined : mailOf(data, view, after)
  const mails = before(begin(view, data.deliveries, group, { key, since }), until)
  return choose(eventsOf(data, view, mails), filter)
}

/** Of an event without a mail, an id that nothing has. */
function mailOf({ events, deliveries }: Collections, view: View, eventId: string): string {
  const { deliveryIds = [] } = view.get(events, eventId) ?? {}
  return deliveryIds.find((id) => view.get(deliveries, id)?.target.kind === 'mail') ?? ''
}

function* eventsOf({ events }: Collections, view: View, mails: Iterable<Delivery>) {
  for (const { eventId } of mails) {
    const event = view.get(events, eventId)
    if (event) yield event
  }
}

interface Dated {
  readonly createdAt: Timestamp
}

interface Beginning {
  /** After the record of it. */
  readonly key: string | undefined
  readonly since: Timestamp | undefined
}

function begin<Stored extends Dated>(
  view: View,
  collection: Collection<Stored>,
  [index, value]: readonly [GroupIndex<Stored>, string],
  { key, since = '' as Timestamp }: Beginning,
): Iterable<Stored> {
  if (key !== undefined) return view.after(collection, index, { value, key })
  return view.group(collection, index, value)?.from(({ createdAt }) => createdAt >= since) ?? []
}

interface LogStart {
  readonly organizationId: string
  readonly since: Timestamp | undefined
}

/** Looked for one by one, because a clock may have been set back in between; but only when there is one. */
function* logFrom(
  events: Collection<Event>,
  view: View,
  { organizationId, since = '' as Timestamp }: LogStart,
): Generator<Event> {
  const reached = begin(view, events, eventGroup({ organizationId }), { key: undefined, since })
  if (take(reached, 1).length === 0) return
  let isBegun = false
  for (const event of view.group(events, eventsAsCreated, organizationId) ?? []) {
    isBegun ||= event.createdAt >= since
    if (isBegun) yield event
  }
}

function* before<Stored extends Dated>(records: Iterable<Stored>, until: Timestamp | undefined) {
  for (const record of records) {
    if (until && record.createdAt >= until) return
    yield record
  }
}

function choose(events: Iterable<Event>, { type, limit }: EventFilter): Event[] {
  return take(ofType(events, type), limit ?? Number.POSITIVE_INFINITY)
}

function* ofType(events: Iterable<Event>, type: EventType | undefined): Generator<Event> {
  for (const event of events) if (type === undefined || event.type === type) yield event
}

function eventGroup({ state, organizationId }: EventFilter): [GroupIndex<Event>, string] {
  if (organizationId === undefined) return state ? [eventsByState, state] : [allEvents, '']
  if (!state) return [eventsByOrganization, organizationId]
  return [eventsByOrganizationAndState, joinKey(organizationId, state)]
}

export function readDeliveries({ deliveries }: Collections, view: View): DeliveryReader {
  return {
    get: async (deliveryId) => view.get(deliveries, deliveryId),
    getMany: async (deliveryIds) =>
      deliveryIds.flatMap((deliveryId) => view.get(deliveries, deliveryId) ?? []),
    listUnfinished: async (lane, limit) => {
      const queues = [firstAttemptsByLane, retriesByLane, waitingByLane]
      return queues
        .flatMap((queue) => view.group(deliveries, queue, lane)?.slice(0, limit) ?? [])
        .slice(0, limit)
    },
    countByState: async (kind) =>
      countsOf(
        shownStates,
        (state: ShownState) =>
          view.group(deliveries, deliveriesByKindAndState, joinKey(kind, state))?.size ?? 0,
      ),
    findOldestPending: async (kind) => view.group(deliveries, pendingByKind, kind)?.slice(0, 1)[0],
  }
}

function countsOf<Name extends string>(
  names: readonly Name[],
  count: (name: Name) => number,
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, count(name)])) as Record<Name, number>
}
