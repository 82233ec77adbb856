import type { DatabaseOptions } from './database-options.ts'
import { refusal } from './faults.ts'
import { Writer } from './writer.ts'

/** Longer than a burst takes; shorter than callers wait. */
export const patienceMs = 10_000

/** Connections for transactions, each with one at a time. */
export class Writers {
  readonly #all: readonly Writer[]
  readonly #idle: Writer[]
  readonly #waiting = new Set<(writer: Writer) => void>()

  constructor(options: DatabaseOptions, count: number) {
    this.#all = Array.from({ length: count }, () => new Writer(options))
    this.#idle = [...this.#all]
  }

  async use<Result>(work: (writer: Writer) => Promise<Result>): Promise<Result> {
    const writer = this.#idle.pop() ?? (await this.#wait())
    try {
      return await work(writer)
    } finally {
      this.#giveBack(writer)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((writer) => writer.close()))
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
    if (!next) {
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
