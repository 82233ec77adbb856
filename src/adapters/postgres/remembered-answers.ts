import { nameOf, type Statement } from './statements.ts'

export interface RememberedAnswer extends Statement {
  readonly answer: Promise<readonly unknown[]>
}

/** What was read of each table, as long as nothing was put into it. */
export class RememberedAnswers {
  readonly #answers = new Map<string, Map<string, RememberedAnswer>>()

  answer(
    table: string,
    { text, values }: Statement,
    ask: () => Promise<readonly unknown[]>,
  ): Promise<readonly unknown[]> {
    const answers = this.#answers.get(table) ?? new Map<string, RememberedAnswer>()
    this.#answers.set(table, answers)
    const name = nameOf({ text, values })
    const known = answers.get(name) ?? { text, values, answer: ask() }
    answers.set(name, known)
    return known.answer
  }

  of(table: string): Iterable<RememberedAnswer> {
    return this.#answers.get(table)?.values() ?? []
  }

  forget(table: string): void {
    this.#answers.delete(table)
  }
}
