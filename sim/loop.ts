import { createHash } from 'node:crypto'
import type { Dice } from './dice.ts'

/** The process that waits for a step. The steps of a crashed process never happen. */
export interface Owner {
  readonly isDead: boolean
}

/** A step that happens at its time, unless somebody cancels it. */
export interface Step {
  readonly atMs: number
  isCancelled: boolean
}

interface Planned extends Step {
  /** Decides the order of steps that are due at the same instant. */
  readonly tie: number
  readonly owner: Owner | undefined
  readonly run: () => void
}

const { nextTick } = process

/**
 * Runs one step after the other, in an order that the seed decides. Before the next step it waits
 * for everything that follows from a step immediately. If no step is due, the time jumps to the
 * next one.
 */
export class Loop {
  nowMs = 0
  steps = 0
  readonly #dice: Dice
  readonly #planned: Planned[] = []
  readonly #digest = createHash('sha256')

  constructor(dice: Dice) {
    this.#dice = dice
  }

  plan(afterMs: number, run: () => void, owner?: Owner): Step {
    const atMs = this.nowMs + Math.max(0, afterMs)
    const step: Planned = { atMs, tie: this.#dice.word(), owner, run, isCancelled: false }
    this.#push(step)
    return step
  }

  /** Plans a later step and resolves with the answer of `run` in that step. */
  reply<Answer>(afterMs: number, owner: Owner | undefined, run: () => Answer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const answer = () => {
        try {
          resolve(run())
        } catch (error) {
          reject(error as Error)
        }
      }
      this.plan(afterMs, answer, owner)
    })
  }

  pause(ms: number): Promise<void> {
    return this.reply(ms, undefined, () => undefined)
  }

  /** Runs steps until the work is done. */
  async until<Answer>(work: Promise<Answer>): Promise<Answer> {
    let isDone = false
    const done = () => {
      isDone = true
    }
    work.then(done, done)
    await settled()
    while (!isDone) {
      if (!(await this.next())) throw new Error('Nothing is planned, and the work is not done.')
    }
    return work
  }

  /** Runs all steps that are due up to an instant. */
  async runUntil(ms: number, isOver: () => boolean = () => false): Promise<void> {
    for (let next = this.#first(); next && next.atMs <= ms; next = this.#first()) {
      await this.next()
      if (isOver()) return
    }
    this.nowMs = Math.max(this.nowMs, ms)
  }

  /** Adds something to the digest of the history. */
  note(what: string | Uint8Array): void {
    this.#digest.update(what)
  }

  digest(): string {
    return this.#digest.copy().digest('hex').slice(0, 16)
  }

  async next(): Promise<boolean> {
    const step = this.#first()
    if (!step) return false
    this.#pop()
    this.nowMs = Math.max(this.nowMs, step.atMs)
    this.steps += 1
    step.run()
    await settled()
    return true
  }

  #first(): Planned | undefined {
    for (let first = this.#planned[0]; first; first = this.#planned[0]) {
      if (!first.isCancelled && !first.owner?.isDead) return first
      this.#pop()
    }
    return undefined
  }

  // The planned steps are a heap, because many timers are far in the future.
  #push(step: Planned): void {
    const heap = this.#planned
    let at = heap.push(step) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!isBefore(step, heap[above] as Planned)) break
      heap[at] = heap[above] as Planned
      at = above
    }
    heap[at] = step
  }

  #pop(): void {
    const heap = this.#planned
    const last = heap.pop()
    if (!last || heap.length === 0) return
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      const right = heap[below + 1]
      if (right && isBefore(right, heap[below] as Planned)) below += 1
      if (!isBefore(heap[below] as Planned, last)) break
      heap[at] = heap[below] as Planned
      at = below
    }
    heap[at] = last
  }
}

function isBefore(left: Planned, right: Planned): boolean {
  return left.atMs < right.atMs || (left.atMs === right.atMs && left.tie < right.tie)
}

/**
 * Resolves when everything has happened that needs no other step. Node runs all microtasks between
 * two calls of `nextTick`, which take far less time than a turn of the event loop. What a stream
 * does in further calls happens in later steps, in the same order each time.
 */
export async function settled(): Promise<void> {
  await new Promise<void>((resolve) => {
    nextTick(resolve)
  })
  await new Promise<void>((resolve) => {
    nextTick(resolve)
  })
}
