import { derivedId } from '../derived-id.ts'
import type { SharePurchaseStatus } from '../share-purchases/share-purchase.ts'
import { sharePurchaseStatuses } from '../share-purchases/share-purchase.ts'
import type { Timestamp } from '../timestamp.ts'

/** A draft is submitted in the step that makes it, so nobody is told of it. */
export type ToldStatus = Exclude<SharePurchaseStatus, 'draft'>

/** spec: Event types. `share_purchase.` and the status that was reached. */
export type EventType = `share_purchase.${ToldStatus}`

export const eventTypes: readonly EventType[] = sharePurchaseStatuses
  .filter((status) => status !== 'draft')
  .map((status) => `share_purchase.${status}` as const)

/** Of an event that only tries an endpoint. It is no event of an order, so no log keeps it. */
export const testEventType = 'webhook.test'

/** How many of an event's webhook deliveries stand where. */
export interface DeliveryCounts {
  readonly pending: number
  readonly delivered: number
  readonly dead: number
}

/** One transition of one order, told once. */
export interface Event {
  /** Derived from order and transition: the same on every retry and redelivery. */
  readonly eventId: string
  readonly organizationId: string
  readonly sharePurchaseId: string
  readonly type: EventType
  /** The JSON that is sent, made once: every attempt and replay sends these bytes. */
  readonly body: string
  /** When the transition occurred. */
  readonly createdAt: Timestamp
  /** All that were begun with it; there are never more. */
  readonly deliveryIds: readonly string[]
  readonly deliveries: DeliveryCounts
}

export const eventStates = ['none', 'pending', 'delivered', 'dead'] as const
export type EventState = (typeof eventStates)[number]

export function eventIdOf(sharePurchaseId: string, to: SharePurchaseStatus): string {
  return derivedId('event', sharePurchaseId, to)
}

export function toldStatusOf({ type }: Pick<Event, 'type'>): ToldStatus {
  return type.slice('share_purchase.'.length) as ToldStatus
}

/** Spec gap: see DECISIONS.md, state of an event. */
export function eventStateOf({ deliveries }: Pick<Event, 'deliveries'>): EventState {
  if (deliveries.dead > 0) return 'dead'
  if (deliveries.pending > 0) return 'pending'
  return deliveries.delivered > 0 ? 'delivered' : 'none'
}
