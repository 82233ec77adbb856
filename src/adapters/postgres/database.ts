import { setTimeout } from 'node:timers/promises'
import { type Connected, connect, connectOne, type DatabaseOptions, silenceMs } from './connect.ts'
import { closed, isFull, isLost, isSilent, unavailable, withTimeout } from './faults.ts'

export type Value = string | number | boolean | null

/** Each connection prepares a text once, so texts should not depend on values. */
export type Ask = <Row>(text: string, values?: readonly Value[]) => Promise<readonly Row[]>

/** The number of times that a read is sent again after a lost connection. Other connections may be lost with it. */
const maximumRetries = 3
/** The pause before another connection is requested after the database has refused one. */
const refusalPauseMs = 2000
/** The maximum time that a statement waits for a free connection after such a refusal. */
const connectionWaitMs = 1500
const pauseMs = 50
const maximumTexts = 500

/**
 * Runs statements on the pool of the driver, each as its own transaction. After a connection is lost in the middle of a
 * statement, the pool is replaced, because the driver may send the remainder of the statement on the next connection.
 */
export class Database {
  readonly #options: DatabaseOptions
  #pool: Promise<Connected> | undefined
  #isPooled: boolean | undefined
  /** Never above the number of connections: the driver would queue further statements behind others. */
  #running = 0
  #waiting: (() => void)[] = []
  #maximum = 1
  #fullUntilMs = Number.NEGATIVE_INFINITY
  #isClosed = false
  readonly #texts = new Set<string>()

  constructor(options: DatabaseOptions) {
    this.#options = options
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Whether the database has just refused a connection. */
  get isFull(): boolean {
    return performance.now() < this.#fullUntilMs
  }

  /** undefined before the first connection. */
  get isPooled(): boolean | undefined {
    return this.#isPooled
  }

  /** Runs a statement that only reads. */
  readonly ask: Ask = async <Row>(text: string, values: readonly Value[] = []) => {
    for (let losses = 0; ; losses += 1) {
      try {
        return await this.run<Row>(text, values)
      } catch (error) {
        if (!isLost(error) || losses >= maximumRetries) throw unavailable(error)
      }
    }
  }

  /** Runs the statement once and throws the errors of the driver. */
  async run<Row>(text: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    const lastAtMs = performance.now() + connectionWaitMs
    for (;;) {
      if (this.#isClosed) throw closed()
      await this.#enter()
      const opening = this.#open()
      try {
        const { sql, isPooled } = await opening
        this.#isPooled = isPooled
        const options = { prepare: !isPooled && this.#isPrepared(text), simple: false }
        const asked = sql.unsafe(text, [...values], options)
        return (await withTimeout(silenceMs(this.#options), asked)) as unknown as readonly Row[]
      } catch (error) {
        if (isLost(error) || isSilent(error)) this.#replace(opening)
        if (!isFull(error)) throw error
        this.#fullUntilMs = performance.now() + refusalPauseMs
        this.#maximum = Math.max(1, this.#running - 1)
        // The statement was not sent, so it can be tried again: an existing connection may become free.
        if (performance.now() > lastAtMs) throw error
      } finally {
        this.#leave()
      }
      await setTimeout(pauseMs * Math.random())
    }
  }

  /** Gives running statements a second to end. */
  async close(): Promise<void> {
    this.#isClosed = true
    const pool = await this.#pool?.catch(() => undefined)
    await pool?.sql.end({ timeout: 1 })
  }

  /** Limits the prepared texts: batches make many different texts, and each connection keeps all of them. */
  #isPrepared(text: string): boolean {
    if (this.#texts.size < maximumTexts) this.#texts.add(text)
    return this.#texts.has(text)
  }

  #open(): Promise<Connected> {
    if (this.#pool !== undefined) return this.#pool
    const opening = this.openPool()
    opening.catch(() => this.#replace(opening))
    this.#pool = opening
    return opening
  }

  /** Several of these may share a pool. */
  protected async openPool(): Promise<Connected> {
    if (this.#isPooled === undefined) {
      const { sql, isPooled } = await connectOne(this.#options)
      void sql.end({ timeout: 1 })
      this.#isPooled = isPooled
    }
    const isPooled = this.#isPooled
    const sql = connect(this.#options, { connections: this.#options.poolSize, isPooled })
    return { sql, isPooled }
  }

  /** Statements on the other connections of the old pool end normally. */
  #replace(opening: Promise<Connected>): void {
    if (this.#pool !== opening) return
    this.#pool = undefined
    const timeout = silenceMs(this.#options) / 1000
    opening.then(({ sql }) => sql.end({ timeout })).catch(() => undefined)
  }

  async #enter(): Promise<void> {
    while (this.#running >= (this.isFull ? this.#maximum : this.#options.poolSize)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#running += 1
  }

  #leave(): void {
    this.#running -= 1
    this.#waiting.shift()?.()
  }
}
