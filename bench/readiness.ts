import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'

const everyMs = 10

/** Asks a service repeatedly whether it is ready, until it is stopped. */
export class Readiness {
  #isStopped = false
  #slowestMs = 0
  readonly #asking: Promise<void>

  constructor(origin: string) {
    this.#asking = this.#ask(`${origin}/readyz`)
  }

  /** Returns the longest time of an answer. */
  async stop(): Promise<number> {
    this.#isStopped = true
    await this.#asking
    return this.#slowestMs
  }

  async #ask(url: string): Promise<void> {
    while (!this.#isStopped) {
      const askedAt = performance.now()
      const { statusCode, body } = await request(url)
      await body.dump()
      if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`)
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - askedAt)
      await pause(everyMs)
    }
  }
}
