import type { PageOfPeriod } from '../domain/page.ts'
import type { Timestamp } from '../domain/timestamp.ts'
import type { Delivery, DeliveryKind, DisplayState } from '../domain/webhooks/delivery.ts'
import type { Event, EventState, EventType, Topic } from '../domain/webhooks/event.ts'
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts'

export interface WebhookEndpointReader {
  get(webhookEndpointId: string): Promise<WebhookEndpoint | undefined>
  /** Oldest first. */
  list(): Promise<readonly WebhookEndpoint[]>
  /** Oldest first. Within a write, it includes what the write has put. */
  listByOrganization(organizationId: string): Promise<readonly WebhookEndpoint[]>
}

export interface EventFilter extends PageOfPeriod {
  readonly state?: EventState | undefined
  readonly organizationId?: string | undefined
  readonly type?: EventType | undefined
  readonly topic?: Topic | undefined
  readonly isNewestFirst?: boolean | undefined
}

export interface EventReader {
  get(eventId: string): Promise<Event | undefined>
  listByIdPrefix(prefix: string, limit: number): Promise<readonly Event[]>
  /**
   * Ordered by `createdAt`, then by creation. The cost is proportional to the result, not to the
   * store.
   */
  list(filter: EventFilter): Promise<readonly Event[]>
  /** Events whose e-mail is dead, in the order of these e-mails. */
  listWithDeadMail(filter: Omit<EventFilter, 'state' | 'topic'>): Promise<readonly Event[]>
  /**
   * Events for partners in the order of creation, whatever the clock did, so a reader that continues after its
   * last event misses none. Without `after` it begins at the first event whose `createdAt` is
   * `since` or later, or else with the first event.
   */
  listAfter(request: {
    readonly organizationId: string
    /** Id of an event of that organization. */
    readonly after: string | undefined
    readonly since?: Timestamp | undefined
    readonly limit: number
  }): Promise<readonly Event[]>
  /** Events whose retention started before `until`, oldest first. Not allowed in writes. */
  listRetained(range: {
    readonly until: Timestamp
    readonly limit: number
  }): Promise<readonly Event[]>
  /** Without a limit, the cost is proportional to the number of events. */
  countByState(
    filter?: Pick<EventFilter, 'organizationId' | 'limit'>,
  ): Promise<Readonly<Record<EventState, number>>>
}

export interface DueFilter {
  readonly attempts: 'first' | 'retry'
  readonly now: Timestamp
  readonly limit: number
}

export interface DeliveryReader {
  get(deliveryId: string): Promise<Delivery | undefined>
  /** Receivers with pending deliveries. Not allowed in writes. */
  listReceivers(): Promise<readonly string[]>
  /**
   * Due deliveries that are the first pending one of their ordering key, longest due first. Not
   * allowed in writes.
   */
  listDue(receiver: string, due: DueFilter): Promise<readonly Delivery[]>
  /**
   * The time at which the next delivery falls due. Deliveries that are due now do not count. Not allowed in writes.
   */
  findNextDueAt(now: Timestamp): Promise<Timestamp | undefined>
  /** The first pending delivery of an ordering key, for which later ones wait. */
  findFirstPending(receiver: string, orderingKey: string): Promise<Delivery | undefined>
  /** Counting stops at the limit. */
  countPending(receiver: string, limit: number): Promise<number>
  /** Pending deliveries of a removed endpoint. Sorting them takes long if there are many. */
  listPending(receiver: string, limit: number): Promise<readonly Delivery[]>
  /**
   * The deliveries to a receiver whose last attempt was made in these hours, by its outcome. Parts of an hour count as
   * whole ones. The cost does not depend on the number of deliveries. Not allowed in writes.
   */
  countAttempted(
    receiver: string,
    period: { readonly since: Timestamp; readonly until: Timestamp },
  ): Promise<{ readonly delivered: number; readonly failed: number }>
  /** For metrics. */
  countByState(kind: DeliveryKind): Promise<Readonly<Record<DisplayState, number>>>
  /**
   * The pending delivery that has been due longest and waits for no earlier one. Not allowed in
   * writes.
   */
  findOldestPending(kind: DeliveryKind): Promise<Delivery | undefined>
}
