/** spec: Delivery and retries. */
export const maximumAttempts = 6

/** What is added to a wait at most, as a share of it: or all that failed together would come back together. */
const maximumJitter = 0.1

export interface RetryWait {
  /** How many attempts have failed. */
  readonly attempts: number
  /** The first wait. */
  readonly baseSeconds: number
  /** At least 0 and less than 1. */
  readonly fraction: number
}

/** Doubles with each attempt: 30, 60, 120, 240, 480 seconds (spec: Backoff). */
export function retryWaitSeconds({ attempts, baseSeconds, fraction }: RetryWait): number {
  return baseSeconds * 2 ** (attempts - 1) * (1 + maximumJitter * fraction)
}
