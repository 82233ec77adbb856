import { LRUCache } from 'lru-cache'
import type { Collection } from '../store/collection.ts'
import type { Ask } from './database.ts'
import type { Reads } from './reads.ts'
import { type Query, tableOf } from './table.ts'

/** Versions of this age are checked before use, so a change by another instance is visible after this time. */
const maximumAgeMs = 1000
/** From this age on, versions are checked in the background, so that no request waits. */
const refreshMs = 500
const maximumAnswers = 10_000

/** The name under which the version of the store's row is kept. */
const ofStore = 'store'

const selectVersions = 'select name, version::text from changes'

/** Caches answers that every request needs, until the version of their collection changes. */
export class QueryCache {
  readonly #ask: Ask
  readonly #reads: Reads
  readonly #onStoreChange: () => Promise<void>
  readonly #answers = new LRUCache<string, { version: number; answer: unknown }>({
    max: maximumAnswers,
  })
  readonly #versions = new Map<string, number>()
  #confirmedAtMs = Number.NEGATIVE_INFINITY
  #invalidatedAtMs = Number.NEGATIVE_INFINITY
  #checking: Promise<void> | undefined

  /** @param onStoreChange called when the row of the store may have changed, and once at the start */
  constructor(ask: Ask, reads: Reads, onStoreChange = async () => {}) {
    this.#ask = ask
    this.#reads = reads
    this.#onStoreChange = onStoreChange
  }

  /** When this resolves, the cache is at most a second old. */
  async refresh(): Promise<void> {
    const nowMs = performance.now()
    const ageMs = () => nowMs - this.#confirmedAtMs
    if (ageMs() < refreshMs) return
    const checked = this.checkVersions()
    // If this check fails, nothing is lost: after a second, each read checks again.
    if (ageMs() < maximumAgeMs) return void checked.catch(() => undefined)
    await checked
    // The check may have started more than a second ago, or before a change.
    if (ageMs() >= maximumAgeMs) await this.checkVersions()
  }

  async version(collection: Collection<object>): Promise<number> {
    const { table } = collection.row
    if (!this.#versions.get(table)) await this.checkVersions()
    return this.#versions.get(table) ?? 0
  }

  async read<Answer>(
    collection: Collection<object>,
    query: Query<Answer>,
    asker: object,
  ): Promise<Answer> {
    const { text, values } = query
    const name = `${text} ${values.join('\0')}`
    const cached = this.#answers.get(name)
    const { table } = collection.row
    if (cached && cached.version === this.#versions.get(table)) return cached.answer as Answer
    const { version, answer } = await this.#reads.ask(tableOf(collection).versioned(query), asker)
    this.#note(table, version)
    // Missing records are not cached, because callers can ask for any number of them.
    if (answer !== undefined) this.#answers.set(name, { version, answer })
    return answer
  }

  /** Call this if something may have changed. The next read then checks the versions first. */
  invalidate(): void {
    this.#confirmedAtMs = Number.NEGATIVE_INFINITY
    this.#invalidatedAtMs = performance.now()
  }

  /** Checks the versions as they are now, even if an earlier check is in progress. */
  async checkVersionsNow(): Promise<void> {
    await this.#checking?.catch(() => undefined)
    await this.checkVersions()
  }

  checkVersions(): Promise<void> {
    this.#checking ??= this.#readVersions().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #readVersions(): Promise<void> {
    const askedAtMs = performance.now()
    type Version = { readonly name: string; readonly version: string }
    const before = this.#versions.get(ofStore)
    for (const { name, version } of await this.#ask<Version>(selectVersions)) {
      this.#note(name, Number(version))
    }
    if (this.#versions.get(ofStore) !== before) await this.#learn(before)
    // A check that was already in progress may have read versions from before the change.
    if (askedAtMs > this.#invalidatedAtMs) this.#confirmedAtMs = askedAtMs
  }

  async #learn(before: number | undefined): Promise<void> {
    try {
      await this.#onStoreChange()
    } catch (error) {
      // The next check compares with the old version again, and so finds the same change.
      this.#versions.set(ofStore, before ?? 0)
      throw error
    }
  }

  /** Versions only grow, but answers may arrive in another order. */
  #note(table: string, version: number): void {
    this.#versions.set(table, Math.max(version, this.#versions.get(table) ?? 0))
  }
}
