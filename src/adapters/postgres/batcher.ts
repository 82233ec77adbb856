export interface BatcherOptions<Item> {
  /** The maximum number of concurrent batches. Later items wait for the next batch. */
  readonly maximum: number
  /** Chooses which waiting items go now. The others wait until a running batch has ended. */
  choose(waiting: readonly Item[]): { readonly chosen: readonly Item[]; readonly left: Item[] }
  send(taken: readonly Item[]): Promise<void>
}

/** Gathers the items of one turn of the event loop into a batch. */
export class Batcher<Item> {
  readonly #parts: BatcherOptions<Item>
  #waiting: Item[] = []
  #isScheduled = false
  #running = 0

  constructor(parts: BatcherOptions<Item>) {
    this.#parts = parts
  }

  add(item: Item): void {
    this.#waiting.push(item)
    this.#schedule()
  }

  #schedule(): void {
    const { maximum: most } = this.#parts
    if (this.#isScheduled || this.#running >= most || this.#waiting.length === 0) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      const { chosen: taken, left } = this.#parts.choose(this.#waiting)
      this.#waiting = left
      if (taken.length === 0) return
      this.#running += 1
      void this.#parts.send(taken).finally(() => {
        this.#running -= 1
        this.#schedule()
      })
      this.#schedule()
    })
  }
}
