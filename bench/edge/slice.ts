/** The results of the requests of a few seconds. */
export interface SliceFigures {
  readonly offered: number
  /**
   * Requests that were neither sent nor queued, because the queue already had a request for each
   * connection.
   */
  readonly unsent: number
  readonly answered: number
  /** The number of answers by status. 0 counts broken connections. */
  readonly statuses: Readonly<Record<string, number>>
  readonly p50Ms: number
  readonly p99Ms: number
}

export class Slice {
  offered = 0
  unsent = 0
  readonly #times: number[] = []
  readonly #statuses: Record<string, number> = {}

  /** @param milliseconds the time since the request was due */
  add(status: number, milliseconds: number): void {
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1
    if (status !== 0) this.#times.push(milliseconds)
  }

  figures(): SliceFigures {
    const times = Float64Array.from(this.#times).sort()
    const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
    return {
      offered: this.offered,
      unsent: this.unsent,
      answered: times.length,
      statuses: this.#statuses,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
    }
  }
}
