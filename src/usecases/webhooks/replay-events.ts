import type { Event } from '../../domain/webhooks/event.ts'
import type { Service } from '../service.ts'
import { type ReplayedEvent, type ReplayOptions, replayEventIn } from './replay-event.ts'
import { type EventSelection, selectEvents } from './select-events.ts'

/** So many in one write: others have their turn in between. */
const batchSize = 100

/** All that are selected, oldest first: of one order, the earlier event goes first. */
export async function replayEvents(
  service: Service,
  { limit = Number.POSITIVE_INFINITY, ...selection }: EventSelection,
  options: ReplayOptions,
): Promise<readonly ReplayedEvent[]> {
  const events = await service.store.read((records) => selectEvents(records, selection))
  const replayed: ReplayedEvent[] = []
  // Those that cannot be sent again, as their endpoint is gone, do not count: else whoever replays in portions gets stuck.
  const left = () => limit - replayed.filter((each) => each.replayed > 0).length
  for (let from = 0; from < events.length && left() > 0; ) {
    const batch = events.slice(from, from + Math.min(batchSize, left()))
    replayed.push(...(await replayBatch(service, batch, options)))
    from += batch.length
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
