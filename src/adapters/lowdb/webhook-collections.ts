import {
  type Delivery,
  isFirstAttempt,
  laneOf,
  shownStateOf,
} from '../../domain/webhooks/delivery.ts'
import { type Event, eventStateOf } from '../../domain/webhooks/event.ts'
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import type { GroupIndex, Schema, UniqueIndex } from './collection.ts'
import { joinKey } from './join-key.ts'

const endpointByUrl: UniqueIndex<WebhookEndpoint> = {
  name: 'url',
  valueOf: (endpoint) => joinKey(endpoint.organizationId, endpoint.url),
}

export const endpointsByOrganization: GroupIndex<WebhookEndpoint> = {
  valueOf: (endpoint) => endpoint.organizationId,
}

/** In the order of creation. */
export const eventsAsCreated: GroupIndex<Event> = { valueOf: (event) => event.organizationId }

const rankOf = (event: Event) => event.createdAt

export const allEvents: GroupIndex<Event> = { valueOf: () => '', rankOf }

export const eventsByOrganization: GroupIndex<Event> = {
  valueOf: (event) => event.organizationId,
  rankOf,
}

export const eventsByState: GroupIndex<Event> = { valueOf: eventStateOf, rankOf }

export const eventsByOrganizationAndState: GroupIndex<Event> = {
  valueOf: (event) => joinKey(event.organizationId, eventStateOf(event)),
  rankOf,
}

const dueAt = (delivery: Delivery) => delivery.nextAttemptAt ?? ''
const isPending = ({ state }: Delivery) => state === 'pending'

export const firstAttemptsByLane: GroupIndex<Delivery> = {
  valueOf: (delivery) =>
    isPending(delivery) && isFirstAttempt(delivery) ? laneOf(delivery.target) : undefined,
  rankOf: dueAt,
}

export const retriesByLane: GroupIndex<Delivery> = {
  valueOf: (delivery) =>
    isPending(delivery) && !isFirstAttempt(delivery) ? laneOf(delivery.target) : undefined,
  rankOf: dueAt,
}

export const waitingByLane: GroupIndex<Delivery> = {
  valueOf: (delivery) => (delivery.state === 'waiting' ? laneOf(delivery.target) : undefined),
}

export const pendingByKind: GroupIndex<Delivery> = {
  valueOf: (delivery) => (isPending(delivery) ? delivery.target.kind : undefined),
  rankOf: dueAt,
}

export const deliveriesByKindAndState: GroupIndex<Delivery> = {
  valueOf: (delivery) => joinKey(delivery.target.kind, shownStateOf(delivery)),
}

const isDeadMail = ({ state, target }: Delivery) => state === 'dead' && target.kind === 'mail'
const begunAt = (delivery: Delivery) => delivery.createdAt

export const deadMails: GroupIndex<Delivery> = {
  valueOf: (delivery) => (isDeadMail(delivery) ? '' : undefined),
  rankOf: begunAt,
}

export const deadMailsByOrganization: GroupIndex<Delivery> = {
  valueOf: (delivery) => (isDeadMail(delivery) ? delivery.organizationId : undefined),
  rankOf: begunAt,
}

export const webhookEndpointSchema: Schema<WebhookEndpoint> = {
  keyOf: (record) => record.webhookEndpointId,
  ownerOf: (record) => record.organizationId,
  unique: [endpointByUrl],
  groups: [endpointsByOrganization],
}

export const eventSchema: Schema<Event> = {
  keyOf: (record) => record.eventId,
  ownerOf: (record) => record.organizationId,
  sharedFields: ['organizationId', 'sharePurchaseId', 'type'],
  groups: [
    eventsAsCreated,
    allEvents,
    eventsByOrganization,
    eventsByState,
    eventsByOrganizationAndState,
  ],
}

export const deliverySchema: Schema<Delivery> = {
  keyOf: (record) => record.deliveryId,
  ownerOf: (record) => record.organizationId,
  sharedFields: ['organizationId', 'sharePurchaseId'],
  groups: [
    firstAttemptsByLane,
    retriesByLane,
    waitingByLane,
    pendingByKind,
    deliveriesByKindAndState,
    deadMails,
    deadMailsByOrganization,
  ],
}
