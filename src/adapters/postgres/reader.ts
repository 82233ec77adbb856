import { connect, type Sql, silenceMs } from './connect.ts'
import type { DatabaseOptions } from './database-options.ts'
import { isFull, isLost } from './faults.ts'
import { run, type Value } from './statements.ts'
import { within } from './within.ts'

/** One connection for statements that change nothing; they go out without waiting for each other. */
export class Reader {
  readonly #options: DatabaseOptions
  #sql: Sql
  #lastHeardAtMs = Number.NEGATIVE_INFINITY
  #asked = 0
  #isConnected = false

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.#sql = this.#newClient()
  }

  get isConnected(): boolean {
    return this.#isConnected
  }

  /** Statements that have no answer yet. */
  get asked(): number {
    return this.#asked
  }

  async ask<Row>(text: string, values?: readonly Value[]): Promise<readonly Row[]> {
    const sql = this.#sql
    const askedAtMs = performance.now()
    this.#asked += 1
    try {
      return await within(silenceMs(this.#options), this.#run<Row>(sql, text, values), () => {
        // Otherwise it is only slow: there is more to do than it can.
        if (this.#lastHeardAtMs < askedAtMs) this.#giveUp(sql)
      })
    } finally {
      this.#asked -= 1
    }
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 1 })
  }

  async #run<Row>(sql: Sql, text: string, values?: readonly Value[]): Promise<readonly Row[]> {
    try {
      const rows = await run<Row>(sql, text, values)
      this.#noteHeard(sql)
      return rows
    } catch (error) {
      // Otherwise the next one would wait before it tries, and everybody else with it.
      if (isFull(error)) this.#giveUp(sql)
      // Any other refusal is an answer, too.
      else if (!isLost(error)) this.#noteHeard(sql)
      throw error
    }
  }

  #noteHeard(sql: Sql): void {
    if (sql !== this.#sql) return
    this.#lastHeardAtMs = performance.now()
    this.#isConnected = true
  }

  #newClient(): Sql {
    const client: Sql = connect(this.#options, {
      connections: 1,
      onClose: () => {
        if (client === this.#sql) this.#isConnected = false
      },
    })
    return client
  }

  #giveUp(client: Sql): void {
    if (client !== this.#sql) return
    this.#sql = this.#newClient()
    this.#isConnected = false
    void client.end({ timeout: 0 }).catch(() => undefined)
  }
}
