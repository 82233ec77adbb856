import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { Event } from '../../domain/webhooks/event.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { readDeliveries } from './read-deliveries.ts'
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
    return Promise.all(events.map((event) => countAttempts(records, event)))
  })
}

async function countAttempts(records: ReadableRecords, event: Event): Promise<ListedEvent> {
  const deliveries = await readDeliveries(records, event)
  return { event, attempts: deliveries.reduce((sum, delivery) => sum + attemptsOf(delivery), 0) }
}

function attemptsOf({ target, attempts }: Delivery): number {
  return target.kind === 'webhook' ? attempts.length : 0
}
