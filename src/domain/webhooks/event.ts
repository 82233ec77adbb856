import {
  type SharePurchaseEventType,
  sharePurchaseEventTypes,
} from '../share-purchases/share-purchase-event.ts'
import type { Timestamp } from '../timestamp.ts'

/** What events are about. Each topic has a producer, which makes its events, and a composer of its mails. */
export const topics = ['share_purchase'] as const
export type Topic = (typeof topics)[number]

/** spec: Event types. */
export type EventType = SharePurchaseEventType

export const eventTypes: readonly EventType[] = sharePurchaseEventTypes

/** Of an event that only tries an endpoint. It has no topic, so no log keeps it. */
export const testEventType = 'webhook.test'

/** How many of an event's webhook deliveries are in which state. */
export interface DeliveryCounts {
  readonly pending: number
  readonly delivered: number
  readonly dead: number
}

/** Something that has happened, recorded once. */
export interface Event {
  /** Derived from what has happened: the same on every retry and redelivery. */
  readonly eventId: string
  readonly organizationId: string
  readonly topic: Topic
  /** Events of the same key reach each receiver in the order of creation. Of a share purchase: its id. */
  readonly orderingKey: string
  readonly type: EventType
  /** The JSON that is sent, made once: every attempt and replay sends these bytes. */
  readonly body: string
  /** When it happened. */
  readonly createdAt: Timestamp
  /** All that were begun with it; there are never more. */
  readonly deliveryIds: readonly string[]
  readonly deliveries: DeliveryCounts
  /** When somebody last looked whether it may go, and it had to stay. It is kept for the time of retention from then on. */
  readonly retainedFrom?: Timestamp
}

/** What a producer says. */
export type NewEvent = Omit<Event, 'deliveryIds' | 'deliveries'>

export const eventStates = ['none', 'pending', 'delivered', 'dead'] as const
export type EventState = (typeof eventStates)[number]

/** Spec gap: see DECISIONS.md, state of an event. */
export function eventStateOf({ deliveries }: Pick<Event, 'deliveries'>): EventState {
  if (deliveries.dead > 0) return 'dead'
  if (deliveries.pending > 0) return 'pending'
  return deliveries.delivered > 0 ? 'delivered' : 'none'
}
