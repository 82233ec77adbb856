import type postgres from 'postgres'
import { connectMs, silenceMs } from './connect.ts'
import { Connection } from './connection.ts'
import type { DatabaseOptions } from './database-options.ts'
import { closed, connectionClosed, silent } from './faults.ts'
import { run, type Value } from './statements.ts'
import { within } from './within.ts'

// What is acknowledged is on the disk, though the database be set to promise less; where it promises more, it does.
const waitForDisk = `select set_config('synchronous_commit', 'on', false)
  where current_setting('synchronous_commit') = 'off'`

/**
 * One connection of its own, for transactions. Once it is gone, nothing of what was begun on it can get into another
 * one: every statement belongs to the life of the connection that it was begun in.
 */
export class Writer {
  readonly #options: DatabaseOptions
  readonly #connection: Connection
  #life: Life | undefined
  #beginning: Promise<Life> | undefined

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.#connection = new Connection(options, {
      isForWrites: true,
      begin: waitForDisk,
      onLost: () => this.#end(connectionLost()),
    })
  }

  get isConnected(): boolean {
    return this.#connection.isConnected
  }

  /** Connects when there is no connection. */
  async live(): Promise<Life> {
    if (this.#life) return this.#life
    this.#beginning ??= this.#begin().finally(() => {
      this.#beginning = undefined
    })
    return this.#beginning
  }

  /** The next use makes another connection. */
  giveUp(): void {
    this.#connection.giveUp()
  }

  /** What is under way may end; not when the database is silent. */
  async close(): Promise<void> {
    const life = this.#life
    life?.release()
    this.#life = undefined
    await this.#connection.close()
    life?.end(closed())
  }

  async #begin(): Promise<Life> {
    const sql = await this.#connection.live()
    const reserved = await within(connectMs, sql.reserve())
    this.#life = new Life(reserved, this.#patienceMs(), () => this.#connection.giveUp(sql))
    return this.#life
  }

  /** Without a limit for statements, none for silence. */
  #patienceMs(): number | undefined {
    return this.#options.statementTimeoutMs > 0 ? silenceMs(this.#options) : undefined
  }

  #end(reason: Error): void {
    const life = this.#life
    this.#life = undefined
    life?.end(reason)
  }
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
      this.end(silent())
      noteSilence()
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
  return connectionClosed('The connection to the database is closed.')
}
