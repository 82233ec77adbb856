import type { Load } from '../load/load.ts'
import { OpenedClient, openAll } from '../load/opened-client.ts'
import { Slice } from './slice.ts'

const tickMs = 5
/** The maximum wait for the last answers. */
const lastSeconds = 10

export interface Steady {
  readonly load: Load
  readonly connections: number
  /** The rate of requests, which does not depend on how long the answers take. */
  readonly perSecond: number
  readonly seconds: number
}

/**
 * Sends each request when it is due, without waiting for earlier answers. If no connection is idle,
 * the request waits, and its time includes the wait.
 */
export class OpenLoop {
  readonly #steady: Steady
  readonly #clients: readonly OpenedClient[]
  /** Idle clients. The first one has been idle for the longest time. */
  readonly #idle: OpenedClient[] = []
  /**
   * The times at which the waiting requests were due. At most one request waits for each
   * connection.
   */
  readonly #waiting: number[] = []
  #slice = new Slice()
  #onIdle = () => {}

  constructor(steady: Steady) {
    this.#steady = steady
    const { load, connections } = steady
    this.#clients = Array.from({ length: connections }, () => new OpenedClient(load.origin))
  }

  async open(): Promise<void> {
    await openAll(this.#clients)
    this.#idle.push(...this.#clients)
  }

  /** Returns the results since the last call. */
  takeSlice(): Slice {
    const slice = this.#slice
    this.#slice = new Slice()
    return slice
  }

  /** Returns the number of requests without an answer. */
  async run(): Promise<number> {
    await this.#offerAll()
    await this.#untilIdle()
    const unanswered = this.#clients.length - this.#idle.length
    await Promise.all(this.#clients.map(({ client }) => client.destroy()))
    return unanswered
  }

  #offerAll(): Promise<void> {
    const { perSecond, seconds } = this.#steady
    const startedAt = performance.now()
    let offered = 0
    return new Promise((resolve) => {
      const timer = setInterval(() => {
        const elapsed = Math.min((performance.now() - startedAt) / 1000, seconds)
        for (; offered < elapsed * perSecond; offered++) {
          this.#offer(startedAt + (offered / perSecond) * 1000)
        }
        if (elapsed < seconds) return
        clearInterval(timer)
        resolve()
      }, tickMs)
    })
  }

  #offer(dueAt: number): void {
    this.#slice.offered += 1
    const opened = this.#idle.shift()
    if (opened) this.#send(opened, dueAt)
    else if (this.#waiting.length < this.#clients.length) this.#waiting.push(dueAt)
    else this.#slice.unsent += 1
  }

  #send(opened: OpenedClient, dueAt: number): void {
    const { method, paths, headers } = this.#steady.load
    let status = 0
    opened.client.dispatch(
      { method, path: paths[0] ?? '/', headers },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, statusCode) => {
          status = statusCode
        },
        onResponseData: () => {},
        onResponseEnd: () => this.#take(opened, status, dueAt),
        onResponseError: () => this.#take(opened, 0, dueAt),
      },
    )
  }

  #take(opened: OpenedClient, status: number, dueAt: number): void {
    this.#slice.add(status, performance.now() - dueAt)
    const next = this.#waiting.shift()
    if (next !== undefined) {
      setImmediate(() => this.#send(opened, next))
      return
    }
    this.#idle.push(opened)
    if (this.#idle.length === this.#clients.length) this.#onIdle()
  }

  #untilIdle(): Promise<void> {
    if (this.#idle.length === this.#clients.length) return Promise.resolve()
    return new Promise((resolve) => {
      const deadline = setTimeout(resolve, lastSeconds * 1000)
      this.#onIdle = () => {
        clearTimeout(deadline)
        resolve()
      }
    })
  }
}
