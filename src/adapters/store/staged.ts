import type { Collection, Key, ListIndex, UniqueIndex } from './collection.ts'
import { type Found, isMatching, type Range } from './lookup.ts'

/** No `record` means that it is gone. */
export interface Change {
  readonly collection: Collection<object>
  readonly key: Key
  readonly record: object | undefined
  /** Of a record that goes: it goes only where it is still as it was found. */
  readonly version?: number | undefined
}

interface StagedRecord<Stored> {
  readonly key: Key
  /** undefined: it is gone. */
  readonly found: Found<Stored> | undefined
  readonly version?: number | undefined
}

// What is staged as new comes after everything that is stored.
const afterAll = Number.MAX_SAFE_INTEGER / 2

/** What one transaction puts into one collection, laid over what is stored. */
export class Staged<Stored extends object> {
  readonly #collection: Collection<Stored>
  readonly #records = new Map<string, StagedRecord<Stored>>()
  readonly #holders = new Map<UniqueIndex<Stored>, Map<string, string>>()
  readonly #members = new Map<ListIndex<Stored>, Map<string, Set<string>>>()
  #created = afterAll

  constructor(collection: Collection<Stored>) {
    this.#collection = collection
    for (const index of collection.unique ?? []) this.#holders.set(index, new Map())
  }

  get changes(): Change[] {
    const collection = this.#collection as unknown as Collection<object>
    return [...this.#records.values()].map(({ key, found, version }) => ({
      collection,
      key,
      record: found?.record,
      version,
    }))
  }

  get(key: Key): StagedRecord<Stored> | undefined {
    return this.#records.get(textOf(key))
  }

  holderOf(index: UniqueIndex<Stored>, values: Key): Found<Stored> | undefined {
    const holder = this.#holders.get(index)?.get(textOf(values))
    return holder === undefined ? undefined : this.#records.get(holder)?.found
  }

  put(record: Stored, stored: Found<Stored> | undefined): void {
    const key = this.#collection.key.valuesOf(record)
    const text = textOf(key)
    const before = this.#records.get(text)?.found ?? stored
    this.#release(text)
    this.#records.set(text, {
      key,
      found: { record, sequence: before?.sequence ?? this.#created++ },
    })
    for (const [index, holders] of this.#holders) holders.set(textOf(index.valuesOf(record)), text)
    for (const [index, lists] of this.#members) join(lists, index.valuesOf(record), text)
  }

  remove({ record, version }: Found<Stored>): void {
    const key = this.#collection.key.valuesOf(record)
    this.#release(textOf(key))
    this.#records.set(textOf(key), { key, found: undefined, version })
  }

  /** Asks for as many more as may have been changed here. */
  widen(range: Range<Stored>): Range<Stored> {
    const { offset = 0, limit } = range
    if (limit === undefined) return { ...range, offset: 0 }
    return { ...range, offset: 0, limit: offset + limit + this.#records.size }
  }

  /** `stored` is the widened part of the list as it is stored. */
  merge(
    index: ListIndex<Stored>,
    range: Range<Stored>,
    stored: readonly Found<Stored>[],
  ): readonly Found<Stored>[] {
    const { valuesOf } = this.#collection.key
    const places = new Map(stored.map((found) => [textOf(valuesOf(found.record)), found.sequence]))
    const kept = stored.filter(({ record }) => !this.get(valuesOf(record)))
    const added: Found<Stored>[] = []
    for (const text of this.#membersOf(index).get(textOf(range.values)) ?? []) {
      const found = this.#records.get(text)?.found
      if (!found || !isListed(index, range, found.record)) continue
      const placed = { ...found, sequence: places.get(text) ?? found.sequence }
      if (isIn(index, range, placed)) added.push(placed)
    }
    const { offset = 0, limit = Number.POSITIVE_INFINITY } = range
    const all = added.length === 0 ? kept : [...kept, ...added].sort(orderOf(index, range))
    return all.slice(offset, offset + limit)
  }

  #release(text: string): void {
    const before = this.#records.get(text)?.found
    if (!before) return
    for (const [index, holders] of this.#holders) {
      const value = textOf(index.valuesOf(before.record))
      if (holders.get(value) === text) holders.delete(value)
    }
  }

  #membersOf(index: ListIndex<Stored>): ReadonlyMap<string, ReadonlySet<string>> {
    const known = this.#members.get(index)
    if (known) return known
    const lists = new Map<string, Set<string>>()
    for (const [text, { found }] of this.#records) {
      if (found) join(lists, index.valuesOf(found.record), text)
    }
    this.#members.set(index, lists)
    return lists
  }
}

function isListed<Stored>(index: ListIndex<Stored>, { values }: Range<Stored>, record: Stored) {
  const own = index.valuesOf(record)
  return own !== undefined && textOf(own) === textOf(values)
}

function isIn<Stored>(index: ListIndex<Stored>, range: Range<Stored>, found: Found<Stored>) {
  const { after, from, until, matching } = range
  const rank = index.rank?.of(found.record) ?? ''
  if (from !== undefined && rank < from) return false
  if (until !== undefined && rank >= until) return false
  if (after && compare(index, after, found) >= 0) return false
  return !matching || isMatching(matching, found.record)
}

function orderOf<Stored>(index: ListIndex<Stored>, { isReversed }: Range<Stored>) {
  return (left: Found<Stored>, right: Found<Stored>) =>
    isReversed ? compare(index, right, left) : compare(index, left, right)
}

function compare<Stored>(
  { rank }: ListIndex<Stored>,
  left: Found<Stored>,
  right: Found<Stored>,
): number {
  const [first, second] = [rank?.of(left.record) ?? '', rank?.of(right.record) ?? '']
  if (first !== second) return first < second ? -1 : 1
  return left.sequence - right.sequence
}

function join(lists: Map<string, Set<string>>, values: Key | undefined, text: string): void {
  if (!values) return
  const list = lists.get(textOf(values))
  if (list) list.add(text)
  else lists.set(textOf(values), new Set([text]))
}

function textOf(values: Key): string {
  return values.join('/')
}
