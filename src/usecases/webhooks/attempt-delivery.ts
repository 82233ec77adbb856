import {
  type DeadReason,
  type Delivery,
  type DeliveryAttempt,
  isPending,
} from '../../domain/webhooks/delivery.ts'
import { markDead } from '../../domain/webhooks/delivery-progress.ts'
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

/** Ends a delivery that has nothing to send any more. An operator may have ended or replayed it meanwhile. */
export function abandonDelivery(
  { store, clock }: Service,
  { deliveryId, orderingKey, attempts }: Delivery,
  cause: DeadReason,
): Promise<Delivery | undefined> {
  const now = clock.now()
  return store.write(orderingKey, async (records) => {
    const before = await records.deliveries.get(deliveryId)
    if (before?.attempts.length !== attempts.length) return undefined
    if (!isPending(before)) return before
    const after = markDead(before, cause, now)
    await changeDelivery(records, before, after)
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
  if (after.target.kind !== 'webhook' || before.state === after.state) return
  const event = await events.get(after.eventId)
  if (!event) throw new Error('A delivery is stored without its event.')
  await events.put({ ...event, deliveries: updateCounts(event.deliveries, before, after) })
}
