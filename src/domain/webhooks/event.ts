import { deriveId } from '../ids.ts'
import {
  type SharePurchase,
  type SharePurchaseStatus,
  sharePurchaseStatuses,
} from '../share-purchases/share-purchase.ts'
import type { Timestamp } from '../timestamp.ts'
import type { Delivery } from './delivery.ts'

/** The type of test events, which have no topic and are in no log. */
export const testEventType = 'webhook.test'

/** The number of webhook deliveries of an event by state. */
export interface DeliveryCounts {
  readonly pending: number
  readonly delivered: number
  readonly dead: number
}

/** A fact, recorded once. */
export interface Event {
  /** Derived from the fact, so that it is the same in every delivery. */
  readonly eventId: string
  readonly organizationId: string
  readonly topic: Topic
  /** Events with the same key reach each receiver in the order of creation; see `topics`. */
  readonly orderingKey: string
  readonly type: EventType
  /** The JSON to send. Every attempt and replay sends exactly these bytes. */
  readonly body: string
  /** The time of the fact. */
  readonly createdAt: Timestamp
  /** The deliveries that were created with the event. Later, none are added. */
  readonly deliveryIds: readonly string[]
  readonly deliveries: DeliveryCounts
  /** The last time at which retention had to keep the event. The retention time then begins again. */
  readonly retainedFrom?: Timestamp
}

/** The part of an event that its producer knows. */
export type NewEvent = Omit<Event, 'deliveryIds' | 'deliveries'>

export const eventStates = ['none', 'pending', 'delivered', 'dead'] as const
export type EventState = (typeof eventStates)[number]

/** Spec gap: see docs/operators/details.md. */
export function eventStateOf({ deliveries }: Pick<Event, 'deliveries'>): EventState {
  if (deliveries.dead > 0) return 'dead'
  if (deliveries.pending > 0) return 'pending'
  return deliveries.delivered > 0 ? 'delivered' : 'none'
}

/** Counts webhook deliveries only, because e-mails to investors do not concern the partner. */
export function countDeliveries(deliveries: readonly Delivery[]): DeliveryCounts {
  const counts = { pending: 0, delivered: 0, dead: 0 }
  for (const delivery of deliveries) {
    if (delivery.target.kind === 'webhook') counts[delivery.state] += 1
  }
  return counts
}

/** The counts after a delivery has changed. */
export function updateCounts(
  counts: DeliveryCounts,
  before: Delivery,
  after: Delivery,
): DeliveryCounts {
  const [from, to] = [before.state, after.state]
  if (from === to || after.target.kind !== 'webhook') return counts
  return { ...counts, [from]: counts[from] - 1, [to]: counts[to] + 1 }
}

/** The start of the retention time. */
export function retainedFromOf({ retainedFrom, createdAt }: Event): Timestamp {
  return retainedFrom ?? createdAt
}

/**
 * The time when the last delivery arrived, or the time of creation if there are no deliveries. Returns undefined
 * while a delivery is pending or dead.
 */
export function finishedAtOf(
  { createdAt }: Event,
  deliveries: readonly Delivery[],
): Timestamp | undefined {
  if (deliveries.some(({ state }) => state !== 'delivered')) return undefined
  return deliveries.reduce(
    (latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest),
    createdAt,
  )
}

/**
 * Whether an operator may remove the event: no delivery is pending, and none is dead unless dead
 * ones are included.
 */
export function isRemovable(deliveries: readonly Delivery[], withDead: boolean): boolean {
  return deliveries.every(({ state }) => state === 'delivered' || (withDead && state === 'dead'))
}

/** A draft is submitted when it is created, so drafts have no event. */
export type EventStatus = Exclude<SharePurchaseStatus, 'draft'>

/** spec: Event types. */
export type SharePurchaseEventType = `share_purchase.${EventStatus}`

const sharePurchaseEventTypes: readonly SharePurchaseEventType[] = sharePurchaseStatuses
  .filter((status) => status !== 'draft')
  .map((status) => `share_purchase.${status}` as const)

export function deriveEventId(sharePurchaseId: string, to: SharePurchaseStatus): string {
  return deriveId('event', sharePurchaseId, to)
}

/** The status that an event reports; null if it reports something else about its order. */
export function statusOfEvent({ type }: { readonly type: EventType }): EventStatus | null {
  if (type === announcedType) return null
  return type.slice('share_purchase.'.length) as EventStatus
}

/** An investor gets an e-mail before a direct debit is collected. */
export const announcedType = 'payment.announced'

/** Each direct debit is announced once. */
export function deriveAnnouncementId(endToEndId: string): string {
  return deriveId('event', endToEndId, announcedType)
}

/** The order that an event reports on, as far as the data of the event needs it. */
export type EventSubject = Pick<
  SharePurchase,
  | 'sharePurchaseId'
  | 'organizationId'
  | 'investorId'
  | 'cooperativeId'
  | 'shareCount'
  | 'total'
  | 'currency'
  | 'reason'
  | 'transitions'
>

/** spec: data per type. Fields that a type does not have are absent, not null. */
export function createEventData(status: EventStatus, sharePurchase: EventSubject) {
  return {
    sharePurchaseId: sharePurchase.sharePurchaseId,
    investorId: sharePurchase.investorId,
    cooperativeId: sharePurchase.cooperativeId,
    ...(hasShareCount[status] && { shareCount: sharePurchase.shareCount }),
    status,
    terminal: isTerminal[status],
    ...(status === 'submitted' && {
      total: sharePurchase.total,
      totalCurrency: sharePurchase.currency,
    }),
    ...(status === 'rejected' && sharePurchase.reason !== null && { reason: sharePurchase.reason }),
  }
}

const isTerminal: Readonly<Record<EventStatus, boolean>> = {
  submitted: false,
  approved: false,
  settled: true,
  rejected: true,
  cancelled: true,
}

const hasShareCount: Readonly<Record<EventStatus, boolean>> = {
  submitted: true,
  approved: false,
  settled: true,
  rejected: false,
  cancelled: false,
}

/**
 * The topics of events: the event types of each, and the collection whose ids are its ordering
 * keys. Events with one ordering key reach each receiver in the order of creation.
 * docs/project/new-topic.md says how to add one.
 */
export const topics = {
  share_purchase: { eventTypes: sharePurchaseEventTypes, orderedBy: 'sharePurchases' },
  payment: { eventTypes: [announcedType], orderedBy: 'sharePurchases' },
} as const

export type Topic = keyof typeof topics

export type EventType = (typeof topics)[Topic]['eventTypes'][number]

/** spec: Event types. */
export type WebhookEventType = Exclude<EventType, typeof announcedType>

/** spec: Event types. */
export const webhookEventTypes: readonly WebhookEventType[] = sharePurchaseEventTypes

/** Events about payments are only for investors and operators: partners neither get nor see them. */
export function isForPartners({ topic }: Pick<Event, 'topic'>): boolean {
  return topic !== 'payment'
}

/** The order that an event reports on. */
export function sharePurchaseIdOf({
  topic,
  orderingKey,
}: Pick<Event, 'topic' | 'orderingKey'>): string {
  switch (topic) {
    case 'share_purchase':
    case 'payment':
      return orderingKey
  }
}

export function topicOf(type: EventType): Topic {
  return type.slice(0, type.indexOf('.')) as Topic
}

export const eventTypes: readonly EventType[] = Object.values(topics).flatMap(
  (topic): readonly EventType[] => topic.eventTypes,
)

/** @param eventTypes the types that a webhook endpoint gets; null for all */
export function wantsEvent(
  { eventTypes }: { readonly eventTypes: readonly WebhookEventType[] | null },
  type: EventType,
): boolean {
  return eventTypes === null || eventTypes.some((one) => one === type)
}
