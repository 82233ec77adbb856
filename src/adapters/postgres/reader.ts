import { type Sql, silenceMs } from './connect.ts'
import { Connection } from './connection.ts'
import type { DatabaseOptions } from './database-options.ts'
import { isLost } from './faults.ts'
import { run, type Value } from './statements.ts'
import { within } from './within.ts'

/** A connection for statements that change nothing; they go out without waiting for each other. */
export class Reader {
  readonly #options: DatabaseOptions
  readonly #connection: Connection
  #lastHeardAtMs = Number.NEGATIVE_INFINITY
  #asked = 0
  #isLeaving = false

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.#connection = new Connection(options, { begin: 'select' })
  }

  get isConnected(): boolean {
    return this.#connection.isConnected && !this.#isLeaving
  }

  /** May be connected. */
  get isFree(): boolean {
    return !(this.#connection.isConnected || this.#connection.isConnecting)
  }

  /** Statements that have no answer yet. */
  get asked(): number {
    return this.#asked
  }

  live(): Promise<Sql> {
    return this.#connection.live()
  }

  async ask<Row>(text: string, values?: readonly Value[]): Promise<readonly Row[]> {
    this.#asked += 1
    try {
      return await this.#askOn<Row>(await this.live(), text, values)
    } finally {
      this.#asked -= 1
      this.#leaveWhenIdle()
    }
  }

  /** Takes nothing more, and gives its connection up when all that was asked is answered. */
  leave(): void {
    this.#isLeaving = true
    this.#leaveWhenIdle()
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  #leaveWhenIdle(): void {
    if (!this.#isLeaving || this.#asked > 0) return
    this.#connection.giveUp()
    this.#isLeaving = false
  }

  async #askOn<Row>(sql: Sql, text: string, values?: readonly Value[]): Promise<readonly Row[]> {
    const askedAtMs = performance.now()
    return within(silenceMs(this.#options), this.#run<Row>(sql, text, values), () => {
      // Otherwise it is only slow: there is more to do than it can.
      if (this.#lastHeardAtMs < askedAtMs) this.#connection.giveUp(sql)
    })
  }

  async #run<Row>(sql: Sql, text: string, values?: readonly Value[]): Promise<readonly Row[]> {
    try {
      const rows = await run<Row>(sql, text, values)
      this.#lastHeardAtMs = performance.now()
      return rows
    } catch (error) {
      // Before the driver has noticed it, the next one would ask there again.
      if (isLost(error)) this.#connection.giveUp(sql)
      // A refusal is an answer, too.
      else this.#lastHeardAtMs = performance.now()
      throw error
    }
  }
}
