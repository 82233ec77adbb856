import { UniquenessError } from '../../ports/store.ts'
import type { Collection, GroupIndex, UniqueIndex } from './collection.ts'

/** One change as a journal keeps it. No `json` means that the record is gone. */
export interface Change {
  readonly collection: string
  readonly key: string
  readonly json: string | undefined
}

export function textLength(changes: readonly Change[]): number {
  return changes.reduce((sum, { json }) => sum + (json?.length ?? 0), 0)
}

export type Undo = () => void

/** What one transaction wants to change in one collection, laid over what is there. */
export class Staged<Stored> {
  readonly #collection: Collection<Stored>
  readonly #records = new Map<string, { record: Stored; json: string } | undefined>()
  readonly #holders = new Map<UniqueIndex<Stored>, Map<string, string | undefined>>()
  /** For each group index that was asked for: the keys of what is or was in each group, so that no list looks at all. */
  readonly #members = new Map<GroupIndex<Stored>, Map<string, Set<string>>>()

  constructor(collection: Collection<Stored>) {
    this.#collection = collection
    for (const index of collection.schema.unique ?? []) this.#holders.set(index, new Map())
  }

  get(key: string): Stored | undefined {
    return this.#records.has(key) ? this.#records.get(key)?.record : this.#collection.get(key)
  }

  keyBy(index: UniqueIndex<Stored>, value: string): string | undefined {
    const holders = this.#holders.get(index)
    return holders?.has(value) ? holders.get(value) : this.#collection.keyBy(index, value)
  }

  *values(): Generator<Stored> {
    const { keyOf } = this.#collection.schema
    for (const record of this.#collection.values()) {
      const current = this.get(keyOf(record))
      if (current !== undefined) yield current
    }
    for (const [key, staged] of this.#records) {
      if (staged && this.#collection.get(key) === undefined) yield staged.record
    }
  }

  /** `stored` is the group as it was before; what this transaction adds comes last. */
  list(index: GroupIndex<Stored>, value: string, stored: readonly Stored[]): Stored[] {
    const { keyOf } = this.#collection.schema
    const kept = stored.map((record) => this.get(keyOf(record)))
    const before = new Set(stored.map(keyOf))
    const members = this.#membersOf(index).get(value) ?? []
    const added = [...members].map((key) => (before.has(key) ? undefined : this.get(key)))
    return [...kept, ...added].filter(
      (record): record is Stored => record !== undefined && index.valueOf(record) === value,
    )
  }

  put(record: Stored): void {
    const key = this.#collection.schema.keyOf(record)
    const previous = this.get(key)
    this.#requireSameOwner(previous, record)
    for (const index of this.#holders.keys()) this.#requireFree(index, record, key)
    if (previous !== undefined) this.#release(previous)
    for (const [index, holders] of this.#holders) holders.set(index.valueOf(record), key)
    // Made into text here, so that a record that no file can hold fails its own transaction and no other.
    this.#records.set(key, { record, json: JSON.stringify(record) })
    for (const [index, members] of this.#members) join(members, index.valueOf(record), key)
  }

  remove(key: string): void {
    const previous = this.get(key)
    if (previous === undefined) return
    this.#release(previous)
    this.#records.set(key, undefined)
  }

  *changes(): Generator<Change> {
    for (const [key, staged] of this.#records) {
      yield { collection: this.#collection.name, key, json: staged?.json }
    }
  }

  /** Returns what takes it back. */
  apply(transaction: number): Undo[] {
    const undo = [...this.#records.keys()].map((key) => this.#undoOf(key))
    for (const [key, staged] of this.#records) {
      if (staged) this.#collection.put(staged.record)
      else this.#collection.remove(key)
      this.#collection.changes.note(key, transaction)
    }
    return undo
  }

  noteDurable(transaction: number): void {
    for (const key of this.#records.keys()) this.#collection.changes.noteDurable(key, transaction)
  }

  #membersOf(index: GroupIndex<Stored>): ReadonlyMap<string, ReadonlySet<string>> {
    const known = this.#members.get(index)
    if (known) return known
    const members = new Map<string, Set<string>>()
    for (const [key, staged] of this.#records) {
      if (staged) join(members, index.valueOf(staged.record), key)
    }
    this.#members.set(index, members)
    return members
  }

  #undoOf(key: string): Undo {
    const collection = this.#collection
    const previous = collection.get(key)
    return () => (previous === undefined ? collection.remove(key) : collection.put(previous))
  }

  // Another tenant's record is never replaced, even where two of them come up with one id.
  #requireSameOwner(previous: Stored | undefined, record: Stored): void {
    const { ownerOf } = this.#collection.schema
    if (!ownerOf || previous === undefined) return
    if (ownerOf(previous) !== ownerOf(record)) throw new UniquenessError('id')
  }

  #requireFree(index: UniqueIndex<Stored>, record: Stored, key: string): void {
    const holder = this.keyBy(index, index.valueOf(record))
    if (holder !== undefined && holder !== key) throw new UniquenessError(index.name)
  }

  #release(previous: Stored): void {
    for (const [index, holders] of this.#holders) holders.set(index.valueOf(previous), undefined)
  }
}

function join(members: Map<string, Set<string>>, value: string | undefined, key: string): void {
  if (value === undefined) return
  const group = members.get(value)
  if (group) group.add(key)
  else members.set(value, new Set([key]))
}
