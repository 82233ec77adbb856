import type { Statement } from './statements.ts'

interface Waiting<Answer> {
  readonly statement: Statement
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** Statements that are to travel together. */
export class Batch<Answer> {
  readonly #send: (statements: readonly Statement[]) => Promise<readonly Answer[]>
  #waiting: Waiting<Answer>[] = []

  /** `send` answers each statement. */
  constructor(send: (statements: readonly Statement[]) => Promise<readonly Answer[]>) {
    this.#send = send
  }

  get size(): number {
    return this.#waiting.length
  }

  add(statement: Statement): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, resolve, reject })
    })
  }

  flush(): void {
    const waiting = this.#waiting
    if (waiting.length === 0) return
    this.#waiting = []
    this.#send(waiting.map(({ statement }) => statement)).then(
      (answers) => {
        for (const [index, { resolve }] of waiting.entries()) resolve(answers[index] as Answer)
      },
      (error) => {
        for (const { reject } of waiting) reject(error)
      },
    )
  }
}
