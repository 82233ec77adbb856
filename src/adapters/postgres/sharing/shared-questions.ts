import { lookAtVersions } from '../kept-answers.ts'
import type { Ask } from '../statements.ts'
import type { CountedAnswers } from './counted-answers.ts'
import { SharedQuestion } from './shared-question.ts'

export interface SharedStatement {
  readonly text: string
  readonly values: readonly string[]
}

interface Ways {
  readonly ask: Ask
  /** Several travel as one. */
  readonly look: Ask
}

/**
 * What several works ask in one turn: a statement for each text, whoever asks it. Those that lock are sent before those
 * that look, so that all see what others did until then. What is locked by somebody else is passed over.
 */
export class SharedQuestions {
  readonly #ways: Ways
  readonly #counted: CountedAnswers
  #versions: Promise<string> | undefined
  readonly #locks = new Map<string, SharedQuestion>()
  readonly #looks = new Map<string, SharedQuestion>()
  #isWaiting = false

  constructor(ways: Ways, counted: CountedAnswers) {
    this.#ways = ways
    this.#counted = counted
  }

  lock<Row>(question: SharedStatement): Promise<readonly Row[]> {
    return this.#add(this.#locks, question, ' skip locked')
  }

  look<Row>(question: SharedStatement): Promise<readonly Row[]> {
    return this.#add(this.#looks, question)
  }

  /** What seldom changes is asked only when it has changed, which is looked at once. */
  async lookAtCounted(question: SharedStatement): Promise<readonly unknown[]> {
    this.#versions ??= this.#lookAtVersions()
    const versions = await this.#versions
    const known = this.#counted.find(question, versions)
    if (known) return known
    const rows = await this.look(question)
    this.#counted.keep(question, versions, rows)
    return rows
  }

  async #lookAtVersions(): Promise<string> {
    const [row] = await this.look<{ readonly versions: string }>({
      text: lookAtVersions,
      values: [],
    })
    return row?.versions ?? ''
  }

  #add<Row>(
    questions: Map<string, SharedQuestion>,
    { text, values }: SharedStatement,
    ending = '',
  ) {
    const question = questions.get(text) ?? new SharedQuestion(text, ending)
    questions.set(text, question)
    // By then all have asked that go on with the same answers.
    if (!this.#isWaiting) process.nextTick(() => this.#flush())
    this.#isWaiting = true
    return question.add(values) as Promise<readonly Row[]>
  }

  #flush(): void {
    this.#isWaiting = false
    sendAll(this.#locks, this.#ways.ask)
    sendAll(this.#looks, this.#ways.look)
  }
}

function sendAll(questions: Map<string, SharedQuestion>, ask: Ask): void {
  for (const question of questions.values()) question.send(ask)
  questions.clear()
}
