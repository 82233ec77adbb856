import { LRUCache } from 'lru-cache'
import { nameOf, type Statement } from '../statements.ts'

type Rows = readonly unknown[]

/** What somebody changed by hand, without counting it, is seen after that. */
const longestMs = 1000
/** Callers may ask for as many that are not there as they like. */
const mostAnswers = 1000

/**
 * Answers that are good as long as the versions are what they were before they were asked: who looks at the versions in
 * a transaction need not ask again in it.
 */
export class CountedAnswers {
  readonly #answers = new LRUCache<string, Rows>({ max: mostAnswers, ttl: longestMs })
  #versions = ''

  find(question: Statement, versions: string): Rows | undefined {
    return versions === this.#versions ? this.#answers.get(nameOf(question)) : undefined
  }

  /** `versions` were looked at before. */
  keep(question: Statement, versions: string, rows: Rows): void {
    if (versions !== this.#versions) this.#answers.clear()
    this.#versions = versions
    this.#answers.set(nameOf(question), rows)
  }
}
