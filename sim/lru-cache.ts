// Takes the place of the package lru-cache, which allocates memory for all its entries at the
// start. In a simulated day the service starts so often that this memory would cost more than the
// requests.
import { stopwatchMs } from '../src/machine/time.ts'

interface Options<Value> {
  readonly max?: number
  readonly maxSize?: number
  readonly ttl?: number
  readonly sizeCalculation?: (value: Value) => number
}

interface Entry<Value> {
  readonly value: Value
  readonly untilMs: number
}

export class LRUCache<Key, Value> {
  readonly #entries = new Map<Key, Entry<Value>>()
  readonly #max: number
  readonly #ttl: number

  constructor({ max = 1000, ttl = Number.POSITIVE_INFINITY }: Options<Value>) {
    this.#max = max
    this.#ttl = ttl
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    if (entry.untilMs <= stopwatchMs()) return undefined
    this.#entries.set(key, entry)
    return entry.value
  }

  has(key: Key): boolean {
    const entry = this.#entries.get(key)
    return entry !== undefined && entry.untilMs > stopwatchMs()
  }

  set(key: Key, value: Value): this {
    this.#entries.delete(key)
    this.#entries.set(key, { value, untilMs: stopwatchMs() + this.#ttl })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#max && oldest !== undefined) this.#entries.delete(oldest)
    return this
  }

  delete(key: Key): boolean {
    return this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}
