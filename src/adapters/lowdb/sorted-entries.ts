/** A record in its place: `sequence` counts creations, because ids (UUIDv5 from fixtures) do not sort by age. */
export interface Entry<Stored> {
  record: Stored
  readonly sequence: number
}

export type Order<Stored> = (left: Entry<Stored>, right: Entry<Stored>) => number

const fullBlock = 512
// V8 gives a pushed-to array room for 17; most lists (the orders of one investor) stay far below that.
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

  get first(): Entry<Stored> | undefined {
    return this.#blocks[0]?.[0]
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

  /** How many come before the first entry for which `isReached` holds, as it does for all that follow. */
  positionOf(isReached: (entry: Entry<Stored>) => boolean): number {
    const at = findFirst(this.#blocks, (block) => block.slice(-1).some(isReached))
    let position = findFirst(this.#blocks[at] ?? [], isReached)
    for (let before = 0; before < at; before += 1) position += this.#blocks[before]?.length ?? 0
    return position
  }

  /** The entries from one position up to another one. */
  *between(start = 0, end = this.#size): Generator<Entry<Stored>> {
    let position = 0
    for (const block of this.#blocks) {
      if (position >= end) return
      for (let at = Math.max(0, start - position); at < block.length; at += 1) {
        const entry = block[at]
        if (!entry || position + at >= end) return
        yield entry
      }
      position += block.length
    }
  }

  /** The same, from the last one to the first. */
  *backwards(start = 0, end = this.#size): Generator<Entry<Stored>> {
    let position = this.#size
    for (let number = this.#blocks.length - 1; number >= 0; number -= 1) {
      const block = this.#blocks[number] ?? []
      position -= block.length
      for (let at = Math.min(block.length, end - position) - 1; at >= 0; at -= 1) {
        const entry = block[at]
        if (!entry || position + at < start) return
        yield entry
      }
    }
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
    const after = findFirst(this.#blocks, ([first]) => !first || this.#order(first, entry) > 0)
    return Math.max(0, after - 1)
  }

  #positionIn(block: readonly Entry<Stored>[], entry: Entry<Stored>): number {
    return findFirst(block, (other) => this.#order(other, entry) >= 0)
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
