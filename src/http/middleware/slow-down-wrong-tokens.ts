import type { Middleware } from 'h3'
import { Problem } from '../../domain/problem.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import { callingAddress } from '../calling-address.ts'
import { TokenBuckets } from '../token-buckets.ts'

export interface WrongTokenOptions {
  readonly clock: Clock
  readonly logger: Logger
}

const wrongPerMinute = 10

/**
 * Requests without the right operator token: each is logged with its address, and what comes faster is 429, so that nobody
 * fills the log. The right token is never held up, because an attacker at the same address, which may be this machine, could
 * lock the operator out otherwise. It is too long to be guessed at any rate.
 */
export function slowDownWrongTokens({ clock, logger }: WrongTokenOptions): Middleware {
  const addresses = new TokenBuckets(wrongPerMinute, clock)
  return async (event, next) => {
    try {
      return await next()
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'UNAUTHENTICATED') throw error
      const address = callingAddress(event, 0)
      const { retryAfterSeconds } = addresses.draw(address)
      if (retryAfterSeconds !== undefined) throw tooManyWrong(retryAfterSeconds)
      const { requestId } = event.context
      logger.warn({ requestId, address }, 'The operator token was wrong or missing.')
      throw error
    }
  }
}

function tooManyWrong(retryAfterSeconds: number): Problem {
  return new Problem(
    'RATE_LIMITED',
    `Too many requests with a wrong operator token, or none, came from this address. Send the right one, or wait ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  )
}
