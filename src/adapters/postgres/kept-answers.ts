import { LRUCache } from 'lru-cache'
import type { Collection } from '../store/collection.ts'
import type { Ask } from './database.ts'
import type { Reads } from './reads.ts'
import { type Question, tableOf } from './table.ts'

/** Versions that are older are read again before an answer is used: no change of another instance goes unseen for longer. */
const longestMs = 1000
/** From this age on they are read again in the background, so that no request waits for it. */
const lookAgainMs = 500
const mostAnswers = 10_000

const lookAtVersions = 'select name, version::text from changes'

/** Answers that every request needs and that seldom change, good as long as the version of their collection stands. */
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

  /** Once this has resolved, what is kept is no more than a second old. */
  async beSure(): Promise<void> {
    const nowMs = performance.now()
    const ageMs = () => nowMs - this.#confirmedAtMs
    if (ageMs() < lookAgainMs) return
    const looked = this.look()
    // If this look fails, nothing is lost: after that second, each read looks by itself.
    if (ageMs() < longestMs) return void looked.catch(() => undefined)
    await looked
    // That look may have been under way already, and begun more than a second ago.
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
    // Callers can ask for any number of records that do not exist.
    if (answer !== undefined) this.#answers.set(name, { version, answer })
    return answer
  }

  /** Something may have changed: the next read looks first. */
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

  /** No version ever goes down, but answers may overtake each other. */
  #note(table: string, version: number): void {
    this.#versions.set(table, Math.max(version, this.#versions.get(table) ?? 0))
  }
}
