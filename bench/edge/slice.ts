/** What came of the requests of some seconds. */
export interface SliceFigures {
  readonly offered: number
  /** Neither sent nor waiting: as many as there are connections were waiting already. */
  readonly unsent: number
  readonly answered: number
  /** 0 counts connections that broke. */
  readonly statuses: Readonly<Record<string, number>>
  readonly p50Ms: number
  readonly p99Ms: number
}

export class Slice {
  offered = 0
  unsent = 0
  readonly #times: number[] = []
  readonly #statuses: Record<string, number> = {}

  /** The time runs from when the request was due. */
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
