import type { Timestamp } from '../../domain/timestamp.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import { beganNewRound } from '../../domain/webhooks/delivery-progress.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { changeDelivery } from './change-delivery.ts'
import {
  type ForeseenReplay,
  foreseeReplay,
  type ReplayChoice,
  type ReplayedEvent,
} from './foresee-replay.ts'
import { readDeliveries } from './read-deliveries.ts'
import { requireEvent } from './require-event.ts'

export interface ReplayEvent extends ReplayChoice {
  readonly eventId: string
  /** Only says what would be done. */
  readonly dryRun?: boolean | undefined
}

/** Sends an event again: the same bytes, signed anew, with a whole round of attempts. */
export function replayEvent(
  { store, clock }: Service,
  { dryRun, ...replay }: ReplayEvent,
): Promise<ReplayedEvent> {
  const timed = { ...replay, now: clock.now() }
  if (dryRun) return store.read(async (records) => (await foresee(records, timed)).outcome)
  return store.write(replay.eventId, (records) => replayEventIn(records, timed))
}

type TimedReplay = Omit<ReplayEvent, 'dryRun'> & { readonly now: Timestamp }

/** For callers whose write holds more than this event. What comes later of the same ordering key waits for the new round. */
export async function replayEventIn(records: Records, replay: TimedReplay): Promise<ReplayedEvent> {
  const { replayable, outcome } = await foresee(records, replay)
  for (const before of replayable) {
    await changeDelivery(records, before, beganNewRound(before, replay.now))
  }
  return { ...outcome, event: await requireEvent(records, replay.eventId) }
}

async function foresee(
  records: ReadableRecords,
  { eventId, ...terms }: TimedReplay,
): Promise<ForeseenReplay> {
  const event = await requireEvent(records, eventId)
  const deliveries = await readDeliveries(records, event)
  const receivers = await readReceivers(records, deliveries)
  return foreseeReplay({ event, deliveries }, { ...terms, receivers })
}

/** Ids of those endpoints of deliveries that are still there. */
async function readReceivers(
  { webhookEndpoints }: ReadableRecords,
  deliveries: readonly Delivery[],
): Promise<ReadonlySet<string>> {
  const ids = deliveries.flatMap(({ target }) =>
    target.kind === 'webhook' ? [target.webhookEndpointId] : [],
  )
  const found = await Promise.all(ids.map((id) => webhookEndpoints.get(id)))
  return new Set(found.flatMap((endpoint) => endpoint?.webhookEndpointId ?? []))
}
