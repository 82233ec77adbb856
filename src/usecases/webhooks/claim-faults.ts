import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'

/** How long nothing is claimed when the store could not be asked, or takes no writes. */
const pauseSeconds = 1

/** What keeps deliveries from being claimed: an outage of the store is told once, however often it is met. */
export class ClaimFaults {
  readonly #clock: Clock
  readonly #logger: Logger
  #reason: string | undefined
  #pausedUntil: Timestamp | undefined

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock
    this.#logger = logger
  }

  pause(): void {
    this.#pausedUntil = addSeconds(this.#clock.now(), pauseSeconds)
  }

  note(error: unknown): void {
    this.pause()
    const reason = String((error as Error).cause ?? error)
    if (reason !== this.#reason) this.#logger.error({ error }, 'deliveries could not be claimed')
    this.#reason = reason
  }

  clear(): void {
    this.#reason = undefined
    this.#pausedUntil = undefined
  }

  /** When to claim what falls due at `next`, and what could not be claimed. */
  after(next: Timestamp | undefined): Timestamp | undefined {
    const until = this.#pausedUntil
    return until && (!next || next < until) ? until : next
  }
}
