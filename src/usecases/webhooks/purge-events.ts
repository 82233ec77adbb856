import type { Timestamp } from '../../domain/timestamp.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { type Event, type EventState, isRemovable } from '../../domain/webhooks/event.ts'
import { nextTurn } from '../../machine/time.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import { subjects } from '../../ports/subjects.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { batchSize } from '../read-in-batches.ts'
import type { Service } from '../service.ts'
import { type EventWithDeliveries, readDeliveries } from './read-events.ts'

export interface PurgedEvents {
  readonly events: number
  readonly deliveries: number
}

export interface EventPurge {
  /** Exclusive upper bound of the time of creation. */
  readonly before: Timestamp
  /** An id or an exact name. */
  readonly organization?: string | undefined
  /** Also removes dead events, which can then no longer be replayed. */
  readonly dead?: boolean | undefined
  /** Only counts what would be removed. */
  readonly dryRun?: boolean | undefined
}

/** Removes events without pending deliveries, and their deliveries, for an operator. */
export async function purgeEvents(service: Service, purge: EventPurge): Promise<PurgedEvents> {
  const { organization, dead = false } = purge
  const owner = await service.store.read(async (records) =>
    organization === undefined ? undefined : await requireOrganization(records, organization),
  )
  const organizationId = owner?.organizationId
  // The state of an event does not reflect dead e-mails, so each state is searched.
  const states: readonly EventState[] = dead ? ['none', 'delivered', 'dead'] : ['none', 'delivered']
  let purged: PurgedEvents = { events: 0, deliveries: 0 }
  for (const state of states) {
    purged = addCounts(purged, await purgeState(service, { ...purge, organizationId, state }))
  }
  return purged
}

interface StatePurge extends EventPurge {
  readonly organizationId: string | undefined
  readonly state: EventState
}

/** Works in batches, so that other work can run between them. */
async function purgeState({ store }: Service, purge: StatePurge): Promise<PurgedEvents> {
  const { organizationId, state, before: until, dead = false, dryRun } = purge
  let purged: PurgedEvents = { events: 0, deliveries: 0 }
  let after: string | undefined
  for (;;) {
    const page = { organizationId, state, until, after, limit: batchSize }
    const found = await store.read(({ events }) => events.list(page))
    const isToGo = (deliveries: readonly Delivery[]) => isRemovable(deliveries, dead)
    const batch = dryRun
      ? await store.read((records) => rereadEvents(records, found))
      : await store.write(subjects.all('events'), (records) =>
          removeMatching(records, found, isToGo),
        )
    const gone = batch.filter(({ deliveries }) => isToGo(deliveries))
    purged = addCounts(purged, countPurged(gone))
    // The cursor must be an event that still exists.
    const ids = new Set(dryRun ? [] : gone.map(({ event }) => event.eventId))
    after = found.findLast(({ eventId }) => !ids.has(eventId))?.eventId ?? after
    if (found.length < batchSize) return purged
    await nextTurn()
  }
}

/** Reads the current events with their deliveries; missing ones are left out. */
export async function rereadEvents(
  records: ReadableRecords,
  found: readonly Event[],
): Promise<readonly EventWithDeliveries[]> {
  const stories = found.map(async (before) => {
    const [event, deliveries] = await Promise.all([
      records.events.get(before.eventId),
      readDeliveries(records, before),
    ])
    return event && { event, deliveries }
  })
  return (await Promise.all(stories)).filter((story) => story !== undefined)
}

async function removeMatching(
  records: Records,
  found: readonly Event[],
  isToGo: (deliveries: readonly Delivery[]) => boolean,
): Promise<readonly EventWithDeliveries[]> {
  const stories = await rereadEvents(records, found)
  for (const story of stories) if (isToGo(story.deliveries)) await removeEvent(records, story)
  return stories
}

export async function removeEvent(
  { events, deliveries }: Records,
  { event, deliveries: own }: EventWithDeliveries,
): Promise<void> {
  for (const { deliveryId } of own) await deliveries.remove(deliveryId)
  await events.remove(event.eventId)
}

export function countPurged(stories: readonly EventWithDeliveries[]): PurgedEvents {
  const deliveries = stories.reduce((sum, story) => sum + story.deliveries.length, 0)
  return { events: stories.length, deliveries }
}

export function addCounts(left: PurgedEvents, right: PurgedEvents): PurgedEvents {
  return {
    events: left.events + right.events,
    deliveries: left.deliveries + right.deliveries,
  }
}
