import type { Event } from '../../domain/webhooks/event.ts'
import type { Service } from '../service.ts'
import { countAttempts } from './count-attempts.ts'
import { type EventSelection, selectEvents } from './select-events.ts'

export interface ListedEvent {
  readonly event: Event
  /** To webhooks, in all rounds. */
  readonly attempts: number
}

/** Oldest first. */
export function listEvents(
  { store }: Service,
  selection: EventSelection,
): Promise<readonly ListedEvent[]> {
  return store.read(async (records) => {
    const events = await selectEvents(records, selection)
    return Promise.all(
      events.map(async (event) => ({ event, attempts: await countAttempts(records, event) })),
    )
  })
}
