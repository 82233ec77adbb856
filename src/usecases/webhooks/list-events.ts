import type { Event } from '../../domain/webhooks/event.ts'
import type { Service } from '../service.ts'
import { countAttempts } from './count-attempts.ts'
import { readEventDeliveries } from './read-event-deliveries.ts'
import { type EventSelection, selectEvents } from './select-events.ts'

export interface ListedEvent {
  readonly event: Event
  /** To webhooks, in all rounds. */
  readonly attempts: number
}

/** Oldest first, in batches. */
export async function* listEvents(
  { store }: Service,
  selection: EventSelection,
): AsyncGenerator<readonly ListedEvent[]> {
  for await (const events of selectEvents({ store }, selection)) {
    const found = await store.read((records) => readEventDeliveries(records, events))
    yield found.map(({ event, deliveries }) => ({ event, attempts: countAttempts(deliveries) }))
  }
}
