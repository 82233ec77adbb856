export interface GatheringParts<Item> {
  /** The maximum number of concurrent batches. Later items wait for the next batch. */
  readonly most: number
  /** Chooses which waiting items go now. The others wait until a running batch has ended. */
  take(waiting: readonly Item[]): { readonly taken: readonly Item[]; readonly left: Item[] }
  send(taken: readonly Item[]): Promise<void>
}

/** Gathers the items of one turn of the event loop into a batch. */
export class Gathering<Item> {
  readonly #parts: GatheringParts<Item>
  #waiting: Item[] = []
  #isGathering = false
  #underWay = 0

  constructor(parts: GatheringParts<Item>) {
    this.#parts = parts
  }

  add(item: Item): void {
    this.#waiting.push(item)
    this.#gather()
  }

  #gather(): void {
    const { most } = this.#parts
    if (this.#isGathering || this.#underWay >= most || this.#waiting.length === 0) return
    this.#isGathering = true
    setImmediate(() => {
      this.#isGathering = false
      const { taken, left } = this.#parts.take(this.#waiting)
      this.#waiting = left
      if (taken.length === 0) return
      this.#underWay += 1
      void this.#parts.send(taken).finally(() => {
        this.#underWay -= 1
        this.#gather()
      })
      this.#gather()
    })
  }
}
