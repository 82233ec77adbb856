import { connect, type Sql } from './connect.ts'
import type { DatabaseOptions } from './database-options.ts'
import { isFull, isLost } from './faults.ts'
import { LimitedConnections } from './limited-connections.ts'
import { Reader } from './reader.ts'
import type { Value } from './statements.ts'

/** When there is no connection left, one of those that there are has to do. */
function mostAttempts(error: unknown): number {
  if (isFull(error)) return 4
  return isLost(error) ? 2 : 1
}

/** Connections for statements that change nothing, and one that listens. */
export class Readers {
  readonly #all: readonly Reader[]
  readonly #limited: LimitedConnections<Reader>
  readonly #listener: Sql

  constructor(options: DatabaseOptions, connections: number) {
    this.#listener = connect(options, { connections: 1 })
    this.#all = Array.from({ length: connections }, () => new Reader(options))
    this.#limited = new LimitedConnections(this.#all)
  }

  /** Asked again when the connection turns out to be gone, or there is none left. */
  async ask<Row>(text: string, values?: readonly Value[]): Promise<readonly Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#choose().ask<Row>(text, values)
      } catch (error) {
        if (isFull(error)) this.#limited.noteFull()
        if (attempt >= mostAttempts(error)) throw error
      }
    }
  }

  /** Calls back at each notification, and whenever it begins to hear them, again. */
  async listen(channel: string, hear: () => void): Promise<void> {
    await this.#listener.listen(channel, hear, hear)
  }

  async close(): Promise<void> {
    await Promise.all([
      this.#listener.end({ timeout: 1 }),
      ...this.#all.map((reader) => reader.close()),
    ])
  }

  /** Of those that have least to do, one that is connected. */
  #choose(): Reader {
    const usable = this.#all.filter((reader) => this.#limited.mayUse(reader))
    return usable.reduce((best, reader) => (isBetter(reader, best) ? reader : best))
  }
}

function isBetter(reader: Reader, best: Reader): boolean {
  if (reader.asked !== best.asked) return reader.asked < best.asked
  return reader.isConnected && !best.isConnected
}
