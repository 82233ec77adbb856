import type { Collection, Key, ListIndex, UniqueIndex } from '../store/collection.ts'
import type { Found, Lookup, Range } from '../store/lookup.ts'
import type { Ask } from './database.ts'
import type { KeptAnswers } from './kept-answers.ts'
import {
  countQuestion,
  findQuestion,
  getQuestion,
  listedQuestion,
  listQuestion,
  type Question,
} from './questions.ts'

const nothing = Promise.resolve(undefined)

/** No text in the database has this character, so nothing there has such a key. */
function isWritable(key: Key): boolean {
  return !key.some((value) => value.includes('\0'))
}

/**
 * What one work finds. A read may use what is kept for a second; a write may use it however old it is, because its commit
 * proves it.
 */
export class PostgresLookup implements Lookup {
  readonly #reads: Reads
  readonly #kept: KeptAnswers
  readonly #isProven: boolean

  constructor(reads: Reads, kept: KeptAnswers, { isProven = false } = {}) {
    this.#reads = reads
    this.#kept = kept
    this.#isProven = isProven
  }

  get<Stored extends object>(
    collection: Collection<Stored>,
    key: Key,
  ): Promise<Found<Stored> | undefined> {
    return isWritable(key) ? this.#ask(collection, getQuestion(collection, key)) : nothing
  }

  find<Stored extends object>(
    collection: Collection<Stored>,
    index: UniqueIndex<Stored>,
    values: Key,
  ): Promise<Found<Stored> | undefined> {
    return isWritable(values)
      ? this.#ask(collection, findQuestion(collection, index, values))
      : nothing
  }

  list<Stored extends object>(
    collection: Collection<Stored>,
    index: ListIndex<Stored>,
    range: Range<Stored>,
  ): Promise<readonly Found<Stored>[]> {
    return this.#ask(collection, listQuestion(collection, index, range))
  }

  count<Stored extends object>(
    collection: Collection<Stored>,
    index: ListIndex<Stored>,
    values: Key,
  ): Promise<number> {
    return this.#ask(collection, countQuestion(collection, index, values))
  }

  listed<Stored extends object>(
    collection: Collection<Stored>,
    index: ListIndex<Stored>,
  ): Promise<readonly Key[]> {
    return this.#ask(collection, listedQuestion(collection, index))
  }

  async version<Stored extends object>(collection: Collection<Stored>): Promise<number> {
    if (!this.#isProven) await this.#kept.beSure()
    return this.#kept.version(collection as Collection<object>)
  }

  async #ask<Stored extends object, Answer>(
    collection: Collection<Stored>,
    question: Question<Answer>,
  ): Promise<Answer> {
    if (!collection.isKept) return this.#reads.ask(question, this)
    if (!this.#isProven) await this.#kept.beSure()
    return this.#kept.read(collection as Collection<object>, question, this)
  }
}

interface Waiting {
  readonly question: Question<unknown>
  readonly asker: object
  readonly resolve: (answer: never) => void
  readonly reject: (error: unknown) => void
}

const halfLetter = /\p{Surrogate}/u

/** Statements that are under way at once; what is asked meanwhile goes with the next one. */
const mostUnderWay = 4

/**
 * What one turn of the event loop asks is one statement, so it is of one moment; whoever asks for something that may take
 * long has a statement of its own.
 */
export class Reads {
  readonly #ask: Ask
  #waiting: Waiting[] = []
  #isGathering = false
  #underWay = 0

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** What the same asker asks in one turn is answered by one statement. */
  ask<Answer>(question: Question<Answer>, asker: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, asker, resolve, reject })
      this.#gather()
    })
  }

  #gather(): void {
    if (this.#isGathering || this.#underWay >= mostUnderWay) return
    this.#isGathering = true
    setImmediate(() => {
      this.#isGathering = false
      const waiting = this.#waiting
      this.#waiting = []
      const slow = new Set(
        waiting.filter(({ question }) => question.isSlow).map(({ asker }) => asker),
      )
      for (const asker of slow) void this.#send(waiting.filter((one) => one.asker === asker))
      const quick = waiting.filter(({ asker }) => !slow.has(asker))
      if (quick.length === 0) return
      this.#underWay += 1
      void this.#send(quick).finally(() => {
        this.#underWay -= 1
        if (this.#waiting.length > 0) this.#gather()
      })
    })
  }

  async #send(waiting: readonly Waiting[]): Promise<void> {
    try {
      const answers = await this.#answer(waiting.map(({ question }) => question))
      for (const [index, { question, resolve }] of waiting.entries()) {
        resolve(question.read(answers[index]) as never)
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  /** Questions with the same text are one part of the statement, with the values of each. */
  async #answer(questions: readonly Question<unknown>[]): Promise<unknown[]> {
    const byText = new Map<string, number[]>()
    for (const [index, { text, values }] of questions.entries()) {
      if (!values.every(mayBeStored)) continue
      const same = byText.get(text)
      if (same) same.push(index)
      else byText.set(text, [index])
    }
    const parts = [...byText].sort(([left], [right]) => (left < right ? -1 : 1))
    const answers: unknown[] = questions.map(() => null)
    if (parts.length === 0) return answers
    const text = statementOf(parts.map(([text]) => text))
    const values = parts.map(([, numbers]) =>
      JSON.stringify(numbers.map((number) => questions[number]?.values)),
    )
    const [row] = await this.#ask<Record<string, unknown[]>>(text, values)
    for (const [part, [, numbers]] of parts.entries()) {
      for (const [index, number] of numbers.entries()) answers[number] = row?.[`p${part}`]?.[index]
    }
    return answers
  }
}

/** No text has a NUL in PostgreSQL, nor half a letter; so nothing there is found by one. */
function mayBeStored(value: string | number | null): boolean {
  return typeof value !== 'string' || !(value.includes('\0') || halfLetter.test(value))
}

function statementOf(texts: readonly string[]): string {
  const parts = texts.map(
    (text, part) =>
      `(select json_agg(${text}) from json_array_elements($${part + 1}::text::json) a) as p${part}`,
  )
  return `select ${parts.join(', ')}`
}
