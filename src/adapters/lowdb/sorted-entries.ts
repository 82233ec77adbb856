import type { Found } from '../store/lookup.ts'

/** A stored record and its place in the order of creation. */
export interface Entry<Stored> extends Omit<Found<Stored>, 'version'> {
  record: Stored
  /** The transaction that has to be durable before any answer contains the record. */
  changedBy?: number
}

const fullBlock = 512
// When the first item is pushed to a list, V8 reserves room for 17. Most lists are far shorter.
const smallBlock = 8

/** Entries by rank, then by creation, in blocks, so that a change moves at most one block. */
export class SortedEntries<Stored> {
  readonly #rankOf: (record: Stored) => string
  #blocks: Entry<Stored>[][]
  #size: number

  /** @param entries in the order of creation */
  constructor(rankOf?: (record: Stored) => string, entries: readonly Entry<Stored>[] = []) {
    this.#rankOf = rankOf ?? (() => '')
    const sorted = rankOf && entries.length > 1 ? sortByRank(entries, rankOf) : entries
    const length = Math.ceil(sorted.length / fullBlock)
    const blockAt = (at: number) => sorted.slice(at * fullBlock, (at + 1) * fullBlock)
    this.#blocks = length > 1 ? Array.from({ length }, (_, at) => blockAt(at)) : [[...sorted]]
    this.#size = sorted.length
  }

  get size(): number {
    return this.#size
  }

  get first(): Entry<Stored> | undefined {
    return this.#blocks[0]?.[0]
  }

  add(entry: Entry<Stored>): void {
    this.#size += 1
    // Most lists are in the order of creation, where a new entry is the last one.
    const last = this.#blocks.at(-1)?.at(-1)
    const isReached = this.#reaching(entry)
    const isLast = last !== undefined && !isReached(last)
    const at = isLast ? this.#blocks.length - 1 : this.#blockOf(isReached)
    const block = this.#blocks[at]
    if (!block || (isLast && block.length >= fullBlock)) this.#blocks.push([entry])
    else this.#addTo(at, isLast ? block.length : findFirst(block, isReached), entry)
  }

  remove(entry: Entry<Stored>): void {
    const isReached = this.#reaching(entry)
    const at = this.#blockOf(isReached)
    const block = this.#blocks[at] ?? []
    const index = findFirst(block, isReached)
    if (block[index] !== entry) return
    block.splice(index, 1)
    this.#size -= 1
    if (block.length === 0) this.#blocks.splice(at, 1)
  }

  /** The number of entries for which `isReached` does not hold yet. It holds for all entries after them. */
  positionOf(isReached: (entry: Entry<Stored>) => boolean): number {
    const at = this.#blockOf(isReached)
    let position = findFirst(this.#blocks[at] ?? [], isReached)
    for (let before = 0; before < at; before += 1) position += this.#blocks[before]?.length ?? 0
    return position
  }

  /** The entries from one position to another. */
  *between(start = 0, end = this.#size): Generator<Entry<Stored>> {
    let position = 0
    for (const block of this.#blocks) {
      if (position >= end) return
      yield* block.slice(Math.max(0, start - position), end - position)
      position += block.length
    }
  }

  /** The entries from one position to another, last one first. */
  *backwards(start = 0, end = this.#size): Generator<Entry<Stored>> {
    let position = this.#size
    for (const block of this.#blocks.toReversed()) {
      if (position <= start) return
      position -= block.length
      const last = Math.max(0, end - position)
      yield* block.slice(Math.max(0, start - position), last).reverse()
    }
  }

  #addTo(at: number, index: number, entry: Entry<Stored>): void {
    const block = this.#blocks[at] ?? []
    if (block.length < smallBlock) {
      this.#blocks[at] = [...block.slice(0, index), entry, ...block.slice(index)]
      return
    }
    block.splice(index, 0, entry)
    if (block.length > fullBlock) this.#blocks.splice(at + 1, 0, block.splice(fullBlock / 2))
  }

  /** Returns a function that says whether another entry is this entry or comes after it. */
  #reaching({ record, sequence }: Entry<Stored>): (other: Entry<Stored>) => boolean {
    const rankOf = this.#rankOf
    const rank = rankOf(record)
    return (other) => {
      const otherRank = rankOf(other.record)
      return otherRank === rank ? other.sequence >= sequence : otherRank > rank
    }
  }

  /** The first block with such an entry, or else the last block. */
  #blockOf(isReached: (entry: Entry<Stored>) => boolean): number {
    const at = findFirst(this.#blocks, (block) => block.slice(-1).some(isReached))
    return Math.max(0, Math.min(at, this.#blocks.length - 1))
  }
}

/** Entries of the same rank keep their order. */
function sortByRank<Stored>(
  entries: readonly Entry<Stored>[],
  rankOf: (record: Stored) => string,
): readonly Entry<Stored>[] {
  const rankAt = (at: number) => rankOf((entries[at] as Entry<Stored>).record)
  if (entries.every((_, at) => at === 0 || rankAt(at - 1) <= rankAt(at))) return entries
  const ranked = entries.map((entry) => ({ entry, rank: rankOf(entry.record) }))
  ranked.sort((left, right) => (left.rank < right.rank ? -1 : left.rank > right.rank ? 1 : 0))
  return ranked.map(({ entry }) => entry)
}

/** The position of the first item for which `isReached` holds. It also holds for all later items. */
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
