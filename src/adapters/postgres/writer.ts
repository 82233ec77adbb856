import type postgres from 'postgres'
import { connect, connectMs, type Sql } from './connect.ts'
import type { DatabaseOptions } from './database-options.ts'
import { run, type Value } from './statements.ts'
import { within } from './within.ts'

/**
 * One connection of its own, for transactions. Once it is gone, nothing of what was begun on it can get into another
 * one: every statement belongs to the life of the connection that it was begun in.
 */
export class Writer {
  readonly #sql: Sql
  #life: Life | undefined
  #connecting: Promise<Life> | undefined

  constructor(options: DatabaseOptions) {
    this.#sql = connect(options, { connections: 1, onClose: () => this.#lose() })
  }

  /** Connects when there is no connection. */
  async live(): Promise<Life> {
    if (this.#life) return this.#life
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined
    })
    return within(connectMs, this.#connecting)
  }

  async #connect(): Promise<Life> {
    this.#life = new Life(await this.#sql.reserve())
    return this.#life
  }

  async close(): Promise<void> {
    this.#life?.reserved.release()
    this.#life = undefined
    await this.#sql.end({ timeout: 1 })
  }

  #lose(): void {
    this.#life?.end()
    this.#life = undefined
  }
}

/** Of one connection, from its beginning to its end. */
export class Life {
  readonly reserved: postgres.ReservedSql
  readonly #unanswered = new Set<(error: Error) => void>()
  #isOver = false

  constructor(reserved: postgres.ReservedSql) {
    this.reserved = reserved
  }

  get isOver(): boolean {
    return this.#isOver
  }

  end(): void {
    this.#isOver = true
    for (const reject of this.#unanswered) reject(connectionLost())
    this.#unanswered.clear()
  }

  query<Row>(text: string, values?: readonly Value[]): Promise<readonly Row[]> {
    return this.#ask(() => run<Row>(this.reserved, text, values))
  }

  /** `begin`, `commit`, `rollback`: returns what was done. */
  async command(text: string): Promise<string> {
    const answer = await this.#ask(async () => this.reserved.unsafe(text))
    return answer.command
  }

  /** The driver leaves statements unanswered that it had not yet sent when the connection was lost. */
  #ask<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#isOver) return Promise.reject(connectionLost())
    return new Promise((resolve, reject) => {
      this.#unanswered.add(reject)
      ask()
        .then(resolve, reject)
        .finally(() => this.#unanswered.delete(reject))
    })
  }
}

function connectionLost(): Error {
  return Object.assign(new Error('The connection to the database is closed.'), {
    code: 'CONNECTION_CLOSED',
  })
}
