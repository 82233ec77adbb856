import { busy, patienceMs } from '../writers.ts'
import type { Outcome, Work } from './shared-transaction.ts'

/** So that some are worked at while the database has the others, or its disk. */
export const mostAtOnce = 3
/** A transaction is not to take longer than those who wait for it are patient. */
const mostWorks = 64
/** Those that are under way may be held up themselves. */
const longestWaitMs = 20

interface Waiting {
  /** What it works at; one work at a time does. */
  readonly subject: string
  readonly work: Work
  readonly settle: (outcome: Outcome) => void
  readonly timer: NodeJS.Timeout
}

/** Collects works while earlier ones are under way: the more there are, the more of them go together. */
export class SharedWrites {
  /** Says what became of each of them. */
  readonly #carryOut: (works: readonly Work[]) => Promise<readonly Outcome[]>
  #waiting: Waiting[] = []
  /** Of all that are under way. */
  readonly #subjects = new Set<string>()
  #underWay = 0
  #isStarting = false
  #timer: NodeJS.Timeout | undefined

  constructor(carryOut: (works: readonly Work[]) => Promise<readonly Outcome[]>) {
    this.#carryOut = carryOut
  }

  add(subject: string, work: Work): Promise<Outcome> {
    return new Promise((settle) => {
      const waiting = {
        subject,
        work,
        settle,
        timer: setTimeout(() => this.#refuse(waiting), patienceMs),
      }
      this.#waiting.push(waiting)
      this.#startSoon()
    })
  }

  #refuse(waiting: Waiting): void {
    this.#waiting = this.#waiting.filter((other) => other !== waiting)
    waiting.settle({ status: 'rejected', reason: busy() })
  }

  #startSoon(): void {
    if (this.#waiting.length === 0 || this.#underWay >= mostAtOnce) return
    if (this.#isWorthStarting()) this.#startAtOnce()
    else this.#timer ??= setTimeout(() => this.#startAtOnce(), longestWaitMs)
  }

  /** Fewer than those that are under way get there as soon, and cost less, with what comes until those are done. */
  #isWorthStarting(): boolean {
    return this.#underWay === 0 || this.#waiting.length >= this.#subjects.size
  }

  /** What else comes in this turn of the event loop comes along. */
  #startAtOnce(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isStarting) return
    this.#isStarting = true
    setImmediate(() => {
      this.#isStarting = false
      if (this.#underWay < mostAtOnce) void this.#start(this.#takeReady())
      // More than one takes may have come.
      this.#startSoon()
    })
  }

  #takeReady(): readonly Waiting[] {
    const ready: Waiting[] = []
    this.#waiting = this.#waiting.filter((waiting) => {
      if (ready.length >= mostWorks || this.#subjects.has(waiting.subject)) return true
      this.#subjects.add(waiting.subject)
      clearTimeout(waiting.timer)
      ready.push(waiting)
      return false
    })
    return ready
  }

  async #start(together: readonly Waiting[]): Promise<void> {
    if (together.length === 0) return
    this.#underWay += 1
    const outcomeOf = await this.#outcomesOf(together.map(({ work }) => work))
    this.#underWay -= 1
    for (const { subject } of together) this.#subjects.delete(subject)
    for (const [index, { settle }] of together.entries()) settle(outcomeOf(index))
    this.#startSoon()
  }

  async #outcomesOf(works: readonly Work[]): Promise<(index: number) => Outcome> {
    try {
      const outcomes = await this.#carryOut(works)
      return (index) => outcomes[index] ?? { status: 'alone' }
    } catch (reason) {
      return () => ({ status: 'rejected', reason })
    }
  }
}
