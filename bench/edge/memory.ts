import { median } from '../compare.ts'
import { residentBytesOf } from '../process-tree.ts'

const maximumGrowth = 1.5

/** Records the megabytes of a process once a second. */
export class Memory {
  readonly samples: number[] = []
  hasEnded = false
  readonly #timer: NodeJS.Timeout

  constructor(pid: number) {
    this.#timer = setInterval(() => this.#sample(pid), 1000)
  }

  stop(): this {
    clearInterval(this.#timer)
    return this
  }

  get most(): number {
    return Math.max(0, ...this.samples)
  }

  /** Compares the memory in the last third of the run with that in the middle third. */
  faults(): readonly string[] {
    if (this.hasEnded) return ['the service has ended']
    const third = Math.floor(this.samples.length / 3)
    if (third === 0) return []
    const middle = median(this.samples.slice(third, 2 * third))
    const last = median(this.samples.slice(-third))
    if (last <= maximumGrowth * middle) return []
    return [
      `memory grew from ${middle.toFixed(0)} MB in the middle of the run to ${last.toFixed(0)} MB at its end`,
    ]
  }

  #sample(pid: number): void {
    try {
      this.samples.push(residentBytesOf(pid) / 1e6)
    } catch {
      this.hasEnded = true
    }
  }
}
