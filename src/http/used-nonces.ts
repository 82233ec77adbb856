import type { Clock } from '../ports/clock.ts'

interface Bounds {
  readonly clock: Clock
  /** How long one is remembered at least. */
  readonly validMs: number
  readonly most: number
}

/** What has been used, as long as it could be used again: two sets, of which the older one is dropped whole. */
export class UsedNonces {
  readonly #bounds: Bounds
  #current = new Set<string>()
  #former = new Set<string>()
  #begunMs: number

  constructor(bounds: Bounds) {
    this.#bounds = bounds
    this.#begunMs = bounds.clock.monotonicMs()
  }

  use(nonce: string): 'new' | 'again' | 'full' {
    this.#forget()
    if (this.#current.has(nonce) || this.#former.has(nonce)) return 'again'
    // Forgetting one too early would let its request in again.
    if (this.#current.size >= this.#bounds.most) return 'full'
    this.#current.add(nonce)
    return 'new'
  }

  #forget(): void {
    const { clock, validMs } = this.#bounds
    const age = clock.monotonicMs() - this.#begunMs
    if (age <= validMs) return
    this.#former = age > 2 * validMs ? new Set() : this.#current
    this.#current = new Set()
    this.#begunMs += age
  }
}
