import { UniquenessError } from '../../ports/store.ts'
import type { Collection, Key, ListIndex, UniqueIndex } from './collection.ts'
import type { Found, Lookup, Range } from './lookup.ts'
import { type Change, Staged } from './staged.ts'

/** What a write can do beside looking. */
export interface Writes {
  put<Stored extends object>(collection: Collection<Stored>, record: Stored): Promise<void>
  /** It goes only where it is still as it was found. */
  remove<Stored extends object>(collection: Collection<Stored>, found: Found<Stored>): void
}

/** What a write rests on: it may be committed as long as all of this is still so. */
export interface Proof {
  /** Records by key; `null`: there was none. */
  readonly rows: readonly ProvenRow[]
  /** Kept collections by their version. */
  readonly collections: ReadonlyMap<Collection<object>, number>
}

export interface ProvenRow {
  readonly collection: Collection<object>
  readonly key: Key
  readonly version: number | null
}

/**
 * One run of a work: what it puts is staged and seen by its later reads, and what it reads is asked once and remembered
 * with its version. It changes nothing; an engine commits `changes` where `proof` still holds, or runs the work again.
 */
export class Transaction implements Lookup, Writes {
  readonly #engine: Lookup
  readonly #staged = new Map<object, Staged<object>>()
  readonly #asked = new Map<object, Map<string, Promise<unknown>>>()
  readonly #rows = new Map<string, ProvenRow>()
  readonly #collections = new Map<Collection<object>, number>()

  constructor(engine: Lookup) {
    this.#engine = engine
  }

  get changes(): readonly Change[] {
    return [...this.#staged.values()].flatMap((staged) => staged.changes)
  }

  get proof(): Proof {
    return { rows: [...this.#rows.values()], collections: this.#collections }
  }

  async get<Stored extends object>(
    collection: Collection<Stored>,
    key: Key,
  ): Promise<Found<Stored> | undefined> {
    const staged = this.#stagedOf(collection)?.get(key)
    if (staged) return staged.found
    return this.#ask(collection, collection, key, async () => {
      await this.#noteCollection(collection)
      const found = await this.#engine.get(collection, key)
      this.#noteRow(collection, key, found)
      return found
    })
  }

  async find<Stored extends object>(
    collection: Collection<Stored>,
    index: UniqueIndex<Stored>,
    values: Key,
  ): Promise<Found<Stored> | undefined> {
    const holder = this.#stagedOf(collection)?.holderOf(index, values)
    if (holder) return holder
    const found = await this.#ask(collection, index, values, async () => {
      await this.#noteCollection(collection)
      return this.#noteFound(collection, await this.#engine.find(collection, index, values))
    })
    const isChanged =
      found && this.#stagedOf(collection)?.get(collection.key.valuesOf(found.record))
    return isChanged ? undefined : found
  }

  async list<Stored extends object>(
    collection: Collection<Stored>,
    index: ListIndex<Stored>,
    range: Range<Stored>,
  ): Promise<readonly Found<Stored>[]> {
    await this.#noteCollection(collection)
    await this.#proveList(collection, index, range.values)
    const staged = this.#stagedOf(collection)
    const asked = staged ? staged.widen(range) : range
    const found = await this.#engine.list(collection, index, asked)
    if (index.proof !== 'none') for (const one of found) this.#noteFound(collection, one)
    return staged ? staged.merge(index, range, found) : found
  }

  async count<Stored extends object>(
    collection: Collection<Stored>,
    index: ListIndex<Stored>,
    values: Key,
  ): Promise<number> {
    return (await this.list(collection, index, { values })).length
  }

  async listed<Stored extends object>({ name }: Collection<Stored>): Promise<readonly Key[]> {
    throw new Error(`A write cannot prove which lists of ${name} there are.`)
  }

  version<Stored extends object>(collection: Collection<Stored>): Promise<number> {
    return this.#noteCollection(collection)
  }

  async put<Stored extends object>(collection: Collection<Stored>, record: Stored): Promise<void> {
    for (const index of collection.unique ?? []) {
      if (!index.isDrawn) await this.#requireFree(collection, index, record)
    }
    const key = collection.key.valuesOf(record)
    const { identity } = collection
    const same = identity && (await this.get(collection, key))
    if (same && identity.of(same.record) !== identity.of(record)) {
      throw new UniquenessError(identity.name)
    }
    this.#stage(collection).put(record, await this.#known(collection, key))
  }

  remove<Stored extends object>(collection: Collection<Stored>, found: Found<Stored>): void {
    this.#stage(collection).remove(found)
  }

  async #requireFree<Stored extends object>(
    collection: Collection<Stored>,
    index: UniqueIndex<Stored>,
    record: Stored,
  ): Promise<void> {
    const key = collection.key.valuesOf(record)
    const values = index.valuesOf(record)
    const before =
      this.#stagedOf(collection)?.get(key)?.found ?? (await this.#known(collection, key))
    if (before && isSame(index.valuesOf(before.record), values)) return
    const holder = await this.find(collection, index, values)
    const isTaken = holder && !isSame(collection.key.valuesOf(holder.record), key)
    if (isTaken) throw new UniquenessError(index.name)
  }

  /** What has been asked about the record of a key; nothing is asked for it. */
  async #known<Stored extends object>(
    collection: Collection<Stored>,
    key: Key,
  ): Promise<Found<Stored> | undefined> {
    const asked = this.#asked.get(collection)?.get(textOf(key))
    return asked as Promise<Found<Stored> | undefined> | undefined
  }

  /** One answer for one question: a work that asks twice sees the same. */
  #ask<Answer>(
    _collection: object,
    by: object,
    values: Key,
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    const answers = this.#asked.get(by) ?? new Map<string, Promise<unknown>>()
    this.#asked.set(by, answers)
    const text = textOf(values)
    const answer = (answers.get(text) as Promise<Answer> | undefined) ?? ask()
    answers.set(text, answer)
    return answer
  }

  async #proveList<Stored extends object>(
    { name }: Collection<Stored>,
    { proof, firstOf }: ListIndex<Stored>,
    values: Key,
  ): Promise<void> {
    if (firstOf) throw new Error(`A write cannot prove what comes first in lists of ${name}.`)
    if (proof === 'rows' || proof === 'none') return
    if (proof) await this.get(proof.collection(), proof.keyOf(values))
    else if (!this.#isKept(name)) throw new Error(`A write cannot prove this list of ${name}.`)
  }

  #isKept(name: string): boolean {
    return [...this.#collections.keys()].some((collection) => collection.name === name)
  }

  async #noteCollection<Stored extends object>(collection: Collection<Stored>): Promise<number> {
    const kept = collection as Collection<object>
    const known = this.#collections.get(kept)
    if (known !== undefined || !collection.isKept) return known ?? 0
    const version = await this.#engine.version(collection)
    this.#collections.set(kept, this.#collections.get(kept) ?? version)
    return version
  }

  #noteFound<Stored extends object>(
    collection: Collection<Stored>,
    found: Found<Stored> | undefined,
  ): Found<Stored> | undefined {
    if (found) this.#noteRow(collection, collection.key.valuesOf(found.record), found)
    return found
  }

  /** What was seen first counts: of a record that has changed in between, two states were seen. */
  #noteRow<Stored extends object>(
    collection: Collection<Stored>,
    key: Key,
    found: Found<Stored> | undefined,
  ): void {
    if (collection.isKept) return
    const name = `${collection.name}/${textOf(key)}`
    if (this.#rows.has(name)) return
    const version = found ? (found.version ?? 0) : null
    this.#rows.set(name, { collection: collection as Collection<object>, key, version })
  }

  #stagedOf<Stored extends object>(collection: Collection<Stored>): Staged<Stored> | undefined {
    return this.#staged.get(collection) as Staged<Stored> | undefined
  }

  #stage<Stored extends object>(collection: Collection<Stored>): Staged<Stored> {
    const staged = this.#stagedOf(collection) ?? new Staged(collection)
    this.#staged.set(collection, staged as Staged<object>)
    return staged
  }
}

function isSame(left: Key, right: Key): boolean {
  return textOf(left) === textOf(right)
}

function textOf(key: Key): string {
  return key.join('/')
}
