import type { Entry, Order } from './collection.ts'

const fullBlock = 512
// V8 gives a pushed-to array room for 17; most groups (the orders of one investor) stay far below that.
const smallBlock = 8

/**
 * Entries in a fixed order, in blocks: adding or removing one anywhere moves at most one block, however many there are.
 */
export class SortedEntries<Stored> {
  readonly #order: Order<Stored>
  #blocks: Entry<Stored>[][] = []
  #size = 0

  constructor(order: Order<Stored>) {
    this.#order = order
  }

  get size(): number {
    return this.#size
  }

  add(entry: Entry<Stored>): void {
    this.#size += 1
    const at = this.#blockOf(entry)
    const block = this.#blocks[at]
    if (!block || (block.length >= fullBlock && this.#isLast(at, entry))) {
      this.#blocks.push([entry])
    } else {
      this.#addTo(at, block, entry)
    }
  }

  remove(entry: Entry<Stored>): void {
    const at = this.#blockOf(entry)
    const block = this.#blocks[at]
    const index = block ? this.#positionIn(block, entry) : 0
    if (block?.[index] !== entry) return
    block.splice(index, 1)
    this.#size -= 1
    if (block.length === 0) this.#blocks.splice(at, 1)
  }

  *[Symbol.iterator](): Generator<Stored> {
    for (const block of this.#blocks) {
      for (const entry of block) yield entry.record
    }
  }

  /** From the first record on for which `isReached` holds, as it does for all that follow. */
  from(isReached: (record: Stored) => boolean): Generator<Stored> {
    return this.#from((entry) => isReached(entry.record))
  }

  after(entry: Entry<Stored>): Generator<Stored> {
    return this.#from((other) => this.#order(entry, other) < 0)
  }

  *#from(isReached: (entry: Entry<Stored>) => boolean): Generator<Stored> {
    const start = findFirst(this.#blocks, (block) => block.slice(-1).some(isReached))
    const first = this.#blocks[start] ?? []
    for (const entry of first.slice(findFirst(first, isReached))) yield entry.record
    for (let at = start + 1; at < this.#blocks.length; at += 1) {
      for (const entry of this.#blocks[at] ?? []) yield entry.record
    }
  }

  /** `count` records from `offset` on, counted from the first. */
  slice(offset: number, count: number): Stored[] {
    const found: Stored[] = []
    let start = 0
    for (const block of this.#blocks) {
      if (found.length >= count) break
      const from = Math.max(0, offset - start)
      for (const entry of block.slice(from, from + count - found.length)) found.push(entry.record)
      start += block.length
    }
    return found
  }

  /** `count` records from `offset` on, counted from the last and backwards. */
  sliceFromEnd(offset: number, count: number): Stored[] {
    const end = Math.max(0, this.#size - offset)
    const start = Math.max(0, end - count)
    return this.slice(start, end - start).reverse()
  }

  #isLast(at: number, entry: Entry<Stored>): boolean {
    const last = this.#blocks[at]?.at(-1)
    return at === this.#blocks.length - 1 && last !== undefined && this.#order(last, entry) < 0
  }

  #addTo(at: number, block: Entry<Stored>[], entry: Entry<Stored>): void {
    const index = this.#positionIn(block, entry)
    if (block.length < smallBlock) {
      this.#blocks[at] = [...block.slice(0, index), entry, ...block.slice(index)]
      return
    }
    block.splice(index, 0, entry)
    if (block.length > fullBlock) this.#blocks.splice(at + 1, 0, block.splice(fullBlock / 2))
  }

  /** The last block whose first entry is not after this one; the first block when there is none. */
  #blockOf(entry: Entry<Stored>): number {
    let low = 0
    let high = this.#blocks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const first = this.#blocks[middle]?.[0]
      if (first && this.#order(first, entry) <= 0) low = middle
      else high = middle - 1
    }
    return low
  }

  #positionIn(block: readonly Entry<Stored>[], entry: Entry<Stored>): number {
    let low = 0
    let high = block.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = block[middle]
      if (other && this.#order(other, entry) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Where `isReached` begins to hold, as it does for all that follow. */
function findFirst<Item>(items: readonly Item[], isReached: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && isReached(item)) high = middle
    else low = middle + 1
  }
  return low
}
