import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'

/** A receiver that fails gets less at a time, so that its time-outs leave room for others. */
const suspectBound = 2

/** After a fault of ours, which the next delivery of the lane would most likely meet too. */
const pauseSeconds = 1

/** What is known of lanes that are not well. In memory: after a restart it is soon known again. */
export class LaneConditions {
  readonly #suspects = new Set<string>()
  readonly #pausedUntil = new Map<string, Timestamp>()

  /** It takes something, or is gone. */
  forget(lane: string): void {
    this.#suspects.delete(lane)
  }

  noteFailure(lane: string): void {
    this.#suspects.add(lane)
  }

  noteOwnFault(lane: string, now: Timestamp): void {
    this.#pausedUntil.set(lane, addSeconds(now, pauseSeconds))
  }

  /** Bounds that differ from the common one. */
  exceptions(now: Timestamp): ReadonlyMap<string, number> {
    for (const [lane, until] of this.#pausedUntil) {
      if (until <= now) this.#pausedUntil.delete(lane)
    }
    return new Map([
      ...[...this.#suspects].map((lane) => [lane, suspectBound] as const),
      ...[...this.#pausedUntil.keys()].map((lane) => [lane, 0] as const),
    ])
  }

  /** When the first pause ends. */
  nextEnd(): Timestamp | undefined {
    return [...this.#pausedUntil.values()].sort()[0]
  }
}
