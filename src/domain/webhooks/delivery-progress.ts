import { addSeconds, type Timestamp } from '../timestamp.ts'
import type { DeadReason, Delivery, DeliveryAttempt } from './delivery.ts'

export interface AttemptResult {
  readonly attempt: DeliveryAttempt
  /** Whether another attempt would be pointless. */
  readonly isFinal: boolean
  readonly now: Timestamp
  readonly baseSeconds: number
  /** At least 0, less than 1; see Backoff. */
  readonly fraction: number
}

export function applyAttempt(delivery: Delivery, step: AttemptResult): Delivery {
  const { attempt, now } = step
  const attempted = {
    ...delivery,
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
  const { now, baseSeconds, fraction, isFinal } = step
  const { attemptsInRound: attempts } = delivery
  if (isFinal) return markDead(delivery, 'mail_refused', now)
  if (attempts >= maximumAttempts) return markDead(delivery, 'attempts_used_up', now)
  const seconds = backoffSeconds({ attempts, baseSeconds, fraction })
  return { ...delivery, nextAttemptAt: addSeconds(now, seconds) }
}

export function markDead(delivery: Delivery, deadBecause: DeadReason, now: Timestamp): Delivery {
  return { ...delivery, state: 'dead', nextAttemptAt: null, deadBecause, updatedAt: now }
}

/** Starts a new round for a finished delivery. Earlier attempts are kept. */
export function startNewRound(delivery: Delivery, now: Timestamp): Delivery {
  const round = { attemptsInRound: 0, nextAttemptAt: now, deadBecause: null }
  return { ...delivery, ...round, state: 'pending', updatedAt: now }
}

/** spec: Delivery and retries. */
const maximumAttempts = 6

/**
 * Up to this share is added to a wait, so that deliveries that failed together do not retry
 * together.
 */
const maximumJitter = 0.1

export interface Backoff {
  /** The number of failed attempts. */
  readonly attempts: number
  /** The wait after the first failure. */
  readonly baseSeconds: number
  /** At least 0 and less than 1. */
  readonly fraction: number
}

/** Doubles with each attempt, in seconds: 30, 60, 120, 240, 480 (spec: Backoff). */
export function backoffSeconds({ attempts, baseSeconds, fraction }: Backoff): number {
  return baseSeconds * 2 ** (attempts - 1) * (1 + maximumJitter * fraction)
}
