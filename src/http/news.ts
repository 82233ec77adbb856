import { LRUCache } from 'lru-cache'

/** An outage that lasts is told again, so that the log shows that it lasts. */
const toldForMs = 60_000
const mostReasons = 100

/** Tells causes that are new from what is the reason of every refusal for as long as something is away. */
export class News {
  readonly #told = new LRUCache<string, true>({ max: mostReasons, ttl: toldForMs })

  isNew(cause: unknown): boolean {
    if (cause === undefined) return false
    const name = String(cause)
    if (this.#told.has(name)) return false
    this.#told.set(name, true)
    return true
  }
}
