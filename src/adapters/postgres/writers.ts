import type { ConnectionLimit, Group } from './connection-limit.ts'
import type { DatabaseOptions } from './database-options.ts'
import { refusal } from './faults.ts'
import { Writer } from './writer.ts'

/** Longer than a burst takes; shorter than callers wait. */
export const patienceMs = 10_000

export interface WritersParts {
  readonly options: DatabaseOptions
  readonly count: number
  readonly limit: ConnectionLimit
  /** Others can do their work: it needs no connection when there are few. */
  readonly isSpare?: boolean
}

interface Waiting {
  readonly take: (writer: Writer) => void
  readonly refuse: (reason: unknown) => void
}

/** Connections for transactions, each with one at a time. */
export class Writers implements Group {
  readonly #parts: WritersParts
  readonly #all: readonly Writer[]
  readonly #idle: Writer[]
  readonly #waiting = new Set<Waiting>()
  /** While there is no other connection, all wait for this one. */
  #first: Writer | undefined
  /** Connections that another group needs more. */
  #surplus = 0

  constructor(parts: WritersParts) {
    this.#parts = parts
    this.#all = Array.from({ length: parts.count }, () => new Writer(parts.options))
    this.#idle = [...this.#all]
    parts.limit.add(this)
  }

  get areConnected(): boolean {
    return this.#all.some(({ isConnected }) => isConnected)
  }

  get isUsable(): boolean {
    return this.areConnected || !this.#parts.limit.isFull
  }

  /** Refuses when no connection can be had, or none in time. */
  async use<Result>(work: (writer: Writer) => Promise<Result>): Promise<Result> {
    const writer = await this.#take()
    try {
      return await work(writer)
    } finally {
      this.#giveBack(writer)
    }
  }

  releaseSpare(): void {
    const connected = this.#all.filter(({ isConnected }) => isConnected).length
    this.#surplus = connected - (this.#parts.isSpare ? 0 : 1)
    for (const writer of this.#idle) this.#giveUpSurplus(writer)
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((writer) => writer.close()))
  }

  async #take(): Promise<Writer> {
    const writer = this.#takeIdle() ?? (await this.#wait())
    if (writer.isConnected) return writer
    try {
      await this.#connect(writer)
    } catch (error) {
      this.#idle.unshift(writer)
      if (this.areConnected) return this.#take()
      for (const { refuse } of this.#waiting) refuse(error)
      throw error
    }
    this.#serve()
    return writer
  }

  /** One that is connected, if there is one; else one that may be. */
  #takeIdle(): Writer | undefined {
    const mayConnect = this.areConnected ? !this.#parts.limit.isFull : !this.#first
    const index = this.#idle.findLastIndex(({ isConnected }) => isConnected)
    if (index >= 0) return this.#idle.splice(index, 1)[0]
    return mayConnect ? this.#idle.pop() : undefined
  }

  async #connect(writer: Writer): Promise<void> {
    const { limit, isSpare } = this.#parts
    if (this.areConnected) return limit.connect(writer)
    this.#first = writer
    try {
      await (isSpare ? limit.connect(writer) : limit.connectFirst(this, writer))
    } finally {
      this.#first = undefined
    }
  }

  #wait(): Promise<Writer> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
        end()
      }
      const waiting: Waiting = {
        take: (writer) => settle(() => resolve(writer)),
        refuse: (reason) => settle(() => reject(reason)),
      }
      const timer = setTimeout(() => waiting.refuse(busy()), patienceMs)
      this.#waiting.add(waiting)
    })
  }

  #giveBack(writer: Writer): void {
    this.#giveUpSurplus(writer)
    this.#idle.push(writer)
    this.#serve()
  }

  #serve(): void {
    for (const { take } of this.#waiting) {
      const writer = this.#takeIdle()
      if (!writer) return
      take(writer)
    }
  }

  #giveUpSurplus(writer: Writer): void {
    if (this.#surplus <= 0 || !writer.isConnected) return
    this.#surplus -= 1
    writer.giveUp()
  }
}

export function busy() {
  return refusal('All connections to the database are busy. Try again later.')
}
