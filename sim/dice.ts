/**
 * Random numbers that depend only on a seed (sfc32), so that a seed always has the same history.
 */
export class Dice {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(...seeds: readonly number[]) {
    const [first = 0, second = 0, third = 0] = seeds
    this.#a = first | 0
    this.#b = second | 0
    this.#c = third ^ 0x9e3779b9
    for (let round = 0; round < 12; round += 1) this.word()
  }

  /** 32 bits. */
  word(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    return sum >>> 0
  }

  /** A number from 0 up to, but not including, 1. */
  fraction(): number {
    return this.word() / 2 ** 32
  }

  /** A whole number from 0 up to, but not including, the bound. */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound)
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)]
  }

  /** Draws one of the names, with a probability in proportion to its weight. */
  weigh<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const entries = Object.entries(weights) as [Name, number][]
    let left = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [name, weight] of entries) {
      left -= weight
      if (left < 0) return name
    }
    return (entries[0] as [Name, number])[0]
  }

  fill<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
    for (let at = 0; at < bytes.length; at += 4) {
      const word = this.word()
      for (let byte = 0; byte < 4 && at + byte < bytes.length; byte += 1) {
        bytes[at + byte] = (word >>> (8 * byte)) & 0xff
      }
    }
    return bytes
  }
}
