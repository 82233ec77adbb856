// Events, which report changes to partners and investors.
import type { Timestamp } from '../../domain/timestamp.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import {
  type DeliveryCounts,
  type Event,
  eventStateOf,
  eventStates,
  eventTypes,
  isForPartners,
  retainedFromOf,
  topics,
} from '../../domain/webhooks/event.ts'
import type { EventFilter, EventReader } from '../../ports/webhook-records.ts'
import {
  byIdPrefix,
  type Collection,
  drawnId,
  type Key,
  type ListIndex,
  listBy,
  rankedBy,
  scopedKey,
} from './collection.ts'
import { deadMails, deadMailsByOrganization, deliveries, deliveryById } from './deliveries.ts'
import type { Found, Lookup } from './lookup.ts'
import { CollectionReader, countEach } from './read-records.ts'

export const eventById = drawnId<Event>('eventId')

/** The log of an organization, which followers read from a cursor. They may see events for partners only. */
const eventLog: ListIndex<Event> = {
  ...listBy<Event>('organizationId'),
  valuesOf: (event) => (isForPartners(event) ? [event.organizationId] : undefined),
  where: "t.topic <> 'payment'",
  isLog: true,
}

const idPrefixes = byIdPrefix<Event>('eventId')

const rank = { column: 'created_at', of: ({ createdAt }: Event) => createdAt }

const allEvents = rankedBy(rank)

const stateOf = (event: Event): Key => [eventStateOf(event)]
const ownStateOf = (event: Event): Key => [event.organizationId, eventStateOf(event)]

/** These lists are only counted. PostgreSQL has indexes with the type, which begin with the same columns. */
const eventsByState = { columns: ['state'], valuesOf: stateOf }
const ownEventsByState = { columns: ['organization_id', 'state'], valuesOf: ownStateOf }

// Lists of any state or type are merged.
const eventsByStateAndType: ListIndex<Event> = {
  columns: ['state', 'type'],
  valuesOf: (event) => [...stateOf(event), event.type],
  rank,
}

const eventsByOrganizationStateAndType: ListIndex<Event> = {
  columns: ['organization_id', 'state', 'type'],
  valuesOf: (event) => [...ownStateOf(event), event.type],
  rank,
}

/** The removal of old events uses this list, and so reads each remaining event at most once in a retention period. */
const byRetention: ListIndex<Event> = {
  ...listBy<Event>(),
  rank: { column: 'retained_from', of: retainedFromOf },
}

type OwnFields = Omit<Event, 'deliveries' | 'retainedFrom'>
type Apart = DeliveryCounts & { readonly retainedFrom: Timestamp }

export const events: Collection<Event> = {
  name: 'events',
  key: scopedKey('organizationId', 'eventId'),
  ownerOf: ({ organizationId }) => organizationId,
  sharedFields: ['organizationId', 'topic', 'orderingKey', 'type'],
  references: { orderingKey: { of: ({ topic }) => topics[topic].orderedBy } },
  unique: [eventById],
  lists: [
    eventLog,
    allEvents,
    eventsByState,
    ownEventsByState,
    eventsByStateAndType,
    eventsByOrganizationStateAndType,
    byRetention,
    idPrefixes,
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
    },
    apart: { pending: 'plain', delivered: 'plain', dead: 'plain', retainedFrom: 'timestamp' },
    flatten: (event) => ({
      retainedFrom: retainedFromOf(event),
      ...event,
      ...event.deliveries,
    }),
    build: (fields: OwnFields, { pending, delivered, dead, retainedFrom }: Apart) => ({
      deliveries: { pending, delivered, dead },
      // Absent if it equals the time of creation. The file engine leaves it out, too, so that a copy is identical.
      ...(retainedFrom !== fields.createdAt && { retainedFrom }),
      ...fields,
    }),
  },
}

export function eventReader(lookup: Lookup): EventReader {
  const reader = new CollectionReader(lookup, events)
  const findById = (id: string) => lookup.find(events, eventById, [id])
  return {
    get: (eventId) => reader.find(eventById, eventId),
    listByIdPrefix: (prefix, limit) => reader.listByPrefix(idPrefixes, prefix, limit),
    list: (filter) => {
      const { after, since: from, until, isNewestFirst: isReversed, limit } = filter
      const [index, lists] = listsOf(filter)
      return reader.listAfter(index, findById, { lists, after, from, until, isReversed, limit })
    },
    listWithDeadMail: (filter) => listWithDeadMail(lookup, filter),
    listAfter: async ({ organizationId, after, since, limit }) => {
      const values = [organizationId]
      if (after !== undefined)
        return reader.listAfter(eventLog, findById, { lists: [values], after, limit })
      const created = since && ({ field: 'createdAt', comparison: '>=', value: since } as const)
      const matching = created ? [created] : []
      const [first] = await lookup.list(events, eventLog, { values, matching, limit: 1 })
      if (!first) return []
      const others = { values, after: first, limit: limit - 1 }
      return [first.record, ...(await reader.list(eventLog, others))]
    },
    listRetained: (range) => reader.list(byRetention, { values: [], ...range }),
    countByState: ({ organizationId, limit } = {}) => {
      const owner = organizationId === undefined ? [] : [organizationId]
      const index = owner.length > 0 ? ownEventsByState : eventsByState
      return countEach(eventStates, (state) =>
        reader.count(index, { values: [...owner, state], limit }),
      )
    },
  }
}

/** The lists of one index that together contain what the filter selects. */
function listsOf(filter: EventFilter): [ListIndex<Event>, readonly Key[]] {
  const { state, type, topic, organizationId } = filter
  const owner = organizationId === undefined ? [] : [organizationId]
  if (!state && !type && !topic && owner.length === 0) return [allEvents, [[]]]
  const states = state ? [state] : eventStates
  const types = type ? [type] : topic ? topics[topic].eventTypes : eventTypes
  const lists = states.flatMap((one) => types.map((other) => [...owner, one, other]))
  return [owner.length > 0 ? eventsByOrganizationStateAndType : eventsByStateAndType, lists]
}

const mailsAtOnce = 100

async function listWithDeadMail(
  lookup: Lookup,
  filter: Omit<EventFilter, 'state' | 'topic'>,
): Promise<readonly Event[]> {
  const { organizationId, since: from, until, type, limit = Number.POSITIVE_INFINITY } = filter
  const isReversed = filter.isNewestFirst
  const values = organizationId === undefined ? [] : [organizationId]
  const index = organizationId === undefined ? deadMails : deadMailsByOrganization
  let after = filter.after === undefined ? undefined : await mailOf(lookup, filter.after)
  if (filter.after !== undefined && !after) return []
  const found: Event[] = []
  for (;;) {
    const range = { values, after, from, until, isReversed, limit: mailsAtOnce }
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
