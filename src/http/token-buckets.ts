import { LRUCache } from 'lru-cache'
import type { Clock } from '../ports/clock.ts'

/** What a caller is told of its budget (spec: Rate limit mechanics). */
export interface Budget {
  readonly limit: number
  readonly remaining: number
  /** Until the budget is full again. */
  readonly resetSeconds: number
  /** Until the next request is allowed; undefined when this one was. */
  readonly retryAfterSeconds?: number
}

interface Bucket {
  level: number
  refilledAtMs: number
}

// A bucket is counted in parts of a request, so that what flows in each millisecond is a whole number: `perMinute` parts.
const partsPerRequest = 60_000
/** So many that none who is short of budget is forgotten, unless a flood comes from as many callers. */
const rememberedCallers = 50_000

/** One budget for each caller, refilled continuously. A refused request takes nothing. */
export class TokenBuckets {
  readonly #perMinute: number
  readonly #clock: Clock
  // A bound by size, because one by number takes the room for all of them at once.
  readonly #buckets = new LRUCache<string, Bucket>({
    maxSize: rememberedCallers,
    sizeCalculation: () => 1,
  })

  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute
    this.#clock = clock
  }

  draw(caller: string): Budget {
    const bucket = this.#refilled(caller)
    const isAllowed = bucket.level >= partsPerRequest
    if (isAllowed) bucket.level -= partsPerRequest
    return this.#budgetOf(bucket, isAllowed)
  }

  /** Takes back a draw for a request that was refused for another reason. */
  giveBack(caller: string): void {
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
