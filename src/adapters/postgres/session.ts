import { connect, connectMs, type DatabaseOptions, type Sql } from './connect.ts'
import type { Ask } from './database.ts'
import { connectionClosed, within } from './faults.ts'

/**
 * One connection for long transactions of operators: a statement may take as long as it likes. Once the connection is gone
 * nothing more is asked: the driver would make another one, outside of the transaction.
 */
export class Session {
  readonly #sql: Sql
  #isOver = false

  private constructor(options: DatabaseOptions, isPooled: boolean) {
    const onClose = () => {
      this.#isOver = true
    }
    const unlimited = { ...options, statementTimeoutMs: 0 }
    this.#sql = connect(unlimited, { connections: 1, isPooled, onClose })
  }

  static async open(options: DatabaseOptions): Promise<Session> {
    try {
      return await Session.#open(options, false)
    } catch (error) {
      if (!/^unsupported startup parameter/.test((error as Error).message)) throw error
      return Session.#open(options, true)
    }
  }

  static async #open(options: DatabaseOptions, isPooled: boolean): Promise<Session> {
    const session = new Session(options, isPooled)
    try {
      await within(connectMs, session.command('select'))
      return session
    } catch (error) {
      await session.close()
      throw error
    }
  }

  readonly ask: Ask = async <Row>(
    text: string,
    values: readonly (string | number | boolean | null)[] = [],
  ) => {
    if (this.#isOver) throw connectionClosed('The connection to the database is closed.')
    // Unnamed, because a pooler may be in between; each is asked once or twice.
    const options = { prepare: false, simple: false }
    return (await this.#sql.unsafe(text, [...values], options)) as unknown as readonly Row[]
  }

  /** Without parameters, and several in one text. */
  async command(text: string): Promise<void> {
    if (this.#isOver) throw connectionClosed('The connection to the database is closed.')
    await this.#sql.unsafe(text)
  }

  async close(): Promise<void> {
    this.#isOver = true
    await this.#sql.end({ timeout: 1 })
  }
}

/** Closed when the work has ended; a transaction that it leaves open ends with it. */
export async function withSession<Result>(
  options: DatabaseOptions,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = await Session.open(options)
  return work(session).finally(() => session.close())
}
