import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'

/** How long nothing is sent when the store could not be asked, or takes no writes. */
const pauseSeconds = 1

/** What keeps deliveries from being sent: an outage of the store is logged once, however often it is met. */
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

  /** Something has failed since the store was last known to be well: whether it takes writes has to be asked. */
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

  note(error: unknown): void {
    this.pause()
    const reason = String((error as Error).cause ?? error)
    if (reason !== this.#reason) this.#logger.error({ error }, 'deliveries could not be fetched')
    this.#reason = reason
  }

  /** It takes writes. */
  trust(): void {
    this.#isSuspected = false
    this.#pausedUntil = undefined
  }

  /** It has answered. */
  forgetReason(): void {
    this.#reason = undefined
  }

  /** When to look for what falls due at `next`, and for what could not be fetched. */
  after(next: Timestamp | undefined): Timestamp | undefined {
    const until = this.#pausedUntil
    return until && (!next || next < until) ? until : next
  }
}
