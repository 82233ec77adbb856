import {
  type Delivery,
  type DeliveryKind,
  type DeliveryTarget,
  laneOf,
} from '../../../domain/webhooks/delivery.ts'
import type { DeliveryCounts, Event } from '../../../domain/webhooks/event.ts'
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts'
import { asItIs, Table } from '../table.ts'

export const webhookEndpointTable = new Table<WebhookEndpoint>({
  name: 'webhook_endpoints',
  key: ['organizationId', 'webhookEndpointId'],
  columns: {
    organizationId: 'plain',
    webhookEndpointId: 'plain',
    url: 'plain',
    sealedSigningSecret: 'plain',
    createdAt: 'timestamp',
    updatedAt: 'timestamp',
  },
  flatten: asItIs,
  build: asItIs,
})

export type EventRow = Omit<Event, 'deliveries'> & DeliveryCounts

export const eventTable = new Table<Event, EventRow>({
  name: 'events',
  key: ['organizationId', 'eventId'],
  // Whoever follows the log can wait for the numbers that are still to come.
  numberedUnder: ({ organizationId }) => logOf(organizationId),
  columns: {
    organizationId: 'plain',
    eventId: 'plain',
    sharePurchaseId: 'plain',
    type: 'plain',
    body: 'plain',
    createdAt: 'timestamp',
    deliveryIds: 'texts',
    pending: 'plain',
    delivered: 'plain',
    dead: 'plain',
  },
  flatten: (event) => ({ ...event, ...event.deliveries }),
  build: (row) => ({
    eventId: row.eventId,
    organizationId: row.organizationId,
    sharePurchaseId: row.sharePurchaseId,
    type: row.type,
    body: row.body,
    createdAt: row.createdAt,
    deliveryIds: row.deliveryIds,
    deliveries: { pending: row.pending, delivered: row.delivered, dead: row.dead },
  }),
})

/** The name of the lock under which events get their numbers. */
export function logOf(organizationId: string): string {
  return `events/${organizationId}`
}

export type DeliveryRow = Omit<Delivery, 'target'> & {
  readonly kind: DeliveryKind
  readonly lane: string
}

// A claim ends with what came of the attempt.
const isStillClaimed = `(excluded.attempts = deliveries.attempts and excluded.state in ('waiting', 'pending'))`

export const deliveryTable = new Table<Delivery, DeliveryRow>({
  name: 'deliveries',
  key: ['organizationId', 'deliveryId'],
  columns: {
    organizationId: 'plain',
    deliveryId: 'plain',
    eventId: 'plain',
    sharePurchaseId: 'plain',
    kind: 'plain',
    lane: 'plain',
    state: 'plain',
    attemptsInRound: 'plain',
    nextAttemptAt: 'timestamp',
    deadBecause: 'plain',
    attempts: 'json',
    createdAt: 'timestamp',
    updatedAt: 'timestamp',
  },
  alsoSet: `claimed_until = case when ${isStillClaimed} then deliveries.claimed_until end,
    is_under_way = ${isStillClaimed} and deliveries.is_under_way`,
  flatten: (delivery) => ({
    ...delivery,
    kind: delivery.target.kind,
    lane: laneOf(delivery.target),
  }),
  build: (row) => ({
    deliveryId: row.deliveryId,
    eventId: row.eventId,
    organizationId: row.organizationId,
    sharePurchaseId: row.sharePurchaseId,
    target: targetOf(row),
    state: row.state,
    attemptsInRound: row.attemptsInRound,
    nextAttemptAt: row.nextAttemptAt,
    deadBecause: row.deadBecause,
    attempts: row.attempts,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }),
})

function targetOf({ kind, lane }: DeliveryRow): DeliveryTarget {
  return kind === 'mail' ? { kind } : { kind, webhookEndpointId: lane }
}
