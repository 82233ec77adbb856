import type { Collection, GroupIndex, UniqueIndex } from './collection.ts'
import { type Change, Staged, type Undo } from './staged.ts'
import { View } from './view.ts'

/**
 * What a `write` sees and wants. Reads by key and by unique index, of all records and of small groups see what it has
 * put; other groups show what was there before.
 */
export class Transaction extends View {
  readonly #staged = new Map<unknown, Staged<unknown>>()

  override get<Stored>(collection: Collection<Stored>, key: string): Stored | undefined {
    const staged = this.#find(this.lookAt(collection, key))
    return staged ? staged.get(key) : collection.get(key)
  }

  override find<Stored>(
    collection: Collection<Stored>,
    index: UniqueIndex<Stored>,
    value: string,
  ): Stored | undefined {
    const staged = this.#find(collection)
    if (!staged) return super.find(collection, index, value)
    const key = staged.keyBy(index, value)
    return key === undefined ? undefined : this.get(collection, key)
  }

  override all<Stored>(collection: Collection<Stored>): Iterable<Stored> {
    return (this.#find(this.look(collection)) ?? collection).values()
  }

  override list<Stored>(
    collection: Collection<Stored>,
    index: GroupIndex<Stored>,
    value: string,
  ): readonly Stored[] {
    const stored = super.list(collection, index, value)
    return this.#find(collection)?.list(index, value, stored) ?? stored
  }

  put<Stored>(collection: Collection<Stored>, record: Stored): void {
    this.#stage(collection).put(record)
  }

  remove<Stored>(collection: Collection<Stored>, key: string): void {
    this.#stage(collection).remove(key)
  }

  changes(): Change[] {
    return [...this.#staged.values()].flatMap((staged) => [...staged.changes()])
  }

  /** Puts everything in its place, in one go; returns what takes it back. */
  apply(transaction: number): Undo[] {
    return [...this.#staged.values()].flatMap((staged) => staged.apply(transaction)).reverse()
  }

  noteDurable(transaction: number): void {
    for (const staged of this.#staged.values()) staged.noteDurable(transaction)
  }

  #find<Stored>(collection: Collection<Stored>): Staged<Stored> | undefined {
    return this.#staged.get(collection) as Staged<Stored> | undefined
  }

  #stage<Stored>(collection: Collection<Stored>): Staged<Stored> {
    const staged = this.#find(this.look(collection)) ?? new Staged(collection)
    this.#staged.set(collection, staged as Staged<unknown>)
    return staged
  }
}
