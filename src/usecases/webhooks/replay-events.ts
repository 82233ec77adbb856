import type { Event } from '../../domain/webhooks/event.ts'
import { hasNoReceiver } from '../../domain/webhooks/left-alone.ts'
import type { Service } from '../service.ts'
import type { ReplayedEvent } from './foresee-replay.ts'
import { foreseeReplays } from './foresee-replays.ts'
import { type ReplayEvent, replayEventIn } from './replay-event.ts'
import { type EventSelection, selectEvents } from './select-events.ts'

type ReplayOptions = Omit<ReplayEvent, 'eventId'>

/** All that are selected, oldest first: of one order, the earlier event goes first. */
export async function replayEvents(
  service: Service,
  { limit = Number.POSITIVE_INFINITY, ...selection }: EventSelection,
  options: ReplayOptions,
): Promise<readonly ReplayedEvent[]> {
  const replayed: ReplayedEvent[] = []
  let left = limit
  for await (const events of selectEvents(service, selection)) {
    const batch = await replayBatch(service, events, { ...options, limit: left })
    replayed.push(...batch)
    left -= batch.filter(usesUpLimit).length
    if (left <= 0) break
  }
  return replayed
}

/** Those that can never be sent again do not: else whoever replays in portions gets stuck. */
function usesUpLimit({ leftAlone }: ReplayedEvent): boolean {
  return leftAlone === null || !hasNoReceiver(leftAlone)
}

async function replayBatch(
  { store, clock }: Service,
  events: readonly Event[],
  { limit, dryRun, ...which }: ReplayOptions & { readonly limit: number },
): Promise<readonly ReplayedEvent[]> {
  const now = clock.now()
  const foreseen = await store.read((records) => foreseeReplays(records, events, { now, ...which }))
  const wanted = upTo(limit, foreseen)
  if (dryRun) return wanted
  return store.write('replay', async (records) => {
    const replayed: ReplayedEvent[] = []
    for (const one of wanted) {
      const { eventId } = one.event
      const isReplayed = one.leftAlone === null
      replayed.push(isReplayed ? await replayEventIn(records, { eventId, now, ...which }) : one)
    }
    return replayed
  })
}

function upTo(limit: number, foreseen: readonly ReplayedEvent[]): readonly ReplayedEvent[] {
  const last = foreseen.filter(usesUpLimit)[limit - 1]
  return last ? foreseen.slice(0, foreseen.indexOf(last) + 1) : foreseen
}
