import {
  type DeadReason,
  type Delivery,
  type DeliveryAttempt,
  isPending,
} from '../../domain/webhooks/delivery.ts'
import { applyAttempt, markDead } from '../../domain/webhooks/delivery-progress.ts'
import { updateCounts } from '../../domain/webhooks/event.ts'
import type { Records } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import type { Send } from './prepare-delivery.ts'

export interface Attempted {
  readonly attempt: DeliveryAttempt
  /** Whether another attempt would be pointless. */
  readonly isFinal: boolean
}

/** Sends once. Errors are faults of ours and use up no attempt. */
export async function attemptDelivery(
  { clock, random }: Service,
  send: Send,
  signal: AbortSignal,
): Promise<Attempted> {
  const attemptId = random.traceId()
  const at = clock.now()
  const { isFinal = false, ...outcome } = await send({ attemptId, signal })
  return { attempt: { attemptId, at, ...outcome }, isFinal }
}

/**
 * Records the attempt and schedules the next one in one write. Returns undefined if another
 * instance has recorded an attempt meanwhile.
 */
export function recordAttempt(
  service: Service,
  sent: Delivery,
  { attempt, isFinal }: Attempted,
): Promise<Delivery | undefined> {
  const { clock, random, settings } = service
  const baseSeconds = settings.webhookBackoffSeconds
  const step = { attempt, isFinal, now: clock.now(), baseSeconds, fraction: random.fraction() }
  return changeStored(service, sent, (current) => applyAttempt(current, step))
}

/** Ends a delivery that has nothing to send any more. */
export function abandonDelivery(
  service: Service,
  delivery: Delivery,
  cause: DeadReason,
): Promise<Delivery | undefined> {
  const now = service.clock.now()
  return changeStored(service, delivery, (current) =>
    isPending(current) ? markDead(current, cause, now) : current,
  )
}

/** Changes the stored delivery, which an operator may have ended or replayed meanwhile. */
function changeStored(
  { store }: Service,
  { deliveryId, eventId, orderingKey, attempts, target }: Delivery,
  change: (current: Delivery) => Delivery,
): Promise<Delivery | undefined> {
  return store.write(orderingKey, async (records) => {
    // In one turn, so that a database answers in one round trip.
    const [before] = await Promise.all([
      records.deliveries.get(deliveryId),
      target.kind === 'webhook' ? records.events.get(eventId) : undefined,
    ])
    if (before?.attempts.length !== attempts.length) return undefined
    const after = change(before)
    if (after !== before) await changeDelivery(records, before, after)
    return after
  })
}

/** Stores a changed delivery and updates the counts of its event. */
export async function changeDelivery(
  { deliveries, events }: Records,
  before: Delivery,
  after: Delivery,
): Promise<void> {
  await deliveries.put(after)
  // Events count webhook deliveries only.
  if (after.target.kind === 'mail' || before.state === after.state) return
  const event = await events.get(after.eventId)
  if (!event) throw new Error('A delivery is stored without its event.')
  await events.put({ ...event, deliveries: updateCounts(event.deliveries, before, after) })
}
