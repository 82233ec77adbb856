import type postgres from 'postgres'
import { connect, connectMs, type Sql, silenceMs } from './connect.ts'
import type { DatabaseOptions } from './database-options.ts'
import { closed, isFull, silent } from './faults.ts'
import { run, type Value } from './statements.ts'
import { within } from './within.ts'

/**
 * One connection of its own, for transactions. Once it is gone, nothing of what was begun on it can get into another
 * one: every statement belongs to the life of the connection that it was begun in.
 */
export class Writer {
  readonly #options: DatabaseOptions
  readonly #noteFull: () => void
  #sql: Sql
  #life: Life | undefined
  #connecting: Promise<Life> | undefined
  #isClosed = false

  constructor(options: DatabaseOptions, noteFull = () => {}) {
    this.#options = options
    this.#noteFull = noteFull
    this.#sql = this.#newClient()
  }

  get isConnected(): boolean {
    return this.#life !== undefined
  }

  /** Connects when there is no connection. */
  async live(): Promise<Life> {
    if (this.#isClosed) throw closed()
    if (this.#life) return this.#life
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  /** What is under way may end; not when the database is silent. */
  async close(): Promise<void> {
    const life = this.#life
    this.#isClosed = true
    life?.release()
    this.#life = undefined
    await this.#sql.end({ timeout: 1 })
    life?.end(closed())
  }

  #newClient(): Sql {
    const client: Sql = connect(this.#options, {
      connections: 1,
      isForWrites: true,
      onClose: () => this.#lose(client),
    })
    return client
  }

  async #connect(): Promise<Life> {
    const sql = this.#sql
    try {
      const reserved = await within(connectMs, reserve(sql))
      this.#life = new Life(reserved, this.#patienceMs(), () => this.#giveUp(sql))
      return this.#life
    } catch (error) {
      // The driver may wait for ever for a connection that was lost while it was being made.
      this.#giveUp(sql)
      if (isFull(error)) this.#noteFull()
      throw error
    }
  }

  /** Without a limit for statements, none for silence. */
  #patienceMs(): number | undefined {
    return this.#options.statementTimeoutMs > 0 ? silenceMs(this.#options) : undefined
  }

  #giveUp(client: Sql): void {
    if (client !== this.#sql) return
    this.#sql = this.#newClient()
    this.#life = undefined
    void client.end({ timeout: 0 }).catch(() => undefined)
  }

  #lose(client: Sql): void {
    if (client !== this.#sql) return
    this.#life?.end(connectionLost())
    this.#life = undefined
  }
}

// What is acknowledged is on the disk, though the database be set to promise less; where it promises more, it does.
const waitForDisk = `select set_config('synchronous_commit', 'on', false)
  where current_setting('synchronous_commit') = 'off'`

/** The driver hands out no connection that it makes for that alone, unless it may ask for types: see `connect`. */
async function reserve(sql: Sql): Promise<postgres.ReservedSql> {
  await run(sql, waitForDisk)
  return sql.reserve()
}

/** Of one connection, from its beginning to its end. */
export class Life {
  readonly #reserved: postgres.ReservedSql
  readonly #unanswered = new Set<(error: Error) => void>()
  readonly #patience: NodeJS.Timeout | undefined
  #isOver = false

  /** When something asked has no answer, and nothing else has, for `patienceMs`, it ends and says so. */
  constructor(
    reserved: postgres.ReservedSql,
    patienceMs?: number,
    noteSilence: () => void = () => {},
  ) {
    this.#reserved = reserved
    if (patienceMs === undefined) return
    this.#patience = setTimeout(() => {
      if (this.#unanswered.size === 0) return
      noteSilence()
      this.end(silent())
    }, patienceMs).unref()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** With what those are told that still wait. */
  end(reason: Error): void {
    this.#isOver = true
    for (const reject of this.#unanswered) reject(reason)
    this.#unanswered.clear()
  }

  release(): void {
    this.#reserved.release()
  }

  query<Row>(text: string, values?: readonly Value[]): Promise<readonly Row[]> {
    return this.#ask(() => run<Row>(this.#reserved, text, values))
  }

  /** Without parameters, such as `commit`: returns what was done, for one statement. */
  async command(text: string): Promise<string> {
    const answer = await this.#ask(async () => this.#reserved.unsafe(text))
    return answer.command
  }

  /** The driver leaves statements unanswered that it had not yet sent when the connection was lost. */
  #ask<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#isOver) return Promise.reject(connectionLost())
    return new Promise((resolve, reject) => {
      if (this.#unanswered.size === 0) this.#patience?.refresh()
      this.#unanswered.add(reject)
      ask()
        .then(resolve, reject)
        .finally(() => {
          this.#unanswered.delete(reject)
          this.#patience?.refresh()
        })
    })
  }
}

function connectionLost(): Error {
  return Object.assign(new Error('The connection to the database is closed.'), {
    code: 'CONNECTION_CLOSED',
  })
}
