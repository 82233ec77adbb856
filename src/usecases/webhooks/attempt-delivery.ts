import {
  type DeathCause,
  type Delivery,
  type DeliveryAttempt,
  isUnfinished,
} from '../../domain/webhooks/delivery.ts'
import { afterAttempt, died } from '../../domain/webhooks/delivery-progress.ts'
import type { Service } from '../service.ts'
import { changeDelivery } from './change-delivery.ts'
import { prepareSending, type Send } from './prepare-sending.ts'

/**
 * Sends what is claimed once, and records what came of it and what is next in one write. Returns undefined when there
 * was nothing to send any more. What it throws is a fault of ours: then nothing is recorded, and no attempt is used up.
 */
export async function attemptDelivery(
  service: Service,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<DeliveryAttempt | undefined> {
  const { store } = service
  const prepared = await store.read((records) => prepareSending(records, service, delivery))
  if (typeof prepared === 'string') {
    await endDelivery(service, delivery, prepared)
    return undefined
  }
  return sendAndRecord(service, { delivery, send: prepared, signal })
}

interface Prepared {
  readonly delivery: Delivery
  readonly send: Send
  readonly signal: AbortSignal
}

async function sendAndRecord(
  service: Service,
  { delivery, send, signal }: Prepared,
): Promise<DeliveryAttempt> {
  const { clock, random, settings } = service
  const attemptId = random.id()
  const at = clock.now()
  const { isFinal = false, ...outcome } = await send({ attemptId, signal })
  const attempt = { attemptId, at, ...outcome }
  const baseSeconds = settings.webhookBackoffSeconds
  const step = { attempt, isFinal, now: clock.now(), baseSeconds, fraction: random.fraction() }
  await changeStored(service, delivery, (current) => afterAttempt(current, step))
  return attempt
}

function endDelivery(service: Service, delivery: Delivery, cause: DeathCause): Promise<void> {
  const now = service.clock.now()
  return changeStored(service, delivery, (current) =>
    isUnfinished(current) ? died(current, cause, now) : current,
  )
}

/** As it stands in the store by then: an operator may have ended it while it was on its way. */
function changeStored(
  { store, clock }: Service,
  { deliveryId }: Delivery,
  change: (current: Delivery) => Delivery,
): Promise<void> {
  const now = clock.now()
  return store.write(async (records) => {
    const before = await records.deliveries.get(deliveryId)
    if (before) await changeDelivery(records, { before, after: change(before), now })
  })
}
