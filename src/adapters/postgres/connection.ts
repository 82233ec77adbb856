import { connect, connectMs, type Sql } from './connect.ts'
import type { DatabaseOptions } from './database-options.ts'
import { closed } from './faults.ts'
import { run } from './statements.ts'
import { within } from './within.ts'

export interface ConnectionParts {
  readonly isForWrites?: boolean
  /** The first statement on each new connection. */
  readonly begin: string
  /** The connection is gone, for whatever reason. */
  readonly onLost?: () => void
  readonly onNotify?: () => void
}

/**
 * One connection to the database, made when it is needed, and each with a client of the driver of its own. A client that
 * has lost its connection keeps what was under way: the next connection may be told the fate of the last one, or never
 * have an answer, or be tried again without a pause.
 */
export class Connection {
  readonly #options: DatabaseOptions
  readonly #parts: ConnectionParts
  #sql: Sql | undefined
  /** Not connected yet. */
  #begun: Sql | undefined
  #connecting: Promise<Sql> | undefined
  #isClosed = false

  constructor(options: DatabaseOptions, parts: ConnectionParts) {
    this.#options = options
    this.#parts = parts
  }

  get isConnected(): boolean {
    return this.#sql !== undefined
  }

  get isConnecting(): boolean {
    return this.#connecting !== undefined
  }

  /** Connects when there is no connection. */
  async live(): Promise<Sql> {
    if (this.#isClosed) throw closed()
    if (this.#sql) return this.#sql
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  /** Nothing more goes over this one; the next use makes another. */
  giveUp(sql = this.#sql): void {
    if (sql) this.#lose(sql)
  }

  /** What is under way may end; not when the database is silent. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#begun?.end({ timeout: 1 }), this.#sql?.end({ timeout: 1 })])
  }

  async #connect(): Promise<Sql> {
    const { begin, isForWrites, onNotify } = this.#parts
    const onClose = () => this.#lose(sql)
    const sql = connect(this.#options, { isForWrites, onNotify, onClose })
    this.#begun = sql
    try {
      await within(connectMs, run(sql, begin))
      this.#sql = sql
      return sql
    } catch (error) {
      abandon(sql)
      throw error
    } finally {
      this.#begun = undefined
    }
  }

  #lose(sql: Sql): void {
    if (sql !== this.#sql) return
    this.#sql = undefined
    abandon(sql)
    this.#parts.onLost?.()
  }
}

/** Whoever still waits for an answer of it is told that there will be none. */
function abandon(sql: Sql): void {
  void sql.end({ timeout: 0 }).catch(() => undefined)
}
