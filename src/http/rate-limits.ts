import { getRequestIP, type H3Event, type Middleware } from 'h3'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { Problem } from '../domain/problem.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import { noteRefusedSignIn } from '../usecases/audit/record-audit.ts'
import type { RefusedAttempts } from '../usecases/audit/refused-attempts.ts'
import type { Service } from '../usecases/service.ts'

interface RateLimitOptions {
  readonly buckets: TokenBuckets
  readonly callerOf: (event: H3Event) => string
  /** Refunds other budgets: a refused request uses none (spec: Rate limit mechanics). */
  readonly onRefusal?: (event: H3Event) => void
  /** Whether responses have rate limit headers. */
  readonly hasHeaders?: boolean
}

export function rateLimit(options: RateLimitOptions): (event: H3Event) => void {
  const { buckets, callerOf, onRefusal, hasHeaders = true } = options
  return (event) => {
    const budget = buckets.take(callerOf(event))
    if (hasHeaders) event.context.budget = budget
    const { retryAfterSeconds } = budget
    if (retryAfterSeconds === undefined) return
    onRefusal?.(event)
    throw tooManyRequests(retryAfterSeconds)
  }
}

function tooManyRequests(retryAfterSeconds: number): Problem {
  return new Problem('RATE_LIMITED', `Repeat this request in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}

interface WrongTokenOptions {
  readonly service: Service
  readonly logger: Logger
  /** Notes every refused request, however many there are. */
  readonly refused: RefusedAttempts
}

const wrongPerMinute = 10

/**
 * Limits requests with a wrong operator token, so that nobody can fill the log. The right token
 * is never limited, because an attacker at the same address could otherwise lock the operator
 * out. A token is too long to be guessed at any rate.
 */
export function limitWrongTokens({ service, logger, refused }: WrongTokenOptions): Middleware {
  const addresses = new TokenBuckets(wrongPerMinute, service.clock)
  return async (event, next) => {
    try {
      return await next()
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'UNAUTHENTICATED') throw error
      const address = clientAddress(event, 0)
      const { requestId = '' } = event.context
      noteRefusedSignIn(service, refused, { address, requestId })
      const { retryAfterSeconds } = addresses.take(address)
      if (retryAfterSeconds !== undefined) throw tooManyWrong(retryAfterSeconds)
      logger.warn({ requestId, address }, 'The operator token was wrong or missing.')
      throw error
    }
  }
}

function tooManyWrong(retryAfterSeconds: number): Problem {
  return new Problem(
    'RATE_LIMITED',
    `This address has sent too many requests with a wrong operator token or none. Send the right token, or wait ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  )
}

/** The budget that a caller sees (spec: Rate limit mechanics). */
export interface Budget {
  readonly limit: number
  readonly remaining: number
  /** Seconds until the budget is full. */
  readonly resetSeconds: number
  /** Seconds until the next request is allowed; undefined if the present request was allowed. */
  readonly retryAfterSeconds?: number
}

interface Bucket {
  level: number
  refilledAtMs: number
}

// Buckets are counted in fractions of a request, so that each millisecond adds the whole number
// `perMinute`.
const partsPerRequest = 60_000
/** Large enough to remember every caller with a reduced budget, unless more callers flood the service. */
const maximumCallers = 50_000

/** A token bucket for each caller. A refused request takes nothing. */
export class TokenBuckets {
  readonly #perMinute: number
  readonly #clock: Clock
  // Limited by size, because a limit by count would allocate all entries immediately.
  readonly #buckets = new LRUCache<string, Bucket>({
    maxSize: maximumCallers,
    sizeCalculation: () => 1,
  })

  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute
    this.#clock = clock
  }

  take(caller: string): Budget {
    const bucket = this.#refilled(caller)
    const isAllowed = bucket.level >= partsPerRequest
    if (isAllowed) bucket.level -= partsPerRequest
    return this.#budgetOf(bucket, isAllowed)
  }

  /** Returns the token of a request that was refused for another reason. */
  refund(caller: string): void {
    const bucket = this.#refilled(caller)
    bucket.level = Math.min(this.#capacity, bucket.level + partsPerRequest)
  }

  get #capacity(): number {
    return this.#perMinute * partsPerRequest
  }

  #refilled(caller: string): Bucket {
    const nowMs = Math.floor(this.#clock.monotonicMs())
    const bucket = this.#buckets.get(caller) ?? this.#full(caller, nowMs)
    const inflow = (nowMs - bucket.refilledAtMs) * this.#perMinute
    bucket.level = Math.min(this.#capacity, bucket.level + inflow)
    bucket.refilledAtMs = nowMs
    return bucket
  }

  #full(caller: string, nowMs: number): Bucket {
    const bucket = { level: this.#capacity, refilledAtMs: nowMs }
    this.#buckets.set(caller, bucket)
    return bucket
  }

  #budgetOf({ level }: Bucket, isAllowed: boolean): Budget {
    const budget = {
      limit: this.#perMinute,
      remaining: Math.floor(level / partsPerRequest),
      resetSeconds: this.#secondsUntil(this.#capacity, level),
    }
    if (isAllowed) return budget
    return {
      ...budget,
      retryAfterSeconds: Math.max(1, this.#secondsUntil(partsPerRequest, level)),
    }
  }

  #secondsUntil(wanted: number, level: number): number {
    return Math.ceil((wanted - level) / this.#perMinute / 1000)
  }
}

/**
 * The client address for rate limits. Each of the `trustedHops` proxies appends the address of
 * its caller to X-Forwarded-For; anything further left is the caller's own claim.
 */
export function clientAddress(event: H3Event, trustedHops: number): string {
  return network(addressOf(event, trustedHops))
}

/** Whether the client is on this machine. */
export function isLoopback(event: H3Event, trustedHops: number): boolean {
  const address = addressOf(event, trustedHops)
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

function addressOf(event: H3Event, trustedHops: number): string {
  return forwardedAddress(event, trustedHops) ?? getRequestIP(event) ?? 'unknown'
}

function forwardedAddress(event: H3Event, trustedHops: number): string | undefined {
  if (trustedHops === 0) return undefined
  const header = event.req.headers.get('x-forwarded-for')
  const hops = header?.split(',') ?? []
  const hop = hops.at(Math.max(-trustedHops, -hops.length))?.trim() ?? ''
  const address = withoutPort(hop)
  return ipaddr.isValid(address) ? address : undefined
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const [, inBrackets, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$/.exec(hop) ?? []
  return inBrackets ?? plain ?? hop
}

/** An IPv6 caller usually has a whole /64. */
function network(address: string): string {
  if (!address.includes(':')) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':')
}
