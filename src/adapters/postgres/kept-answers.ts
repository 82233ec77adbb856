import { LRUCache } from 'lru-cache'
import type { Collection } from '../store/collection.ts'
import type { Ask } from './database.ts'
import type { Reads } from './reads.ts'
import { type Question, tableOf } from './table.ts'

/** An older version is checked before use, so a change by another instance is visible after this time. */
const longestMs = 1000
/** From this age on, versions are checked in the background, so that no request waits. */
const lookAgainMs = 500
const mostAnswers = 10_000

const lookAtVersions = 'select name, version::text from changes'

/** Caches answers that every request needs, until the version of their collection changes. */
export class KeptAnswers {
  readonly #ask: Ask
  readonly #reads: Reads
  readonly #answers = new LRUCache<string, { version: number; answer: unknown }>({
    max: mostAnswers,
  })
  readonly #versions = new Map<string, number>()
  #confirmedAtMs = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined

  constructor(ask: Ask, reads: Reads) {
    this.#ask = ask
    this.#reads = reads
  }

  /** When this resolves, the cache is at most a second old. */
  async beSure(): Promise<void> {
    const nowMs = performance.now()
    const ageMs = () => nowMs - this.#confirmedAtMs
    if (ageMs() < lookAgainMs) return
    const looked = this.look()
    // If this check fails, nothing is lost: after a second, each read checks again.
    if (ageMs() < longestMs) return void looked.catch(() => undefined)
    await looked
    // The check may have begun more than a second ago.
    if (ageMs() >= longestMs) await this.look()
  }

  async version(collection: Collection<object>): Promise<number> {
    const { table } = collection.row
    if (!this.#versions.get(table)) await this.look()
    return this.#versions.get(table) ?? 0
  }

  async read<Answer>(
    collection: Collection<object>,
    question: Question<Answer>,
    asker: object,
  ): Promise<Answer> {
    const { text, values } = question
    const name = `${text} ${values.join('\0')}`
    const kept = this.#answers.get(name)
    const { table } = collection.row
    if (kept && kept.version === this.#versions.get(table)) return kept.answer as Answer
    const { version, answer } = await this.#reads.ask(
      tableOf(collection).versioned(question),
      asker,
    )
    this.#note(table, version)
    // Missing records are not cached, because callers can ask for any number of them.
    if (answer !== undefined) this.#answers.set(name, { version, answer })
    return answer
  }

  /** Something may have changed, so the next read checks first. */
  doubt(): void {
    this.#confirmedAtMs = Number.NEGATIVE_INFINITY
  }

  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(): Promise<void> {
    const askedAtMs = performance.now()
    type Version = { readonly name: string; readonly version: string }
    for (const { name, version } of await this.#ask<Version>(lookAtVersions)) {
      this.#note(name, Number(version))
    }
    this.#confirmedAtMs = askedAtMs
  }

  /** Versions only grow, but answers may arrive in another order. */
  #note(table: string, version: number): void {
    this.#versions.set(table, Math.max(version, this.#versions.get(table) ?? 0))
  }
}
