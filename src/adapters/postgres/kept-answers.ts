import { LRUCache } from 'lru-cache'
import type { Question } from './session.ts'
import { type Ask, nameOf } from './statements.ts'

/** What was looked at longer ago is looked at again first: the longest that another instance's change goes unseen. */
const longestMs = 1000
/** From then on the next look is on its way, so that nobody waits for it. */
const lookAgainMs = 500
const mostAnswers = 10_000

/** The catalogue counts its own changes. */
export const countedTables = [
  'clients',
  'signing_keys',
  'organizations',
  'webhook_endpoints',
] as const
/** One row, which is another one after each change of what is counted: no version ever goes down. */
export const lookAtVersions =
  'select ((select version from catalogue) + (select sum(version) from changes))::text as versions'

export function concernsKept(changed: ReadonlySet<string>): boolean {
  return [...countedTables, 'catalogue'].some((table) => changed.has(table))
}

/**
 * Answers that every request needs and that seldom change. Each look at the versions says whether they are still good,
 * so the bound holds even when notifications are lost.
 */
export class KeptAnswers {
  readonly #ask: Ask
  readonly #answers = new LRUCache<string, readonly unknown[]>({ max: mostAnswers })
  #versions = ''
  #confirmedAtMs = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined
  #generation = 0

  constructor(ask: Ask) {
    this.#ask = ask
  }

  async read<Row>(question: Question): Promise<readonly Row[]> {
    const { text, values } = question
    await this.#beSure()
    const name = nameOf(question)
    const kept = this.#answers.get(name) as readonly Row[] | undefined
    if (kept) return kept
    const generation = this.#generation
    const rows = await this.#ask<Row>(text, values)
    // Names of what is not there are as many as callers like.
    if (rows.length > 0 && generation === this.#generation) this.#answers.set(name, rows)
    return rows
  }

  /** Something has changed. Answers that are still on their way may be older than that. */
  forget(): void {
    this.#generation += 1
    this.#answers.clear()
  }

  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(): Promise<void> {
    const askedAtMs = performance.now()
    const versions = JSON.stringify(await this.#ask(lookAtVersions))
    if (versions !== this.#versions) this.forget()
    this.#versions = versions
    this.#confirmedAtMs = askedAtMs
  }

  async #beSure(): Promise<void> {
    const nowMs = performance.now()
    const ageMs = () => nowMs - this.#confirmedAtMs
    if (ageMs() < lookAgainMs) return
    const looked = this.look()
    // A look ahead that fails is not told: from the end of that second on, each read looks itself.
    if (ageMs() < longestMs) return void looked.catch(() => undefined)
    await looked
    // The look that was joined may have been asked more than a second ago.
    if (ageMs() >= longestMs) await this.look()
  }
}
