import { isDeepStrictEqual } from 'node:util'
import { UniquenessError } from '../../ports/store.ts'
import {
  type Collection,
  joinKey,
  type Key,
  type ListIndex,
  type UniqueIndex,
} from './collection.ts'
import type { Found, Lookup } from './lookup.ts'
import { Proof } from './proof.ts'
import { type Change, StagedChanges } from './staged-changes.ts'

/**
 * One run of a work. It stages what the work puts, so that later reads see it. It asks each question once and remembers
 * the versions of the answers. It changes nothing itself: an engine commits `changes` if `proof` still holds, or runs
 * the work again.
 */
export class Transaction implements Lookup {
  readonly proof = new Proof()
  readonly #engine: Lookup
  readonly #staged = new Map<object, StagedChanges<object>>()
  readonly #asked = new Map<object, Map<string, Promise<unknown>>>()

  constructor(engine: Lookup) {
    this.#engine = engine
  }

  /** Without what is stored already: a work that puts a record as it has read it changes nothing. */
  get changes(): readonly Change[] {
    return [...this.#staged.values()].flatMap((staged) =>
      staged.changes.filter((change) => !this.#isStored(change)),
    )
  }

  readonly get: Lookup['get'] = async (collection, key) => {
    const staged = this.#stagedOf(collection)?.get(key)
    if (staged) return staged.found
    return this.#ask(collection, key, async () => {
      await this.version(collection)
      const found = await this.#engine.get(collection, key)
      this.proof.add(collection, key, found)
      return found
    })
  }

  readonly find: Lookup['find'] = async (collection, index, values) => {
    const [staged] = this.#stagedOf(collection)?.having(index, values) ?? []
    if (staged) return staged
    const found = await this.#ask(index, values, async () => {
      await this.version(collection)
      const found = await this.#engine.find(collection, index, values)
      if (found) this.proof.add(collection, collection.key.valuesOf(found.record), found)
      return found
    })
    if (!found) return undefined
    const isChanged = this.#stagedOf(collection)?.get(collection.key.valuesOf(found.record))
    return isChanged ? undefined : found
  }

  readonly list: Lookup['list'] = async (collection, index, range) => {
    await this.version(collection)
    const staged = this.#stagedOf(collection)
    // Both are read together, so the list is not older than its proof.
    const [, found] = await Promise.all([
      this.#proveList(collection, index, range.values),
      this.#engine.list(collection, index, staged ? staged.widen(range) : range),
    ])
    if (index.proof !== 'none') {
      for (const one of found) this.proof.add(collection, collection.key.valuesOf(one.record), one)
    }
    return staged ? staged.merge(index, range, found) : found
  }

  readonly count: Lookup['count'] = async (collection, index, part) =>
    (await this.list(collection, index, part)).length

  readonly tally: Lookup['tally'] = async ({ name }) => {
    throw new Error(`A write cannot prove the tallies of ${name}.`)
  }

  readonly listed: Lookup['listed'] = async ({ name }) => {
    throw new Error(`A write cannot prove which lists of ${name} there are.`)
  }

  readonly search: Lookup['search'] = async ({ name }) => {
    throw new Error(`A write cannot prove what a search of ${name} finds.`)
  }

  /** The version of a cached collection; 0 for any other. */
  readonly version: Lookup['version'] = async (collection) => {
    if (!collection.isCached) return 0
    const { collections } = this.proof
    const version = collections.get(collection) ?? (await this.#engine.version(collection))
    if (!collections.has(collection)) collections.set(collection, version)
    return version
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

  /** Removes the record if nobody has changed it since it was found. */
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

  #isStored(change: Change): boolean {
    const stored = this.proof.recordOf(change)
    return stored !== undefined && isDeepStrictEqual(change.record, stored)
  }

  /** Returns the answer for a key if it is already known, without asking the engine. */
  async #known<Stored>(collection: Collection<Stored>, key: Key) {
    const asked = this.#asked.get(collection)?.get(joinKey(key))
    return asked as Promise<Found<Stored> | undefined> | undefined
  }

  /** Remembers answers, so that a work which asks twice sees the same. */
  #ask<Answer>(by: object, values: Key, ask: () => Promise<Answer>): Promise<Answer> {
    const answers = this.#asked.get(by) ?? new Map<string, Promise<unknown>>()
    this.#asked.set(by, answers)
    const text = joinKey(values)
    const answer = (answers.get(text) as Promise<Answer> | undefined) ?? ask()
    answers.set(text, answer)
    return answer
  }

  async #proveList<Stored>(
    { name, isCached }: Collection<Stored>,
    { proof, firstOf }: ListIndex<Stored>,
    values: Key,
  ): Promise<void> {
    if (firstOf) throw new Error(`A write cannot prove what comes first in lists of ${name}.`)
    if (proof === 'rows' || proof === 'none') return
    if (proof) await this.get(proof.collection(), proof.keyOf(values))
    else if (!isCached) throw new Error(`A write cannot prove this list of ${name}.`)
  }

  #stagedOf<Stored extends object>(collection: Collection<Stored>) {
    return this.#staged.get(collection) as StagedChanges<Stored> | undefined
  }

  #stage<Stored extends object>(collection: Collection<Stored>): StagedChanges<Stored> {
    const staged = this.#stagedOf(collection) ?? new StagedChanges(collection)
    this.#staged.set(collection, staged as unknown as StagedChanges<object>)
    return staged
  }
}

function isSame(left: Key, right: Key): boolean {
  return joinKey(left) === joinKey(right)
}
