import { addSeconds, type Timestamp } from '../timestamp.ts'
import type { DeadReason, Delivery, DeliveryAttempt } from './delivery.ts'

export interface AttemptResult {
  readonly attempt: DeliveryAttempt
  /** Whether another attempt would be pointless. */
  readonly isFinal: boolean
  readonly now: Timestamp
  readonly waits: RetryWaits
  /** At least 0, less than 1; see Backoff. */
  readonly fraction: number
}

/** The seconds between one attempt and the next. There is one more attempt than there are waits. */
export type RetryWaits = readonly number[]

/** An attempt ends a row of faults of ours, whatever its outcome. */
export function applyAttempt(delivery: Delivery, step: AttemptResult): Delivery {
  const { attempt, now } = step
  const { faultsSince: _, ...rest } = delivery
  const attempted = {
    ...rest,
    attempts: [...delivery.attempts, attempt],
    attemptsInRound: delivery.attemptsInRound + 1,
    updatedAt: now,
  }
  if (attempt.failure === null) {
    return { ...attempted, state: 'delivered', nextAttemptAt: null, deadBecause: null }
  }
  // The delivery may have been abandoned during the attempt.
  return delivery.state === 'pending' ? applyFailure(attempted, step) : attempted
}

function applyFailure(delivery: Delivery, step: AttemptResult): Delivery {
  const { now, waits, fraction, isFinal } = step
  if (isFinal) return markDead(delivery, 'mail_refused', now)
  const seconds = backoffSeconds({ attempts: delivery.attemptsInRound, waits, fraction })
  if (seconds === undefined) return markDead(delivery, 'attempts_used_up', now)
  return { ...delivery, nextAttemptAt: addSeconds(now, seconds) }
}

/**
 * Notes a fault of ours that prevented an e-mail. It uses up no attempt, but after the total time of the schedule the
 * e-mail is dead, so that nothing waits for ever.
 */
export function applyOwnFault(delivery: Delivery, now: Timestamp, waits: RetryWaits): Delivery {
  if (delivery.state !== 'pending') return delivery
  if (endOfFaults(delivery, now, waits) <= now) return markDead(delivery, 'own_faults', now)
  return delivery.faultsSince ? delivery : { ...delivery, faultsSince: now, updatedAt: now }
}

/** When faults of ours end the e-mail. */
export function endOfFaults(
  { faultsSince }: Delivery,
  now: Timestamp,
  waits: RetryWaits,
): Timestamp {
  const totalSeconds = waits.reduce((total, wait) => total + wait, 0)
  return addSeconds(faultsSince ?? now, totalSeconds)
}

export function markDead(delivery: Delivery, deadBecause: DeadReason, now: Timestamp): Delivery {
  return { ...delivery, state: 'dead', nextAttemptAt: null, deadBecause, updatedAt: now }
}

/** Starts a new round for a finished delivery. Earlier attempts are kept. */
export function startNewRound({ faultsSince: _, ...delivery }: Delivery, now: Timestamp): Delivery {
  const round = { attemptsInRound: 0, nextAttemptAt: now, deadBecause: null }
  return { ...delivery, ...round, state: 'pending', updatedAt: now }
}

/** Makes a pending delivery due now. Its place among other deliveries does not change. */
export function makeDue(delivery: Delivery, now: Timestamp): Delivery {
  const { nextAttemptAt } = delivery
  if (nextAttemptAt !== null && nextAttemptAt <= now) return delivery
  return { ...delivery, nextAttemptAt: now, updatedAt: now }
}

/** spec: Delivery and retries. */
const specifiedAttempts = 6
/** Before the first retry. */
export const specifiedBackoffSeconds = 30

/** Waits that double, for six attempts (spec: Backoff). */
export function doublingWaits(firstSeconds: number): RetryWaits {
  return Array.from({ length: specifiedAttempts - 1 }, (_, index) => firstSeconds * 2 ** index)
}

const minute = 60
const hour = 60 * minute

/**
 * The waits between the attempts to send an e-mail: ten attempts in about two days. RFC 5321 4.5.4.1 expects days, and
 * a server that greylists accepts an e-mail no earlier than some minutes after its first attempt.
 */
export const defaultMailWaits: RetryWaits = [
  ...[5 * minute, 10 * minute, 30 * minute],
  ...[hour, 2 * hour, 4 * hour, 8 * hour, 16 * hour, 16 * hour],
]

/** Up to this fraction is added to a wait, so that deliveries that failed together do not retry together. */
const maximumJitter = 0.1

export interface Backoff {
  /** The number of failed attempts. */
  readonly attempts: number
  readonly waits: RetryWaits
  /** At least 0 and less than 1. */
  readonly fraction: number
}

/** Returns undefined if all attempts are used up. */
export function backoffSeconds({ attempts, waits, fraction }: Backoff): number | undefined {
  const wait = waits[attempts - 1]
  return wait === undefined ? undefined : wait * (1 + maximumJitter * fraction)
}
