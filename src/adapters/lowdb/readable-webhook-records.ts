import {
  type Delivery,
  type DeliveryState,
  deliveryStates,
} from '../../domain/webhooks/delivery.ts'
import { type Event, type EventState, eventStates } from '../../domain/webhooks/event.ts'
import type {
  DeliveryReader,
  EventFilter,
  EventReader,
  WebhookEndpointReader,
} from '../../ports/webhook-records.ts'
import type { GroupIndex } from './collection.ts'
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

export function readEvents({ events }: Collections, view: View): EventReader {
  const sizeOf = (state: EventState, organizationId?: string) =>
    view.group(events, ...eventGroup({ state, organizationId }))?.size ?? 0
  return {
    get: async (eventId) => view.get(events, eventId),
    list: async (filter) => listEvents({ events }, view, filter),
    listAfter: async ({ organizationId: value, after: key, since = '', limit }) =>
      take(
        key === undefined
          ? view.group(events, eventsAsCreated, value)?.from(({ createdAt }) => createdAt >= since)
          : view.after(events, eventsAsCreated, { value, key }),
        limit,
      ),
    countByState: async (organizationId) =>
      countsOf(eventStates, (state) => sizeOf(state, organizationId)),
  }
}

function listEvents(
  { events }: Pick<Collections, 'events'>,
  view: View,
  filter: EventFilter,
): Event[] {
  const { since = '', until, type, limit = Number.POSITIVE_INFINITY } = filter
  const group = view.group(events, ...eventGroup(filter))
  const found: Event[] = []
  for (const event of group?.from(({ createdAt }) => createdAt >= since) ?? []) {
    if (found.length >= limit || (until && event.createdAt >= until)) break
    if (type === undefined || event.type === type) found.push(event)
  }
  return found
}

function eventGroup({ state, organizationId }: EventFilter): [GroupIndex<Event>, string] {
  if (organizationId === undefined) return state ? [eventsByState, state] : [allEvents, '']
  if (!state) return [eventsByOrganization, organizationId]
  return [eventsByOrganizationAndState, joinKey(organizationId, state)]
}

export function readDeliveries({ deliveries }: Collections, view: View): DeliveryReader {
  return {
    get: async (deliveryId) => view.get(deliveries, deliveryId),
    listUnfinished: async (lane, limit) => {
      const queues = [firstAttemptsByLane, retriesByLane, waitingByLane]
      return queues
        .flatMap((queue) => view.group(deliveries, queue, lane)?.slice(0, limit) ?? [])
        .slice(0, limit)
    },
    listDeadMails: async (filter) => listDeadMails({ deliveries }, view, filter),
    countByState: async (kind) =>
      countsOf(
        deliveryStates,
        (state: DeliveryState) =>
          view.group(deliveries, deliveriesByKindAndState, joinKey(kind, state))?.size ?? 0,
      ),
    findOldestPending: async (kind) => view.group(deliveries, pendingByKind, kind)?.slice(0, 1)[0],
  }
}

function listDeadMails(
  { deliveries }: Pick<Collections, 'deliveries'>,
  view: View,
  filter: Pick<EventFilter, 'organizationId' | 'since' | 'until'>,
): Delivery[] {
  const { organizationId, since = '', until } = filter
  const group =
    organizationId === undefined
      ? view.group(deliveries, deadMails, '')
      : view.group(deliveries, deadMailsByOrganization, organizationId)
  const found: Delivery[] = []
  for (const delivery of group?.from(({ createdAt }) => createdAt >= since) ?? []) {
    if (until && delivery.createdAt >= until) break
    found.push(delivery)
  }
  return found
}

function countsOf<Name extends string>(
  names: readonly Name[],
  count: (name: Name) => number,
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, count(name)])) as Record<Name, number>
}
