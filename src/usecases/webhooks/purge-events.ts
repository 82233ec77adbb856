import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { Event, EventState } from '../../domain/webhooks/event.ts'
import { isRemovable } from '../../domain/webhooks/retention.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import { batchSize } from '../in-batches.ts'
import { requireOrganization } from '../organizations/require-organization.ts'
import type { Service } from '../service.ts'

export interface PurgedEvents {
  readonly events: number
  readonly deliveries: number
}

export interface EventPurge {
  /** Only events that were created earlier. */
  readonly before: Timestamp
  /** An id or an exact name. */
  readonly organization?: string | undefined
  /** Also what is dead, which nobody can replay afterwards. */
  readonly dead?: boolean | undefined
  /** Only counts what would go. */
  readonly dryRun?: boolean | undefined
}

/** For operators: removes events of which nothing is on its way, with their deliveries. */
export async function purgeEvents(service: Service, purge: EventPurge): Promise<PurgedEvents> {
  const { organization, dead = false } = purge
  const owner = await service.store.read(async (records) =>
    organization === undefined ? undefined : await requireOrganization(records, organization),
  )
  const organizationId = owner?.organizationId
  // A dead mail does not count in the state of its event, so each state is looked through.
  const states: readonly EventState[] = dead ? ['none', 'delivered', 'dead'] : ['none', 'delivered']
  let purged: PurgedEvents = { events: 0, deliveries: 0 }
  for (const state of states) {
    purged = add(purged, await purgeState(service, { ...purge, organizationId, state }))
  }
  return purged
}

interface StatePurge extends EventPurge {
  readonly organizationId: string | undefined
  readonly state: EventState
}

/** A batch at a time, so that others have their turn in between. */
async function purgeState({ store }: Service, purge: StatePurge): Promise<PurgedEvents> {
  const { organizationId, state, before: until, dead = false, dryRun } = purge
  let purged: PurgedEvents = { events: 0, deliveries: 0 }
  let after: string | undefined
  for (;;) {
    const page = { organizationId, state, until, after, limit: batchSize }
    const found = await store.read(({ events }) => events.list(page))
    const isToGo = (deliveries: readonly Delivery[]) => isRemovable(deliveries, dead)
    const batch = dryRun
      ? await store.read((records) => findStories(records, found))
      : await store.write('retention', (records) => removeThose(records, found, isToGo))
    const gone = batch.filter(({ deliveries }) => isToGo(deliveries))
    purged = add(purged, countOf(gone))
    // The next page begins after an event that is still there.
    const ids = new Set(dryRun ? [] : gone.map(({ event }) => event.eventId))
    after = found.findLast(({ eventId }) => !ids.has(eventId))?.eventId ?? after
    if (found.length < batchSize) return purged
    await nextTurn()
  }
}

export interface EventStory {
  readonly event: Event
  readonly deliveries: readonly Delivery[]
}

/** As they are now; those that are gone are left out. */
export async function findStories(
  { events, deliveries }: ReadableRecords,
  found: readonly Event[],
): Promise<readonly EventStory[]> {
  const stories = found.map(async ({ eventId, deliveryIds }) => {
    const [event, ...own] = await Promise.all([
      events.get(eventId),
      ...deliveryIds.map((deliveryId) => deliveries.get(deliveryId)),
    ])
    return event && { event, deliveries: own.filter((delivery) => delivery !== undefined) }
  })
  return (await Promise.all(stories)).filter((story) => story !== undefined)
}

async function removeThose(
  records: Records,
  found: readonly Event[],
  isToGo: (deliveries: readonly Delivery[]) => boolean,
): Promise<readonly EventStory[]> {
  const stories = await findStories(records, found)
  for (const story of stories) if (isToGo(story.deliveries)) await removeStory(records, story)
  return stories
}

export async function removeStory(
  { events, deliveries }: Records,
  { event, deliveries: own }: EventStory,
): Promise<void> {
  for (const { deliveryId } of own) await deliveries.remove(deliveryId)
  await events.remove(event.eventId)
}

export function countOf(stories: readonly EventStory[]): PurgedEvents {
  const deliveries = stories.reduce((sum, story) => sum + story.deliveries.length, 0)
  return { events: stories.length, deliveries }
}

export function add(left: PurgedEvents, right: PurgedEvents): PurgedEvents {
  return {
    events: left.events + right.events,
    deliveries: left.deliveries + right.deliveries,
  }
}
