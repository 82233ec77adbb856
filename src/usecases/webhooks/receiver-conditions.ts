import { LRUCache } from 'lru-cache'
import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import { mailReceivers } from '../../domain/webhooks/delivery.ts'

/** A receiver that fails gets less at a time, so that its time-outs leave room for others. */
const suspectBound = 2

/** After a fault of ours, which the next delivery to the receiver would most likely meet too. */
const pauseSeconds = 1

/** Of those that were heard of last: endpoints are removed. */
const mostServers = 1000

/** What is known of how well receivers are. In memory: after a restart it is soon known again. */
export class ReceiverConditions {
  readonly #proven = new LRUCache<string, true>({ max: mostServers })
  readonly #suspects = new LRUCache<string, true>({ max: mostServers })
  readonly #pausedUntil = new Map<string, Timestamp>()

  /** Its last attempt was taken. */
  isProven(receiver: string): boolean {
    return this.#proven.has(serverOf(receiver))
  }

  noteSuccess(receiver: string): void {
    this.#suspects.delete(serverOf(receiver))
    this.#proven.set(serverOf(receiver), true)
  }

  noteFailure(receiver: string): void {
    this.#proven.delete(serverOf(receiver))
    this.#suspects.set(serverOf(receiver), true)
  }

  noteOwnFault(receiver: string, now: Timestamp): void {
    this.#pausedUntil.set(serverOf(receiver), addSeconds(now, pauseSeconds))
  }

  /** How many deliveries may be under way to it, when that is `common` for one of which nothing is known. */
  boundOf(receiver: string, common: number, now: Timestamp): number {
    const until = this.#pausedUntil.get(serverOf(receiver))
    if (until !== undefined && until > now) return 0
    return this.#suspects.has(serverOf(receiver)) ? Math.min(suspectBound, common) : common
  }

  /** When the first pause ends that has not ended yet. */
  nextEnd(now: Timestamp): Timestamp | undefined {
    for (const [server, until] of this.#pausedUntil) {
      if (until <= now) this.#pausedUntil.delete(server)
    }
    return [...this.#pausedUntil.values()].sort()[0]
  }
}

/** Behind all mails is one mail server: what one part meets, the others meet too. */
function serverOf(receiver: string): string {
  return mailReceivers.includes(receiver) ? 'mail' : receiver
}
