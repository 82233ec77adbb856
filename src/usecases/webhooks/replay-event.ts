import type { Timestamp } from '../../domain/timestamp.ts'
import { recount } from '../../domain/webhooks/count-deliveries.ts'
import { type Delivery, isUnfinished, laneOf } from '../../domain/webhooks/delivery.ts'
import { becameWaiting, beganNewRound } from '../../domain/webhooks/delivery-progress.ts'
import { type Event, type EventState, eventStateOf } from '../../domain/webhooks/event.ts'
import { type LeftAloneCause, leftAloneCauseOf } from '../../domain/webhooks/left-alone.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { requireAnySharePurchase } from '../share-purchases/require-any-share-purchase.ts'
import { changeDelivery } from './change-delivery.ts'
import { countAttempts } from './count-attempts.ts'
import { readDeliveries } from './read-deliveries.ts'
import { readLaneDeliveries } from './read-lane-deliveries.ts'
import { requireEvent } from './require-event.ts'

export interface ReplayOptions {
  /** Leaves alone what was delivered. */
  readonly onlyDead?: boolean | undefined
  /** The investor's mail when it is dead, and nothing else. */
  readonly deadMail?: boolean | undefined
  /** Only says what would be done. */
  readonly dryRun?: boolean | undefined
}

export interface ReplayEvent extends ReplayOptions {
  readonly eventId: string
}

export interface ReplayedEvent {
  /** As it is afterwards. */
  readonly event: Event
  /** Also of a dry run: what would be. */
  readonly stateAfter: EventState
  /** To webhooks, in the rounds before. */
  readonly attempts: number
  /** How many deliveries have begun a new round. */
  readonly replayed: number
  /** null when something is replayed. */
  readonly leftAlone: LeftAloneCause | null
}

/** Sends an event again: the same bytes, signed anew, with a whole round of attempts. */
export function replayEvent(
  { store, clock }: Service,
  { eventId, ...options }: ReplayEvent,
): Promise<ReplayedEvent> {
  const now = clock.now()
  return store.write((records) => replayEventIn(records, { eventId, now, ...options }))
}

/** For callers whose write holds more than this event. */
export async function replayEventIn(
  records: Records,
  { eventId, now, dryRun, ...which }: ReplayEvent & { readonly now: Timestamp },
): Promise<ReplayedEvent> {
  const event = await requireEvent(records, eventId)
  const deliveries = await readDeliveries(records, event)
  const wanted = deliveries.filter((delivery) => isWanted(delivery, which))
  const replayable = await withReceivers(records, wanted)
  if (!dryRun) for (const delivery of replayable) await beginRound(records, delivery, now)
  return {
    event: await requireEvent(records, eventId),
    stateAfter: stateAfterReplay(event, replayable, now),
    attempts: await countAttempts(records, event),
    replayed: replayable.length,
    leftAlone: replayable.length > 0 ? null : leftAloneCauseOf(deliveries, wanted, which.deadMail),
  }
}

async function withReceivers(
  records: ReadableRecords,
  wanted: readonly Delivery[],
): Promise<readonly Delivery[]> {
  const has = await Promise.all(wanted.map((delivery) => hasReceiver(records, delivery)))
  return wanted.filter((_, place) => has[place])
}

function stateAfterReplay(event: Event, replayed: readonly Delivery[], now: Timestamp): EventState {
  const deliveries = replayed.reduce(
    (counts, before) => recount(counts, before, beganNewRound(before, now, false)),
    event.deliveries,
  )
  return eventStateOf({ deliveries })
}

/** An investor who has had a mail does not get it again because a partner has lost an event. */
function isWanted({ state, target }: Delivery, { onlyDead, deadMail }: ReplayOptions): boolean {
  if (deadMail) return state === 'dead' && target.kind === 'mail'
  return state === 'dead' || (state === 'delivered' && target.kind === 'webhook' && !onlyDead)
}

async function hasReceiver(
  { webhookEndpoints }: ReadableRecords,
  { target }: Delivery,
): Promise<boolean> {
  if (target.kind === 'mail') return true
  return (await webhookEndpoints.get(target.webhookEndpointId)) !== undefined
}

async function beginRound(records: Records, before: Delivery, now: Timestamp): Promise<void> {
  const order = await requireAnySharePurchase(records, before.sharePurchaseId)
  const lane = await readLaneDeliveries(records, order, laneOf(before.target))
  const place = lane.findIndex(({ deliveryId }) => deliveryId === before.deliveryId)
  const isBlocked = lane.slice(0, place).some(isUnfinished)
  await changeDelivery(records, { before, after: beganNewRound(before, now, isBlocked), now })
  for (const later of lane.slice(place + 1).filter(({ state }) => state === 'pending')) {
    await changeDelivery(records, { before: later, after: becameWaiting(later, now), now })
  }
}
