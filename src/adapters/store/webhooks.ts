// Where partners want their events, the events, and what has to be delivered of them.
import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import {
  type Delivery,
  type DeliveryKind,
  type DeliveryTarget,
  deliveryKinds,
  isFirstAttempt,
  isUnfinished,
  receiverOf,
  shownStateOf,
  shownStates,
} from '../../domain/webhooks/delivery.ts'
import {
  type DeliveryCounts,
  type Event,
  eventStateOf,
  eventStates,
} from '../../domain/webhooks/event.ts'
import { retainedFromOf } from '../../domain/webhooks/retention.ts'
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import type {
  DeliveryReader,
  EventFilter,
  EventReader,
  WebhookEndpointReader,
} from '../../ports/webhook-records.ts'
import type { Collection, Key, ListIndex, UniqueIndex } from './collection.ts'
import type { Found, Lookup, Matching } from './lookup.ts'
import { countEach, listAfter, listRecords, recordOf } from './read.ts'

export const endpointById: UniqueIndex<WebhookEndpoint> = {
  name: 'id',
  columns: ['webhook_endpoint_id'],
  valuesOf: ({ webhookEndpointId }) => [webhookEndpointId],
  constraint: 'webhook_endpoints_id',
  isDrawn: true,
}

const endpointByUrl: UniqueIndex<WebhookEndpoint> = {
  name: 'url',
  columns: ['organization_id', 'url'],
  valuesOf: ({ organizationId, url }) => [organizationId, url],
  constraint: 'webhook_endpoints_url',
}

const allEndpoints: ListIndex<WebhookEndpoint> = { columns: [], valuesOf: () => [] }

const endpointsByOrganization: ListIndex<WebhookEndpoint> = {
  columns: ['organization_id'],
  valuesOf: ({ organizationId }) => [organizationId],
}

export const webhookEndpoints: Collection<WebhookEndpoint> = {
  name: 'webhookEndpoints',
  isKept: true,
  key: {
    columns: ['organization_id', 'webhook_endpoint_id'],
    valuesOf: ({ organizationId, webhookEndpointId }) => [organizationId, webhookEndpointId],
    text: ([, webhookEndpointId = '']) => webhookEndpointId,
  },
  ownerOf: ({ organizationId }) => organizationId,
  references: { organizationId: 'organizations' },
  unique: [endpointByUrl, endpointById],
  lists: [allEndpoints, endpointsByOrganization],
  row: {
    table: 'webhook_endpoints',
    columns: {
      organizationId: 'plain',
      webhookEndpointId: 'plain',
      url: 'plain',
      sealedSigningSecret: 'plain',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
  },
}

export const eventById: UniqueIndex<Event> = {
  name: 'id',
  columns: ['event_id'],
  valuesOf: ({ eventId }) => [eventId],
  constraint: 'events_id',
  isDrawn: true,
}

/** The log of an organization, which followers read from a cursor on. */
const eventLog: ListIndex<Event> = {
  columns: ['organization_id'],
  valuesOf: ({ organizationId }) => [organizationId],
  isLog: true,
}

const createdAtOf = ({ createdAt }: { readonly createdAt: string }) => createdAt

const rank = { column: 'created_at', of: createdAtOf }

const allEvents: ListIndex<Event> = { columns: [], valuesOf: () => [], rank }

const eventsByOrganization: ListIndex<Event> = {
  columns: ['organization_id'],
  valuesOf: ({ organizationId }) => [organizationId],
  rank,
}

const eventsByState: ListIndex<Event> = {
  columns: ['state'],
  valuesOf: (event) => [eventStateOf(event)],
  rank,
}

const eventsByOrganizationAndState: ListIndex<Event> = {
  columns: ['organization_id', 'state'],
  valuesOf: (event) => [event.organizationId, eventStateOf(event)],
  rank,
}

/** For the removal of old events, which looks at each that stays at most once in a time of retention. */
const byRetention: ListIndex<Event> = {
  columns: [],
  valuesOf: () => [],
  rank: { column: 'retained_from', of: retainedFromOf },
}

type EventRow = Omit<Event, 'deliveries' | 'retainedFrom'> &
  DeliveryCounts & { readonly retainedFrom: Timestamp }

export const events: Collection<Event> = {
  name: 'events',
  key: {
    columns: ['organization_id', 'event_id'],
    valuesOf: ({ organizationId, eventId }) => [organizationId, eventId],
    text: ([, eventId = '']) => eventId,
  },
  ownerOf: ({ organizationId }) => organizationId,
  sharedFields: ['organizationId', 'topic', 'orderingKey', 'type'],
  // All topics of today are orders.
  references: { orderingKey: 'sharePurchases' },
  unique: [eventById],
  lists: [
    eventLog,
    allEvents,
    eventsByOrganization,
    eventsByState,
    eventsByOrganizationAndState,
    byRetention,
  ],
  row: {
    table: 'events',
    columns: {
      organizationId: 'plain',
      eventId: 'plain',
      topic: 'plain',
      orderingKey: 'plain',
      type: 'plain',
      body: 'plain',
      createdAt: 'timestamp',
      deliveryIds: 'texts',
      pending: 'plain',
      delivered: 'plain',
      dead: 'plain',
      retainedFrom: 'timestamp',
    },
    flatten: (event) => ({
      ...event,
      ...event.deliveries,
      retainedFrom: retainedFromOf(event),
    }),
    build: ({ pending, delivered, dead, retainedFrom, ...event }: EventRow) => ({
      ...event,
      deliveries: { pending, delivered, dead },
      // Left out, as a directory leaves it out: a copy has to be the same.
      ...(retainedFrom !== event.createdAt && { retainedFrom }),
    }),
  },
  upgrade: (event: Event | EventOf010) => {
    if (!('sharePurchaseId' in event)) return event
    const { sharePurchaseId: orderingKey, ...rest } = event
    return { ...rest, topic: 'share_purchase', orderingKey }
  },
}

/** As 0.1.0 stored it. */
type EventOf010 = Omit<Event, 'topic' | 'orderingKey'> & { readonly sharePurchaseId: string }

export const deliveryById: UniqueIndex<Delivery> = {
  name: 'id',
  columns: ['delivery_id'],
  valuesOf: ({ deliveryId }) => [deliveryId],
  constraint: 'deliveries_id',
  isDrawn: true,
}

const dueAt = {
  column: 'next_attempt_at',
  of: ({ nextAttemptAt }: Delivery) => nextAttemptAt ?? '',
}

/** What has to reach a receiver one after the other: only the first may go. */
const pendingByKey: ListIndex<Delivery> = {
  columns: ['receiver', 'ordering_key'],
  valuesOf: (delivery) =>
    isUnfinished(delivery) ? [receiverOf(delivery), delivery.orderingKey] : undefined,
  where: "t.state = 'pending'",
}

const firstAttempts: ListIndex<Delivery> = {
  columns: ['receiver'],
  valuesOf: (delivery) =>
    isUnfinished(delivery) && isFirstAttempt(delivery) ? [receiverOf(delivery)] : undefined,
  rank: dueAt,
  firstOf: pendingByKey,
  where: "t.state = 'pending' and t.is_first_attempt",
}

const retries: ListIndex<Delivery> = {
  columns: ['receiver'],
  valuesOf: (delivery) =>
    isUnfinished(delivery) && !isFirstAttempt(delivery) ? [receiverOf(delivery)] : undefined,
  rank: dueAt,
  firstOf: pendingByKey,
  where: "t.state = 'pending' and not t.is_first_attempt",
}

const pendingByReceiver: ListIndex<Delivery> = {
  columns: ['receiver'],
  valuesOf: (delivery) => (isUnfinished(delivery) ? [receiverOf(delivery)] : undefined),
  where: "t.state = 'pending'",
  proof: 'rows',
}

/** Without those that wait for an earlier one. */
const pendingByKind: ListIndex<Delivery> = {
  columns: ['kind'],
  valuesOf: (delivery) => (isUnfinished(delivery) ? [delivery.target.kind] : undefined),
  rank: dueAt,
  firstOf: pendingByKey,
  where: "t.state = 'pending'",
}

const byKindAndState: ListIndex<Delivery> = {
  columns: [
    'kind',
    // Only mails can be written: for webhooks the state is enough.
    "case when t.kind = 'mail' and t.state = 'delivered' and t.attempts->-1->'written' = 'true'::jsonb then 'written' else t.state end",
  ],
  valuesOf: (delivery) => [delivery.target.kind, shownStateOf(delivery)],
}

const isDeadMail = ({ state, target }: Delivery) => state === 'dead' && target.kind === 'mail'

const deadMails: ListIndex<Delivery> = {
  columns: [],
  valuesOf: (delivery) => (isDeadMail(delivery) ? [] : undefined),
  rank,
  where: "t.state = 'dead' and t.kind = 'mail'",
}

const deadMailsByOrganization: ListIndex<Delivery> = {
  columns: ['organization_id'],
  valuesOf: (delivery) => (isDeadMail(delivery) ? [delivery.organizationId] : undefined),
  rank,
  where: "t.state = 'dead' and t.kind = 'mail'",
}

type DeliveryRow = Omit<Delivery, 'target'> & {
  readonly kind: DeliveryKind
  readonly receiver: string
}

export const deliveries: Collection<Delivery> = {
  name: 'deliveries',
  key: {
    columns: ['organization_id', 'delivery_id'],
    valuesOf: ({ organizationId, deliveryId }) => [organizationId, deliveryId],
    text: ([, deliveryId = '']) => deliveryId,
  },
  ownerOf: ({ organizationId }) => organizationId,
  sharedFields: ['organizationId', 'orderingKey'],
  references: { eventId: 'events' },
  unique: [deliveryById],
  lists: [
    pendingByKey,
    firstAttempts,
    retries,
    pendingByReceiver,
    pendingByKind,
    byKindAndState,
    deadMails,
    deadMailsByOrganization,
  ],
  row: {
    table: 'deliveries',
    columns: {
      organizationId: 'plain',
      deliveryId: 'plain',
      eventId: 'plain',
      orderingKey: 'plain',
      kind: 'plain',
      receiver: 'plain',
      state: 'plain',
      attemptsInRound: 'plain',
      nextAttemptAt: 'timestamp',
      deadBecause: 'plain',
      attempts: 'json',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
    flatten: (delivery) => ({
      ...delivery,
      kind: delivery.target.kind,
      receiver: receiverOf(delivery),
    }),
    build: (row: DeliveryRow) => {
      const { kind, receiver, ...delivery } = row
      return { ...delivery, target: targetOf(row) }
    },
  },
  upgrade: (delivery: Delivery | DeliveryOf010) => {
    if (!('sharePurchaseId' in delivery)) return delivery
    const { sharePurchaseId: orderingKey, state, ...rest } = delivery
    if (state !== 'waiting') return { ...rest, orderingKey, state }
    return { ...rest, orderingKey, state: 'pending', nextAttemptAt: delivery.updatedAt }
  },
}

/** As 0.1.0 stored it: what came behind an earlier one of its order was `waiting`, with no next attempt. */
type DeliveryOf010 = Omit<Delivery, 'orderingKey' | 'state'> & {
  readonly sharePurchaseId: string
  readonly state: Delivery['state'] | 'waiting'
}

function targetOf({ kind, receiver }: DeliveryRow): DeliveryTarget {
  return kind === 'mail' ? { kind } : { kind, webhookEndpointId: receiver }
}

export function readWebhookEndpoints(lookup: Lookup): WebhookEndpointReader {
  return {
    get: async (id) => recordOf(await lookup.find(webhookEndpoints, endpointById, [id])),
    list: () => listRecords(lookup, webhookEndpoints, allEndpoints, { values: [] }),
    listByOrganization: (organizationId) =>
      listRecords(lookup, webhookEndpoints, endpointsByOrganization, { values: [organizationId] }),
  }
}

export function readEvents(lookup: Lookup): EventReader {
  const find = (id: string) => lookup.find(events, eventById, [id])
  return {
    get: async (eventId) => recordOf(await find(eventId)),
    list: (filter) => {
      const { after, since, until, limit } = filter
      const [index, values] = listOf(filter)
      const start = after === undefined ? undefined : () => find(after)
      const range = { values, from: since, until, matching: ofType(filter), limit }
      return listAfter(lookup, [events, index], start, range)
    },
    listWithDeadMail: (filter) => listWithDeadMail(lookup, filter),
    listAfter: async ({ organizationId, after, since, limit }) => {
      const values = [organizationId]
      if (after !== undefined) {
        return listAfter<Event>(lookup, [events, eventLog], () => find(after), { values, limit })
      }
      const matching = since && {
        column: 'created_at',
        comparison: '>=' as const,
        value: since,
        of: createdAtOf,
      }
      const [first] = await lookup.list<Event>(events, eventLog, { values, matching, limit: 1 })
      if (!first) return []
      const others = { values, after: first, limit: limit - 1 }
      return [first.record, ...(await listRecords(lookup, events, eventLog, others))]
    },
    listRetained: ({ until, limit }) =>
      listRecords(lookup, events, byRetention, { values: [], until, limit }),
    countByState: (organizationId) =>
      countEach(eventStates, (state) => lookup.count(events, ...listOf({ state, organizationId }))),
  }
}

function listOf({ state, organizationId }: EventFilter): [ListIndex<Event>, Key] {
  if (organizationId === undefined) return state ? [eventsByState, [state]] : [allEvents, []]
  if (!state) return [eventsByOrganization, [organizationId]]
  return [eventsByOrganizationAndState, [organizationId, state]]
}

function ofType({ type }: EventFilter): Matching<Event> | undefined {
  if (type === undefined) return undefined
  return { column: 'type', comparison: '=', value: type, of: (event) => event.type }
}

const mailsAtOnce = 100

async function listWithDeadMail(
  lookup: Lookup,
  filter: Omit<EventFilter, 'state'>,
): Promise<readonly Event[]> {
  const { organizationId, since: from, until, type, limit = Number.POSITIVE_INFINITY } = filter
  const values = organizationId === undefined ? [] : [organizationId]
  const index = organizationId === undefined ? deadMails : deadMailsByOrganization
  let after = filter.after === undefined ? undefined : await mailOf(lookup, filter.after)
  if (filter.after !== undefined && !after) return []
  const found: Event[] = []
  for (;;) {
    const range = { values, after, from, until, limit: mailsAtOnce }
    const mails = await lookup.list(deliveries, index, range)
    const about = await Promise.all(
      mails.map(({ record }) => lookup.get(events, [record.organizationId, record.eventId])),
    )
    for (const event of about) {
      if (found.length < limit && event && (type === undefined || event.record.type === type))
        found.push(event.record)
    }
    after = mails.at(-1)
    if (found.length >= limit || mails.length < mailsAtOnce) return found
  }
}

async function mailOf(lookup: Lookup, eventId: string): Promise<Found<Delivery> | undefined> {
  const event = await lookup.find(events, eventById, [eventId])
  const found = await Promise.all(
    (event?.record.deliveryIds ?? []).map((id) => lookup.find(deliveries, deliveryById, [id])),
  )
  return found.find((delivery) => delivery?.record.target.kind === 'mail')
}

export function readDeliveries(lookup: Lookup): DeliveryReader {
  return {
    get: async (deliveryId) => recordOf(await lookup.find(deliveries, deliveryById, [deliveryId])),
    getMany: async (deliveryIds) => {
      const found = await Promise.all(
        deliveryIds.map((id) => lookup.find(deliveries, deliveryById, [id])),
      )
      return found.flatMap((one) => one?.record ?? [])
    },
    listReceivers: async () =>
      (await lookup.listed(deliveries, pendingByReceiver)).flatMap(([receiver = '']) => receiver),
    listDue: (receiver, { attempts, now, limit }) => {
      const range = { values: [receiver], until: momentAfter(now), limit }
      return listRecords(lookup, deliveries, attempts === 'first' ? firstAttempts : retries, range)
    },
    findNextDueAt: async (now) => {
      const from = momentAfter(now)
      const found = await Promise.all(
        deliveryKinds.map((kind) =>
          listRecords(lookup, deliveries, pendingByKind, { values: [kind], from, limit: 1 }),
        ),
      )
      const times = found.flat().flatMap(({ nextAttemptAt }) => nextAttemptAt ?? [])
      return times.sort()[0]
    },
    findFirstPending: async (receiver, orderingKey) => {
      const range = { values: [receiver, orderingKey], limit: 1 }
      const [first] = await listRecords(lookup, deliveries, pendingByKey, range)
      return first
    },
    listPending: (receiver, limit) =>
      listRecords(lookup, deliveries, pendingByReceiver, { values: [receiver], limit }),
    countByState: (kind) => countByState(lookup, kind),
    findOldestPending: async (kind) => {
      const [oldest] = await listRecords(lookup, deliveries, pendingByKind, {
        values: [kind],
        limit: 1,
      })
      return oldest
    },
  }
}

/** How many are pending behind others nobody stores: it is the rest. */
async function countByState(lookup: Lookup, kind: DeliveryKind) {
  const [counts, first] = await Promise.all([
    countEach(shownStates, (state) => lookup.count(deliveries, byKindAndState, [kind, state])),
    lookup.count(deliveries, pendingByKind, [kind]),
  ])
  return { ...counts, pending: first, waiting: counts.pending - first }
}

/** The first one that is later: no instant is more exact than a millisecond. */
function momentAfter(instant: Timestamp): Timestamp {
  return addSeconds(instant, 0.001)
}
