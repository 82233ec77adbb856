import type { H3Event } from 'h3'
import { OAuthError } from '../domain/oauth/oauth-error.ts'
import type { Clock } from '../ports/clock.ts'
import { type Budget, TokenBuckets } from './token-buckets.ts'

export interface TokenLimitOptions {
  readonly tokensPerMinute: number
  readonly addressOf: (event: H3Event) => string
}

/** spec: Limits, the token endpoint: per calling address, and separately per credential. */
export class TokenLimit {
  readonly #addresses: TokenBuckets
  readonly #clients: TokenBuckets
  readonly #addressOf: (event: H3Event) => string

  constructor(clock: Clock, { tokensPerMinute, addressOf }: TokenLimitOptions) {
    this.#addresses = new TokenBuckets(tokensPerMinute, clock)
    this.#clients = new TokenBuckets(tokensPerMinute, clock)
    this.#addressOf = addressOf
  }

  drawForAddress(event: H3Event): void {
    const refusal = refusalOf(this.#addresses.draw(this.#addressOf(event)))
    if (refusal) throw refusal
  }

  /** Spec gap: drawn once the secret is right, so that nobody can lock a partner out; see DECISIONS.md, token limits. */
  drawForClient(event: H3Event, clientId: string): void {
    const refusal = refusalOf(this.#clients.draw(clientId))
    if (!refusal) return
    this.#addresses.giveBack(this.#addressOf(event))
    throw refusal
  }
}

function refusalOf({ retryAfterSeconds }: Budget): OAuthError | undefined {
  if (retryAfterSeconds === undefined) return undefined
  return new OAuthError(
    'too_many_requests',
    `Too many token requests. Send this one again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  )
}
