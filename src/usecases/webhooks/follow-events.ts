import { Problem } from '../../domain/problem.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { Event } from '../../domain/webhooks/event.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { requireOrganization } from '../organizations/require-organization.ts'
import type { Service } from '../service.ts'

export interface FollowEvents {
  /** An id or an exact name. */
  readonly organization: string
  /** Id of the last event that was seen. */
  readonly after?: string | undefined
  /** Where to begin when none was. */
  readonly since?: Timestamp | undefined
  readonly limit: number
}

/** For whoever follows along: the events after the last one they saw, in the order of creation. */
export function followEvents(
  { store }: Service,
  { organization, after: lastSeen, since, limit }: FollowEvents,
): Promise<readonly Event[]> {
  const after = lastSeen?.toLowerCase()
  return store.read(async (records) => {
    const { organizationId } = await requireOrganization(records, organization)
    await requireOwn(records, organizationId, after)
    return records.events.listAfter({ organizationId, after, since, limit })
  })
}

async function requireOwn(
  { events }: ReadableRecords,
  organizationId: string,
  eventId: string | undefined,
): Promise<void> {
  if (eventId === undefined) return
  const event = await events.get(eventId)
  if (event?.organizationId === organizationId) return
  throw new Problem(
    'EVENT_NOT_FOUND',
    `The organisation has no event "${eventId}" to go on after; it may have been purged.`,
  )
}
