import { LRUCache } from 'lru-cache'
import { type Ask, textArray } from '../statements.ts'

type Rows = readonly unknown[]
type Numbered = { [numberColumn]?: number }

/** Of all that this program asks; a text that is asked again is prepared already. */
const mostTexts = 1000
/** The last column, which says for which of the askers a row is. */
const numberColumn = '#'

const texts = new LRUCache<string, string>({ max: mostTexts })

/** One text, with the values of all who ask it. */
export class SharedQuestion {
  readonly #text: string
  readonly #ending: string
  readonly #askers: (readonly string[])[] = []
  readonly #numbers = new Map<string, number>()
  readonly #answers: Promise<readonly Rows[]>
  #answer: (answers: Promise<readonly Rows[]>) => void = () => {}

  /** `ending` goes with the text, always the same. */
  constructor(text: string, ending: string) {
    this.#text = text
    this.#ending = ending
    this.#answers = new Promise((resolve) => {
      this.#answer = resolve
    })
  }

  /** Texts without a NUL, which PostgreSQL refuses; who asks for the same shares the answer. */
  async add(values: readonly string[]): Promise<Rows> {
    const name = values.join('\0')
    const number = this.#numbers.get(name) ?? this.#askers.push(values) - 1
    this.#numbers.set(name, number)
    return (await this.#answers)[number] ?? []
  }

  send(ask: Ask): void {
    this.#answer(this.#askAll(ask))
  }

  async #askAll(ask: Ask): Promise<readonly Rows[]> {
    const [first = []] = this.#askers
    if (first.length === 0) return [await ask(this.#text + this.#ending)]
    const columns = first.map((_, index) =>
      textArray(this.#askers.map((values) => values[index] ?? '')),
    )
    return separate(await ask<Numbered>(this.#textForAll(first.length), columns))
  }

  #textForAll(count: number): string {
    const known = texts.get(this.#text) ?? writeForAll(this.#text + this.#ending, count)
    texts.set(this.#text, known)
    return known
  }
}

function separate(rows: readonly Numbered[]): readonly Rows[] {
  const answers: unknown[][] = []
  for (const row of rows) {
    const index = (row[numberColumn] ?? 0) - 1
    // Of what was added last, it costs less than a copy of all the rest.
    delete row[numberColumn]
    const answer = answers[index] ?? []
    answers[index] = answer
    answer.push(row)
  }
  return answers
}

/** A parameter has no collation of its own, a column has: without a word the index would not answer. */
function writeForAll(text: string, count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const arrays = numbers.map((number) => `$${number}::text::text[]`).join(', ')
  const columns = numbers.map((number) => `v${number}`).join(', ')
  const ofOne = text.replace(/\$(\d+)/g, (_, number) => `(a.v${number} collate "C")`)
  return `select q.*, a.n::integer as "${numberColumn}" from unnest(${arrays}) with ordinality a (${columns}, n)
    cross join lateral (${ofOne}) q`
}
