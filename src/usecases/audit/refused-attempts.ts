import { clearInterval, setInterval } from '../../machine/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Timer } from '../../ports/machine.ts'

const windowMs = 60_000
/** The attempts that are alike, within their group. */
interface Alike {
  /** Who has made them. */
  readonly group: string
  readonly kind: string
  /** The maximum number of kinds with separate entries in a group. Further attempts share an entry. */
  readonly most: number
}

interface Window {
  readonly group: string
  readonly beganMs: number
  /** The number of refused attempts after the first one, which is recorded immediately. */
  more: number
  /** Records these further attempts. */
  readonly putMore: (count: number) => Promise<void>
}

/** The kind of all further attempts. */
export const others = 'others'

/** Refused attempts have at most two entries for each kind and minute, so that a flood cannot fill the store. */
export class RefusedAttempts {
  readonly #clock: Clock
  readonly #windows = new Map<string, Window>()
  #timer: Timer | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * @param put records a number of attempts of a kind, or of all further kinds. The promise is that of the first attempt,
   *   which is recorded immediately; later ones do not wait.
   */
  async note(
    { group, kind, most }: Alike,
    put: (kind: string, count: number) => Promise<void>,
  ): Promise<void> {
    this.#endWindows()
    const isKnown = this.#windows.has(`${group} ${kind}`) || this.#countOf(group) < most
    const name = isKnown ? kind : others
    const key = `${group} ${name}`
    this.#timer ??= setInterval(() => this.#endWindows(), windowMs).unref()
    const window = this.#windows.get(key)
    if (window) {
      window.more += 1
      return
    }
    const putMore = (count: number) => put(name, count)
    this.#windows.set(key, { group, beganMs: this.#clock.monotonicMs(), more: 0, putMore })
    await put(name, 1)
  }

  #countOf(group: string): number {
    let count = 0
    for (const window of this.#windows.values()) if (window.group === group) count += 1
    return count
  }

  #endWindows(): void {
    const now = this.#clock.monotonicMs()
    for (const [key, { beganMs, more, putMore }] of this.#windows) {
      if (now - beganMs < windowMs) continue
      this.#windows.delete(key)
      // The refusals do not depend on whether the store can write.
      if (more > 0) putMore(more).catch(() => undefined)
    }
    if (this.#windows.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
