import { busy, patienceMs } from '../writers.ts'
import { Crowd } from './crowd.ts'
import { Lines } from './lines.ts'
import type { Outcome, Work } from './shared-transaction.ts'

/** So that some are worked at while the database has the others, or its disk. */
export const mostAtOnce = 3
/** A transaction is not to take longer than those who wait for it are patient. */
const mostWorks = 64
/** Those that are under way may be held up themselves, and others may not come: answers and the next requests take less. */
const longestWaitMs = 2

/** What became of a work. Whoever does it alone says when that is over: until then nobody else is at its subject. */
export type Ended =
  | Exclude<Outcome, { readonly status: 'alone' }>
  | { readonly status: 'alone'; readonly release: () => void }

interface Waiting {
  /** What it works at; one work at a time does. */
  readonly subject: string
  readonly work: Work
  readonly resolve: (ended: Ended) => void
  readonly timer: NodeJS.Timeout
}

/** Says what became of each work, and before that when all that they put has been sent. */
export type CarryOut = (works: readonly Work[], noteSent: () => void) => Promise<readonly Outcome[]>

/** Collects works while earlier ones are under way: the more there are, the more of them go together. */
export class SharedWrites {
  readonly #carryOut: CarryOut
  readonly #crowd = new Crowd()
  readonly #lines = new Lines<Waiting>()
  #underWay = 0
  /** Transactions that have not sent what they put. */
  #asking = 0
  #isStarting = false
  #timer: NodeJS.Timeout | undefined

  constructor(carryOut: CarryOut) {
    this.#carryOut = carryOut
  }

  add(subject: string, work: Work): Promise<Ended> {
    return new Promise((resolve) => {
      const waiting = {
        subject,
        work,
        resolve,
        timer: setTimeout(() => this.#refuse(waiting), patienceMs),
      }
      this.#lines.add(waiting)
      this.#crowd.note(this.#lines.present)
      this.#startSoon()
    })
  }

  #refuse(waiting: Waiting): void {
    this.#lines.remove(waiting)
    waiting.resolve({ status: 'rejected', reason: busy() })
  }

  #startSoon(): void {
    if (this.#lines.free === 0 || this.#underWay >= mostAtOnce) return
    if (this.#isWorthStarting()) this.#startAtOnce()
    else this.#timer ??= setTimeout(() => this.#startInVain(), longestWaitMs)
  }

  #startInVain(): void {
    this.#crowd.shrinkTo(this.#lines.present)
    this.#startAtOnce()
  }

  /**
   * Not while another transaction still asks: both would be written at the same time, and the service would have nothing
   * to do meanwhile. Not with fewer works than lately went together: they are done as soon, and at less cost, with those
   * that come next.
   */
  #isWorthStarting(): boolean {
    return this.#asking === 0 && this.#lines.free >= this.#mostTogether
  }

  get #mostTogether(): number {
    return Math.min(mostWorks, this.#crowd.together)
  }

  /** What else comes in this turn of the event loop comes along. */
  #startAtOnce(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isStarting) return
    this.#isStarting = true
    setImmediate(() => {
      this.#isStarting = false
      const ready = this.#underWay < mostAtOnce ? this.#takeReady() : []
      // Those that are left wait for those that are under way.
      if (ready.length === 0) return
      void this.#start(ready)
      // More than one takes may have come.
      this.#startSoon()
    })
  }

  #takeReady(): readonly Waiting[] {
    const ready = this.#lines.take(this.#mostTogether)
    this.#crowd.fade(this.#lines.present)
    for (const { timer } of ready) clearTimeout(timer)
    return ready
  }

  async #start(together: readonly Waiting[]): Promise<void> {
    this.#underWay += 1
    const outcomeOf = await this.#outcomesOf(together.map(({ work }) => work))
    this.#underWay -= 1
    for (const [index, waiting] of together.entries()) this.#end(waiting, outcomeOf(index))
    this.#startSoon()
  }

  #end({ subject, resolve }: Waiting, outcome: Outcome): void {
    if (outcome.status === 'alone') {
      resolve({ ...outcome, release: () => this.#release(subject) })
    } else {
      this.#lines.release(subject)
      resolve(outcome)
    }
  }

  #release(subject: string): void {
    this.#lines.release(subject)
    this.#startSoon()
  }

  async #outcomesOf(works: readonly Work[]): Promise<(index: number) => Outcome> {
    const noteSent = this.#noteAsking()
    try {
      const outcomes = await this.#carryOut(works, noteSent)
      return (index) => outcomes[index] ?? { status: 'alone' }
    } catch (reason) {
      return () => ({ status: 'rejected', reason })
    } finally {
      noteSent()
    }
  }

  /** Returns what is called when it asks no more, once or more often. */
  #noteAsking(): () => void {
    let isAsking = true
    this.#asking += 1
    return () => {
      if (!isAsking) return
      isAsking = false
      this.#asking -= 1
      this.#startSoon()
    }
  }
}
