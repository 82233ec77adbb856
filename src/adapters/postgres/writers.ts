import type { DatabaseOptions } from './database-options.ts'
import { refusal } from './faults.ts'
import { LimitedConnections } from './limited-connections.ts'
import { Writer } from './writer.ts'

/** Longer than a burst takes; shorter than callers wait. */
export const patienceMs = 10_000

/** Connections for transactions, each with one at a time. */
export class Writers {
  readonly limited: LimitedConnections<Writer>
  readonly #all: readonly Writer[]
  readonly #idle: Writer[]
  readonly #waiting = new Set<(writer: Writer) => void>()

  constructor(options: DatabaseOptions, count: number) {
    this.#all = Array.from(
      { length: count },
      () => new Writer(options, () => this.limited.noteFull()),
    )
    this.#idle = [...this.#all]
    this.limited = new LimitedConnections(this.#all)
  }

  async use<Result>(work: (writer: Writer) => Promise<Result>): Promise<Result> {
    const writer = this.#take() ?? (await this.#wait())
    try {
      return await work(writer)
    } finally {
      this.#giveBack(writer)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((writer) => writer.close()))
  }

  #take(): Writer | undefined {
    const index = this.#idle.findLastIndex((writer) => this.limited.mayUse(writer))
    return index < 0 ? undefined : this.#idle.splice(index, 1)[0]
  }

  #wait(): Promise<Writer> {
    return new Promise((resolve, reject) => {
      const take = (writer: Writer) => {
        clearTimeout(timer)
        resolve(writer)
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(take)
        reject(busy())
      }, patienceMs)
      this.#waiting.add(take)
    })
  }

  #giveBack(writer: Writer): void {
    const [next] = this.#waiting
    if (!next || !this.limited.mayUse(writer)) {
      this.#idle.push(writer)
      return
    }
    this.#waiting.delete(next)
    next(writer)
  }
}

export function busy() {
  return refusal('All connections to the database are busy. Try again later.')
}
