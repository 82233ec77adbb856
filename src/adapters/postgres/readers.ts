import { connect, type Sql, silenceMs } from './connect.ts'
import type { DatabaseOptions } from './database-options.ts'
import { isLost } from './faults.ts'
import { run, type Value } from './statements.ts'
import { within } from './within.ts'

/** Connections for statements that change nothing. */
export class Readers {
  readonly #options: DatabaseOptions
  readonly #connections: number
  /** Apart, because the others may be given up. */
  readonly #listener: Sql
  #sql: Sql
  #lastHeardAtMs = Number.NEGATIVE_INFINITY

  constructor(options: DatabaseOptions, connections: number) {
    this.#options = options
    this.#connections = connections
    this.#listener = connect(options, { connections: 1 })
    this.#sql = connect(options, { connections })
  }

  /** Asked once more when the connection turns out to be gone. */
  async ask<Row>(text: string, values?: readonly Value[]): Promise<readonly Row[]> {
    const sql = this.#sql
    const askedAtMs = performance.now()
    const answer = this.#run<Row>(sql, text, values).catch((error) => {
      if (!isLost(error)) throw error
      return this.#run<Row>(this.#sql, text, values)
    })
    return within(silenceMs(this.#options), answer, () => {
      // Otherwise it is only slow: there is more to do than it can.
      if (this.#lastHeardAtMs < askedAtMs) this.#giveUp(sql)
    })
  }

  async #run<Row>(sql: Sql, text: string, values?: readonly Value[]): Promise<readonly Row[]> {
    try {
      const rows = await run<Row>(sql, text, values)
      this.#lastHeardAtMs = performance.now()
      return rows
    } catch (error) {
      // A refusal is an answer, too.
      if (!isLost(error)) this.#lastHeardAtMs = performance.now()
      throw error
    }
  }

  /** Calls back at each notification, and whenever it begins to hear them, again. */
  async listen(channel: string, hear: () => void): Promise<void> {
    await this.#listener.listen(channel, hear, hear)
  }

  async close(): Promise<void> {
    await Promise.all([this.#sql.end({ timeout: 1 }), this.#listener.end({ timeout: 1 })])
  }

  #giveUp(sql: Sql): void {
    if (sql !== this.#sql) return
    this.#sql = connect(this.#options, { connections: this.#connections })
    void sql.end({ timeout: 0 }).catch(() => undefined)
  }
}
