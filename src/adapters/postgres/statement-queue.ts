import { Batch } from './batch.ts'
import type { Ask, Statement } from './statements.ts'
import { askTogether, changeTogether } from './together.ts'

export interface RowChange extends Statement {
  /** The one row that it changes; without it, others do not travel with this change. */
  readonly row?: string | undefined
}

/** The text grows with them, and is prepared for each number of them. */
const mostChangesTogether = 16

/**
 * What is asked in one turn of the event loop travels as one statement, and so does what is put until something else is
 * asked. Everything is carried out as if in the order in which it came.
 */
export class StatementQueue {
  readonly #questions: Batch<readonly unknown[]>
  readonly #changes: Batch<undefined>
  /** That the waiting changes change. */
  readonly #rows = new Set<string>()

  constructor(ask: Ask) {
    this.#questions = new Batch((questions) => askTogether(ask, questions))
    this.#changes = new Batch((changes) => changeTogether(ask, changes))
  }

  ask({ text, values }: Statement): Promise<readonly unknown[]> {
    this.#flushChanges()
    if (this.#questions.size === 0) queueMicrotask(() => this.#questions.flush())
    return this.#questions.add({ text, values })
  }

  change(table: string, { text, values, row }: RowChange): Promise<undefined> {
    this.#questions.flush()
    const name = row === undefined ? undefined : `${table} ${row}`
    if (!this.#mayJoin(name)) this.#flushChanges()
    const answer = this.#changes.add({ text, values })
    if (name === undefined) this.#flushChanges()
    else this.#rows.add(name)
    return answer
  }

  flush(): void {
    this.#questions.flush()
    this.#flushChanges()
  }

  /** One statement changes a row once. */
  #mayJoin(name: string | undefined): boolean {
    return name !== undefined && !this.#rows.has(name) && this.#changes.size < mostChangesTogether
  }

  #flushChanges(): void {
    this.#rows.clear()
    this.#changes.flush()
  }
}
