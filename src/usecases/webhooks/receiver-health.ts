import { LRUCache } from 'lru-cache'
import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import { mailReceivers } from '../../domain/webhooks/delivery.ts'

/** A failing receiver gets fewer deliveries at a time, so that its time-outs leave slots for others. */
const failingConcurrency = 2

/** The pause after a fault of ours, which would probably affect the next delivery, too. */
const pauseSeconds = 1

/** Only the most recent receivers are kept, because endpoints are removed. */
const maximumServers = 1000

/** Tracks the health of receivers in memory. After a restart, the first attempts show the health again. */
export class ReceiverHealth {
  readonly #proven = new LRUCache<string, true>({ max: maximumServers })
  readonly #suspects = new LRUCache<string, true>({ max: maximumServers })
  readonly #pausedUntil = new Map<string, Timestamp>()

  /** Whether the last attempt succeeded. */
  isHealthy(receiver: string): boolean {
    return this.#proven.has(serverOf(receiver))
  }

  recordSuccess(receiver: string): void {
    this.#suspects.delete(serverOf(receiver))
    this.#proven.set(serverOf(receiver), true)
  }

  recordFailure(receiver: string): void {
    this.#proven.delete(serverOf(receiver))
    this.#suspects.set(serverOf(receiver), true)
  }

  pause(receiver: string, now: Timestamp): void {
    this.#pausedUntil.set(serverOf(receiver), addSeconds(now, pauseSeconds))
  }

  /**
   * The maximum number of concurrent deliveries. @param common the number for a receiver of
   * unknown health
   */
  concurrencyOf(receiver: string, common: number, now: Timestamp): number {
    const until = this.#pausedUntil.get(serverOf(receiver))
    if (until !== undefined && until > now) return 0
    return this.#suspects.has(serverOf(receiver)) ? Math.min(failingConcurrency, common) : common
  }

  /** When the next pause ends. */
  nextPauseEnd(now: Timestamp): Timestamp | undefined {
    for (const [server, until] of this.#pausedUntil) {
      if (until <= now) this.#pausedUntil.delete(server)
    }
    return [...this.#pausedUntil.values()].sort()[0]
  }
}

/** One mail server accepts all e-mails, so all parts share its health. */
function serverOf(receiver: string): string {
  return mailReceivers.includes(receiver) ? 'mail' : receiver
}
