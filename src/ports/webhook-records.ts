import type { Timestamp } from '../domain/timestamp.ts'
import type { Delivery, DeliveryKind, ShownState } from '../domain/webhooks/delivery.ts'
import type { Event, EventState, EventType } from '../domain/webhooks/event.ts'
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts'

export interface WebhookEndpointReader {
  get(webhookEndpointId: string): Promise<WebhookEndpoint | undefined>
  /** Oldest first. */
  list(): Promise<readonly WebhookEndpoint[]>
  /** Oldest first; inside a write with what it has put. */
  listByOrganization(organizationId: string): Promise<readonly WebhookEndpoint[]>
}

export interface EventFilter {
  readonly state?: EventState | undefined
  readonly organizationId?: string | undefined
  /** Looked for among those that the rest of the filter finds. */
  readonly type?: EventType | undefined
  /** From this `createdAt` on. */
  readonly since?: Timestamp | undefined
  /** Before this `createdAt`. */
  readonly until?: Timestamp | undefined
  /** Id of an event that the same question has found: those that come after it. */
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

export interface EventReader {
  get(eventId: string): Promise<Event | undefined>
  /** Oldest first by `createdAt`, then by creation. Costs what it finds, not what is stored. */
  list(filter: EventFilter): Promise<readonly Event[]>
  /** Those whose mail is dead, in the order of these mails. */
  listWithDeadMail(filter: Omit<EventFilter, 'state'>): Promise<readonly Event[]>
  /**
   * In the order of creation, which no clock that is set back can disturb: whoever goes on after the last one they
   * got misses none. When `after` is undefined, it begins where `createdAt` reaches `since`, or else with the first one.
   */
  listAfter(request: {
    readonly organizationId: string
    /** Id of an event of that organisation. */
    readonly after: string | undefined
    readonly since?: Timestamp | undefined
    readonly limit: number
  }): Promise<readonly Event[]>
  /** Those that have been retained from before `until`; the longest first. For reads. */
  listRetained(range: {
    readonly until: Timestamp
    readonly limit: number
  }): Promise<readonly Event[]>
  countByState(organizationId?: string): Promise<Readonly<Record<EventState, number>>>
}

export interface DueFilter {
  readonly attempts: 'first' | 'retry'
  readonly now: Timestamp
  readonly limit: number
}

export interface DeliveryReader {
  get(deliveryId: string): Promise<Delivery | undefined>
  /** Those that there are, in any order. For reads: a write would have to lock them all. */
  getMany(deliveryIds: readonly string[]): Promise<readonly Delivery[]>
  /** Who has something to get, now or later. For reads. */
  listReceivers(): Promise<readonly string[]>
  /** What may be sent: the first of its ordering key that is pending, and due. The longest due first. For reads. */
  listDue(receiver: string, due: DueFilter): Promise<readonly Delivery[]>
  /** When the next one falls due that is not due yet. For reads. */
  findNextDueAt(now: Timestamp): Promise<Timestamp | undefined>
  /** What comes after it has to wait. */
  findFirstPending(receiver: string, orderingKey: string): Promise<Delivery | undefined>
  /** Of an endpoint that goes away. */
  listPending(receiver: string, limit: number): Promise<readonly Delivery[]>
  /** For metrics. */
  countByState(kind: DeliveryKind): Promise<Readonly<Record<ShownState, number>>>
  /** Of those that wait for no earlier one, the pending delivery that has been due the longest. For reads. */
  findOldestPending(kind: DeliveryKind): Promise<Delivery | undefined>
}
