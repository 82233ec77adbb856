import {
  type DeathCause,
  type Delivery,
  type DeliveryAttempt,
  isUnfinished,
} from '../../domain/webhooks/delivery.ts'
import { afterAttempt, died } from '../../domain/webhooks/delivery-progress.ts'
import type { Service } from '../service.ts'
import { changeDelivery } from './change-delivery.ts'
import type { Send } from './prepare-sending.ts'

export interface Attempted {
  readonly attempt: DeliveryAttempt
  /** Another attempt would change nothing. */
  readonly isFinal: boolean
}

/** Sends once. What it throws is a fault of ours, and no attempt is used up. */
export async function attemptDelivery(
  { clock, random }: Service,
  send: Send,
  signal: AbortSignal,
): Promise<Attempted> {
  const attemptId = random.id()
  const at = clock.now()
  const { isFinal = false, ...outcome } = await send({ attemptId, signal })
  return { attempt: { attemptId, at, ...outcome }, isFinal }
}

/** What came of it and what is next, in one write; undefined when another instance has recorded an attempt since. */
export function recordAttempt(
  service: Service,
  sent: Delivery,
  { attempt, isFinal }: Attempted,
): Promise<Delivery | undefined> {
  const { clock, random, settings } = service
  const baseSeconds = settings.webhookBackoffSeconds
  const step = { attempt, isFinal, now: clock.now(), baseSeconds, fraction: random.fraction() }
  return changeStored(service, sent, (current) => afterAttempt(current, step))
}

/** There is nothing to send any more. */
export function endDelivery(
  service: Service,
  delivery: Delivery,
  cause: DeathCause,
): Promise<Delivery | undefined> {
  const now = service.clock.now()
  return changeStored(service, delivery, (current) =>
    isUnfinished(current) ? died(current, cause, now) : current,
  )
}

/** As it stands by then: an operator may have ended it while it was on its way, or begun another round. */
function changeStored(
  { store }: Service,
  { deliveryId, orderingKey, attempts }: Delivery,
  change: (current: Delivery) => Delivery,
): Promise<Delivery | undefined> {
  return store.write(orderingKey, async (records) => {
    const before = await records.deliveries.get(deliveryId)
    if (before?.attempts.length !== attempts.length) return undefined
    const after = change(before)
    if (after !== before) await changeDelivery(records, before, after)
    return after
  })
}
