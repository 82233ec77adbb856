import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'

/** How long the dispatcher pauses while the store fails. */
const pauseSeconds = 1

/** Tracks an outage of the store and logs its cause once. */
export class StoreOutage {
  readonly #clock: Clock
  readonly #logger: Logger
  #isSuspected = false
  #reason: string | undefined
  #pausedUntil: Timestamp | undefined

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock
    this.#logger = logger
  }

  /**
   * Whether something has failed since the last successful write, so that the health must be
   * checked.
   */
  get isSuspected(): boolean {
    return this.#isSuspected
  }

  suspect(): void {
    this.#isSuspected = true
  }

  pause(): void {
    this.#isSuspected = true
    this.#pausedUntil = addSeconds(this.#clock.now(), pauseSeconds)
  }

  record(error: unknown): void {
    this.pause()
    const reason = String((error as Error).cause ?? error)
    if (reason !== this.#reason) this.#logger.error({ error }, 'deliveries could not be fetched')
    this.#reason = reason
  }

  /** Call this when the store accepts writes. */
  clear(): void {
    this.#isSuspected = false
    this.#pausedUntil = undefined
  }

  /** Call this when the store has answered a read. */
  forgetReason(): void {
    this.#reason = undefined
  }

  /** When to try again: at `next`, or when the pause ends. */
  nextAttemptAt(next: Timestamp | undefined): Timestamp | undefined {
    const until = this.#pausedUntil
    return until && (!next || next < until) ? until : next
  }
}
