import { setTimeout } from 'node:timers/promises'
import { connect, connectMs, type DatabaseOptions, type Sql, silenceMs } from './connect.ts'
import { closed, isFull, isLost, isSilent, refusal, unavailable, within } from './faults.ts'

export type Value = string | number | boolean | null

/** Text is the same for all callers, so each connection prepares it once. What comes back, the asker knows. */
export type Ask = <Row>(text: string, values?: readonly Value[]) => Promise<readonly Row[]>

interface Pool {
  readonly sql: Sql
  readonly isPooled: boolean
}

/** So often a statement that changes nothing is asked again when its connection is lost; the others may be lost with it. */
const mostLosses = 3
/** After which one more connection than there are is asked for again. */
const fullForMs = 2000
/** How long is waited for one of those that there are. */
const fullPatienceMs = 1500
const pauseMs = 50
const mostTexts = 500
const ofPooler = /^unsupported startup parameter/
const look = `select pg_backend_pid() as pid, current_setting('default_transaction_isolation') as isolation`

/**
 * Statements on the pool of the driver, each a transaction of its own. A pool that has lost a connection in the middle of
 * a statement is replaced, because the driver may send what was left of it on the next connection.
 */
export class Database {
  readonly #options: DatabaseOptions
  #pool: Pool | undefined
  #opening: Promise<Pool> | undefined
  #isPooled: boolean | undefined
  /** Statements under way, no more than connections: the driver would let one wait behind another. */
  #underWay = 0
  #waiting: (() => void)[] = []
  #most = 1
  #fullUntilMs = Number.NEGATIVE_INFINITY
  #isClosed = false
  readonly #texts = new Set<string>()

  constructor(options: DatabaseOptions) {
    this.#options = options
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The database has just refused a connection. */
  get isFull(): boolean {
    return performance.now() < this.#fullUntilMs
  }

  /** undefined as long as nothing was asked. */
  get isPooled(): boolean | undefined {
    return this.#isPooled
  }

  /** One statement that changes nothing. */
  readonly ask: Ask = async <Row>(text: string, values: readonly Value[] = []) => {
    for (let losses = 0; ; losses += 1) {
      try {
        return await this.run<Row>(text, values)
      } catch (error) {
        if (!isLost(error) || losses >= mostLosses) throw unavailable(error)
      }
    }
  }

  /** Once; it throws what the driver throws. */
  async run<Row>(text: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    return this.#use(async ({ sql, isPooled }) => {
      const options = { prepare: !isPooled && this.#isPrepared(text), simple: false }
      return (await sql.unsafe(text, [...values], options)) as unknown as readonly Row[]
    })
  }

  /** Several statements in one transaction, each of which waits for the one before. */
  async transact<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
    try {
      return await this.#use(async ({ sql, isPooled }) => {
        const options = { prepare: !isPooled, simple: false }
        const begun = sql.begin('isolation level read committed', (transaction) =>
          work(
            async <Row>(text: string, values: readonly Value[] = []) =>
              (await transaction.unsafe(text, [...values], options)) as unknown as readonly Row[],
          ),
        )
        return begun as Promise<Result>
      })
    } catch (error) {
      throw unavailable(error)
    }
  }

  /** What is under way may end; not when the database is silent. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#opening?.catch(() => undefined), this.#pool?.sql.end({ timeout: 1 })])
    await this.#pool?.sql.end({ timeout: 1 })
  }

  /** What is asked together makes many texts, and each connection keeps what it has prepared. */
  #isPrepared(text: string): boolean {
    if (this.#texts.has(text)) return true
    if (this.#texts.size >= mostTexts) return false
    this.#texts.add(text)
    return true
  }

  async #use<Result>(work: (pool: Pool) => Promise<Result>): Promise<Result> {
    const lastAtMs = performance.now() + fullPatienceMs
    for (;;) {
      if (this.#isClosed) throw closed()
      await this.#enter()
      try {
        return await this.#useOnce(work)
      } catch (error) {
        // It was never asked, and those connections that there are will do.
        if (!isFull(error) || performance.now() > lastAtMs) throw error
      } finally {
        this.#leave()
      }
      await setTimeout(pauseMs * Math.random())
    }
  }

  async #useOnce<Result>(work: (pool: Pool) => Promise<Result>): Promise<Result> {
    let pool: Pool | undefined
    try {
      pool = await this.#open()
      return await within(silenceMs(this.#options), work(pool))
    } catch (error) {
      if (isFull(error)) this.#noteFull()
      else if (pool && (isLost(error) || isSilent(error))) this.#replace(pool)
      throw error
    }
  }

  async #open(): Promise<Pool> {
    if (this.#pool) return this.#pool
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #connect(): Promise<Pool> {
    const isPooled = this.#isPooled ?? (await this.#findPooler())
    const sql = connect(this.#options, { connections: this.#options.poolSize, isPooled })
    this.#isPooled = isPooled
    this.#pool = { sql, isPooled }
    return this.#pool
  }

  /** A pooler in between keeps nothing that is set for a connection, and says who it is by answering for another process. */
  async #findPooler(): Promise<boolean> {
    try {
      return await this.#isAnsweredByAnother(false)
    } catch (error) {
      if (!ofPooler.test((error as Error).message)) throw error
      await this.#isAnsweredByAnother(true)
      return true
    }
  }

  async #isAnsweredByAnother(isPooled: boolean): Promise<boolean> {
    const sql = connect(this.#options, { connections: 1, isPooled })
    try {
      const asked = sql.unsafe<{ pid: number; isolation: string }[]>(look, [])
      const answer = await within(connectMs, asked)
      const [row] = answer
      const isOther = row?.pid !== answer.state.pid
      if (isOther && row?.isolation !== 'read committed') {
        throw refusal(
          'The database is set to another default_transaction_isolation than `read committed`, which a pooler in between does not let this program change. Set it for the role.',
        )
      }
      return isOther
    } finally {
      void sql.end({ timeout: 1 })
    }
  }

  /** What is under way on its other connections ends there. */
  #replace(pool: Pool): void {
    if (this.#pool !== pool) return
    this.#pool = undefined
    void pool.sql.end({ timeout: silenceMs(this.#options) / 1000 })
  }

  #noteFull(): void {
    this.#fullUntilMs = performance.now() + fullForMs
    this.#most = Math.max(1, this.#underWay - 1)
  }

  async #enter(): Promise<void> {
    while (this.#underWay >= (this.isFull ? this.#most : this.#options.poolSize)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#underWay += 1
  }

  #leave(): void {
    this.#underWay -= 1
    this.#waiting.shift()?.()
  }
}
