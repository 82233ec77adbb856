import type { Event } from '../../domain/webhooks/event.ts'
import type { Service } from '../service.ts'
import { type ReplayedEvent, type ReplayOptions, replayEventIn } from './replay-event.ts'
import { type EventSelection, selectEvents } from './select-events.ts'

/** So many in one write: others have their turn in between. */
const batchSize = 100

/** All that are selected, oldest first: of one order, the earlier event goes first. */
export async function replayEvents(
  service: Service,
  selection: EventSelection,
  options: ReplayOptions,
): Promise<readonly ReplayedEvent[]> {
  const events = await service.store.read((records) => selectEvents(records, selection))
  const replayed: ReplayedEvent[] = []
  for (let from = 0; from < events.length; from += batchSize) {
    replayed.push(...(await replayBatch(service, events.slice(from, from + batchSize), options)))
  }
  return replayed
}

function replayBatch(
  { store, clock }: Service,
  events: readonly Event[],
  options: ReplayOptions,
): Promise<readonly ReplayedEvent[]> {
  const now = clock.now()
  return store.write(async (records) => {
    const replayed: ReplayedEvent[] = []
    for (const { eventId } of events) {
      replayed.push(await replayEventIn(records, { eventId, now, ...options }))
    }
    return replayed
  })
}
