/** So many cost hardly more together than some of them. */
const fewest = 8

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

  /** More were waited for in vain. */
  shrinkTo(count: number): void {
    this.#size = count
  }

  /** While the database writes one half, the service works at the other; it is not worth it for small halves. */
  get together(): number {
    return Math.max(1, Math.floor(Math.min(this.#size, Math.max(fewest, this.#size / 2))))
  }
}
