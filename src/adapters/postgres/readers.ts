import type { ConnectionLimit, Group } from './connection-limit.ts'
import type { DatabaseOptions } from './database-options.ts'
import { isLost } from './faults.ts'
import { Reader } from './reader.ts'
import type { Value } from './statements.ts'

/** Connections for statements that change nothing. */
export class Readers implements Group {
  readonly #all: readonly Reader[]
  readonly #limit: ConnectionLimit
  #first: Promise<void> | undefined

  constructor(options: DatabaseOptions, connections: number, limit: ConnectionLimit) {
    this.#all = Array.from({ length: connections }, () => new Reader(options))
    this.#limit = limit
    limit.add(this)
  }

  /** Asked again when the connection turns out to be gone: the others may be gone with it, but not one that is new. */
  async ask<Row>(text: string, values?: readonly Value[]): Promise<readonly Row[]> {
    for (let attempt = 0; ; attempt += 1) {
      const best = this.#leastBusy()
      const reader = best?.asked === 0 ? best : await this.#connectMore(best)
      try {
        return await reader.ask<Row>(text, values)
      } catch (error) {
        if (!isLost(error) || attempt >= this.#all.length) throw error
      }
    }
  }

  releaseSpare(): void {
    for (const reader of this.#all.filter(({ isConnected }) => isConnected).slice(1)) reader.leave()
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((reader) => reader.close()))
  }

  async #connectMore(best: Reader | undefined): Promise<Reader> {
    return best ? ((await this.#connectAnother()) ?? best) : this.#connectFirst()
  }

  #leastBusy(): Reader | undefined {
    let best: Reader | undefined
    for (const reader of this.#all) {
      if (reader.isConnected && reader.asked < (best?.asked ?? Number.POSITIVE_INFINITY))
        best = reader
    }
    return best
  }

  /** However many ask, one connection is made for all of them. */
  async #connectFirst(): Promise<Reader> {
    const [reader] = this.#all as readonly [Reader]
    this.#first ??= this.#limit.connectFirst(this, reader).finally(() => {
      this.#first = undefined
    })
    await this.#first
    return this.#leastBusy() ?? reader
  }

  async #connectAnother(): Promise<Reader | undefined> {
    if (this.#limit.isFull) return undefined
    const another = this.#all.find(({ isFree }) => isFree)
    try {
      await (another && this.#limit.connect(another))
      return another
    } catch {
      // The one that there is has to do.
      return undefined
    }
  }
}
