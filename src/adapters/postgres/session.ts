import { connectOne, type DatabaseOptions, type Sql } from './connect.ts'
import type { Ask, Value } from './database.ts'
import { explained } from './explaining.ts'
import { connectionClosed } from './faults.ts'

/**
 * One connection for long transactions of operators. Statements have no time limit, and errors are explained. After the
 * connection is lost, no statement is sent: the driver would reconnect, outside of the transaction.
 */
export class Session {
  readonly #options: DatabaseOptions
  #sql: Sql | undefined

  private constructor(options: DatabaseOptions) {
    this.#options = options
  }

  static async open(options: DatabaseOptions): Promise<Session> {
    const session = new Session(options)
    try {
      const { sql } = await connectOne({ ...options, statementTimeoutMs: 0 }, () => {
        session.#sql = undefined
      })
      session.#sql = sql
      return session
    } catch (error) {
      throw explained(options, error)
    }
  }

  /** A text without values may contain several statements. */
  readonly ask: Ask = async <Row>(text: string, values: readonly Value[] = []) => {
    try {
      if (!this.#sql) throw connectionClosed('The connection to the database is closed.')
      // Unnamed statements work through a pooler, and each is run once or twice only.
      const answer = await this.#sql.unsafe(text, [...values], { prepare: false })
      return answer as unknown as readonly Row[]
    } catch (error) {
      throw explained(this.#options, error)
    }
  }

  async close(): Promise<void> {
    const sql = this.#sql
    this.#sql = undefined
    await sql?.end({ timeout: 1 })
  }
}

/** Closes the connection when the work has ended, and so rolls back an open transaction. */
export async function withSession<Result>(
  options: DatabaseOptions,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = await Session.open(options)
  return work(session).finally(() => session.close())
}
