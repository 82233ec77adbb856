import { addSeconds, type Timestamp } from '../timestamp.ts'
import type { DeathCause, Delivery, DeliveryAttempt } from './delivery.ts'
import { maximumAttempts, retryWaitSeconds } from './retry-wait.ts'

export interface AfterAttempt {
  readonly attempt: DeliveryAttempt
  /** Another attempt would change nothing. */
  readonly isFinal: boolean
  readonly now: Timestamp
  readonly baseSeconds: number
  /** See RetryWait. */
  readonly fraction: number
}

export function afterAttempt(delivery: Delivery, step: AfterAttempt): Delivery {
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
  // It may have been ended while the attempt was under way.
  return delivery.state === 'pending' ? afterFailure(attempted, step) : attempted
}

function afterFailure(delivery: Delivery, step: AfterAttempt): Delivery {
  const { now, baseSeconds, fraction, isFinal } = step
  const { attemptsInRound: attempts } = delivery
  if (isFinal) return died(delivery, 'mail_refused', now)
  if (attempts >= maximumAttempts) return died(delivery, 'attempts_used_up', now)
  const seconds = retryWaitSeconds({ attempts, baseSeconds, fraction })
  return { ...delivery, nextAttemptAt: addSeconds(now, seconds) }
}

export function died(delivery: Delivery, deadBecause: DeathCause, now: Timestamp): Delivery {
  return { ...delivery, state: 'dead', nextAttemptAt: null, deadBecause, updatedAt: now }
}

/** Of something finished. The attempts of earlier rounds stay. */
export function beganNewRound(delivery: Delivery, now: Timestamp): Delivery {
  const round = { attemptsInRound: 0, nextAttemptAt: now, deadBecause: null }
  return { ...delivery, ...round, state: 'pending', updatedAt: now }
}
