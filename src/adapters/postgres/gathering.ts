export interface GatheringParts<Item> {
  /** Batches that are under way at once; what is added meanwhile goes with a later one. */
  readonly most: number
  /** Which of those that wait go now; the others go on waiting, until a batch that is under way has ended. */
  take(waiting: readonly Item[]): { readonly taken: readonly Item[]; readonly left: Item[] }
  send(taken: readonly Item[]): Promise<void>
}

/** What is added in one turn of the event loop goes together. */
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
