import { Problem } from '../../domain/problem.ts'
import type { Event } from '../../domain/webhooks/event.ts'
import type { ReadableRecords } from '../../ports/store.ts'

export async function requireEvent(
  { events }: Pick<ReadableRecords, 'events'>,
  eventId: string,
): Promise<Event> {
  const event = await events.get(eventId.toLowerCase())
  if (event) return event
  throw new Problem(
    'EVENT_NOT_FOUND',
    `There is no event "${eventId}"; it may have been purged. \`coopshare event list\` shows which there are.`,
  )
}
