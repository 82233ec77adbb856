import { LRUCache } from 'lru-cache'
import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'

/** A receiver that fails gets less at a time, so that its time-outs leave room for others. */
const suspectBound = 2

/** After a fault of ours, which the next delivery of the lane would most likely meet too. */
const pauseSeconds = 1

/** Of those that were heard of last: endpoints are removed, and their lanes with them. */
const mostLanes = 1000

/** What is known of how well lanes are. In memory: after a restart it is soon known again. */
export class LaneConditions {
  readonly #proven = new LRUCache<string, true>({ max: mostLanes })
  readonly #suspects = new LRUCache<string, true>({ max: mostLanes })
  readonly #pausedUntil = new Map<string, Timestamp>()

  /** Its last attempt was taken. */
  isProven(lane: string): boolean {
    return this.#proven.has(lane)
  }

  noteSuccess(lane: string): void {
    this.#suspects.delete(lane)
    this.#proven.set(lane, true)
  }

  noteFailure(lane: string): void {
    this.#proven.delete(lane)
    this.#suspects.set(lane, true)
  }

  noteOwnFault(lane: string, now: Timestamp): void {
    this.#pausedUntil.set(lane, addSeconds(now, pauseSeconds))
  }

  /** Bounds that differ from the common one. */
  exceptions(now: Timestamp): ReadonlyMap<string, number> {
    return this.#withPauses(now, this.#suspects.keys(), suspectBound)
  }

  /** `bound` for each lane that has shown to be well: for when the others have all that they may have. */
  provenOnly(now: Timestamp, bound: number): ReadonlyMap<string, number> {
    return this.#withPauses(now, this.#proven.keys(), bound)
  }

  #withPauses(now: Timestamp, lanes: Iterable<string>, bound: number): Map<string, number> {
    const bounds = new Map([...lanes].map((lane) => [lane, bound]))
    for (const [lane, until] of this.#pausedUntil) {
      if (until <= now) this.#pausedUntil.delete(lane)
      else bounds.set(lane, 0)
    }
    return bounds
  }

  /** When the first pause ends. */
  nextEnd(): Timestamp | undefined {
    return [...this.#pausedUntil.values()].sort()[0]
  }
}
