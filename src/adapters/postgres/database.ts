import { setTimeout } from 'node:timers/promises'
import { type Connected, connect, connectOne, type DatabaseOptions, silenceMs } from './connect.ts'
import { closed, isFull, isLost, isSilent, unavailable, within } from './faults.ts'

export type Value = string | number | boolean | null

/** Text is the same for all callers, so each connection prepares it once. What comes back, the asker knows. */
export type Ask = <Row>(text: string, values?: readonly Value[]) => Promise<readonly Row[]>

/** So often a statement that changes nothing is asked again when its connection is lost; the others may be lost with it. */
const mostLosses = 3
/** After which one more connection than there are is asked for again. */
const fullForMs = 2000
/** How long is waited for one of those that there are. */
const fullPatienceMs = 1500
const pauseMs = 50
const mostTexts = 500

/**
 * Statements on the pool of the driver, each a transaction of its own. A pool that has lost a connection in the middle of
 * a statement is replaced, because the driver may send what was left of it on the next connection.
 */
export class Database {
  readonly #options: DatabaseOptions
  #pool: Promise<Connected> | undefined
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
    const lastAtMs = performance.now() + fullPatienceMs
    for (;;) {
      if (this.#isClosed) throw closed()
      await this.#enter()
      const opening = this.#open()
      try {
        const { sql, isPooled } = await opening
        const options = { prepare: !isPooled && this.#isPrepared(text), simple: false }
        const asked = sql.unsafe(text, [...values], options)
        return (await within(silenceMs(this.#options), asked)) as unknown as readonly Row[]
      } catch (error) {
        if (isLost(error) || isSilent(error)) this.#replace(opening)
        if (!isFull(error)) throw error
        this.#noteFull()
        // It was never asked, and those connections that there are will do.
        if (performance.now() > lastAtMs) throw error
      } finally {
        this.#leave()
      }
      await setTimeout(pauseMs * Math.random())
    }
  }

  /** What is under way may end; not when the database is silent. */
  async close(): Promise<void> {
    this.#isClosed = true
    const pool = await this.#pool?.catch(() => undefined)
    await pool?.sql.end({ timeout: 1 })
  }

  /** What is asked together makes many texts, and each connection keeps what it has prepared. */
  #isPrepared(text: string): boolean {
    if (this.#texts.has(text)) return true
    if (this.#texts.size >= mostTexts) return false
    this.#texts.add(text)
    return true
  }

  #open(): Promise<Connected> {
    if (this.#pool !== undefined) return this.#pool
    const opening = this.#connect()
    opening.catch(() => this.#replace(opening))
    this.#pool = opening
    return opening
  }

  async #connect(): Promise<Connected> {
    if (this.#isPooled === undefined) {
      const { sql, isPooled } = await connectOne(this.#options)
      void sql.end({ timeout: 1 })
      this.#isPooled = isPooled
    }
    const isPooled = this.#isPooled
    const sql = connect(this.#options, { connections: this.#options.poolSize, isPooled })
    return { sql, isPooled }
  }

  /** What is under way on its other connections ends there. */
  #replace(opening: Promise<Connected>): void {
    if (this.#pool !== opening) return
    this.#pool = undefined
    const timeout = silenceMs(this.#options) / 1000
    opening.then(({ sql }) => sql.end({ timeout })).catch(() => undefined)
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
