/** A few cost hardly more together than one. */
const fewest = 4

/** How many come at the same time: as many as were there lately, a quarter fewer each time that fewer are. */
export class Crowd {
  #size = 1

  /** That many are there. */
  note(count: number): void {
    this.#size = Math.max(this.#size, count)
  }

  fade(count: number): void {
    this.#size = Math.max(count, this.#size * 0.75)
  }

  /** While the database writes one half, the service works at the other. */
  get half(): number {
    return Math.ceil(this.#size / 2)
  }

  get mostTogether(): number {
    return Math.max(fewest, this.half)
  }
}
