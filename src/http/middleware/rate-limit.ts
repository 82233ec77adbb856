import type { H3Event, Middleware } from 'h3'
import { Problem } from '../../domain/problem.ts'
import type { TokenBuckets } from '../token-buckets.ts'

export interface RateLimitOptions {
  readonly buckets: TokenBuckets
  readonly callerOf: (event: H3Event) => string
  /** Takes back what the refused request has drawn elsewhere: a refusal costs nothing (spec: Rate limit mechanics). */
  readonly onRefusal?: (event: H3Event) => void
  /** Whether answers tell of the budget. */
  readonly isTold?: boolean
}

export function rateLimit(options: RateLimitOptions): Middleware {
  const { buckets, callerOf, onRefusal, isTold = true } = options
  return (event) => {
    const budget = buckets.draw(callerOf(event))
    if (isTold) event.context.budget = budget
    const { retryAfterSeconds } = budget
    if (retryAfterSeconds === undefined) return
    onRefusal?.(event)
    throw tooManyRequests(retryAfterSeconds)
  }
}

function tooManyRequests(retryAfterSeconds: number): Problem {
  return new Problem('RATE_LIMITED', `Send this request again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}
