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

export interface AttemptedDelivery {
  /** undefined when there was nothing to send any more. */
  readonly attempt: DeliveryAttempt | undefined
  /** As it is afterwards. */
  readonly delivery: Delivery
}

export interface ClaimedDelivery {
  readonly delivery: Delivery
  /** Ends the attempt. */
  readonly signal: AbortSignal
  /** Whether enough of the claim is left for an attempt: once it is over, others may have it. */
  readonly isInTime: () => boolean
}

/**
 * Sends what is claimed once, and records what came of it and what is next in one write. What it throws is a fault of
 * ours: then nothing is recorded, and no attempt is used up.
 */
export async function attemptDelivery(
  service: Service,
  claimed: ClaimedDelivery,
): Promise<AttemptedDelivery> {
  const { delivery, isInTime } = claimed
  const { store } = service
  const prepared = await store.read((records) => prepareSending(records, service, delivery))
  if (typeof prepared === 'string') {
    return { attempt: undefined, delivery: await endDelivery(service, delivery, prepared) }
  }
  // The store may have taken long, or the machine may have stood still.
  if (!isInTime()) return { attempt: undefined, delivery }
  return sendAndRecord(service, { ...claimed, send: prepared })
}

interface Prepared extends ClaimedDelivery {
  readonly send: Send
}

async function sendAndRecord(
  service: Service,
  { delivery, send, signal }: Prepared,
): Promise<AttemptedDelivery> {
  const { clock, random, settings } = service
  const attemptId = random.id()
  const at = clock.now()
  const { isFinal = false, ...outcome } = await send({ attemptId, signal })
  const attempt = { attemptId, at, ...outcome }
  const baseSeconds = settings.webhookBackoffSeconds
  const step = { attempt, isFinal, now: clock.now(), baseSeconds, fraction: random.fraction() }
  const after = await changeStored(service, delivery, (current) => afterAttempt(current, step))
  return { attempt, delivery: after }
}

function endDelivery(service: Service, delivery: Delivery, cause: DeathCause): Promise<Delivery> {
  const now = service.clock.now()
  return changeStored(service, delivery, (current) =>
    isUnfinished(current) ? died(current, cause, now) : current,
  )
}

/** As it stands in the store by then: an operator may have ended it while it was on its way. */
function changeStored(
  { store, clock }: Service,
  claimed: Delivery,
  change: (current: Delivery) => Delivery,
): Promise<Delivery> {
  const now = clock.now()
  return store.writeTogether(claimed.sharePurchaseId, async (records) => {
    const before = await records.deliveries.get(claimed.deliveryId)
    if (!before) return claimed
    const after = change(before)
    await changeDelivery(records, { before, after, now })
    return after
  })
}
