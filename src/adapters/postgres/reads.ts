import type { Ask } from './database.ts'
import type { Query } from './table.ts'

export interface BatcherOptions<Item> {
  /** The maximum number of concurrent batches. Later items wait for the next batch. */
  readonly maximum: number
  /** Chooses which waiting items are sent now. The others wait until a running batch has ended. */
  choose(waiting: readonly Item[]): { readonly chosen: readonly Item[]; readonly left: Item[] }
  send(chosen: readonly Item[]): Promise<void>
}

/** Gathers the items of one turn of the event loop into a batch. */
export class Batcher<Item> {
  readonly #parts: BatcherOptions<Item>
  #waiting: Item[] = []
  #isScheduled = false
  #running = 0

  constructor(parts: BatcherOptions<Item>) {
    this.#parts = parts
  }

  add(item: Item): void {
    this.#waiting.push(item)
    this.#schedule()
  }

  #schedule(): void {
    const { maximum } = this.#parts
    if (this.#isScheduled || this.#running >= maximum || this.#waiting.length === 0) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      const { chosen, left } = this.#parts.choose(this.#waiting)
      this.#waiting = left
      if (chosen.length === 0) return
      this.#running += 1
      void this.#parts.send(chosen).finally(() => {
        this.#running -= 1
        this.#schedule()
      })
      this.#schedule()
    })
  }
}

interface Waiting {
  readonly query: Query<unknown>
  readonly asker: object
  readonly resolve: (answer: never) => void
  readonly reject: (error: unknown) => void
}

/** The maximum number of concurrent statements. Later queries wait for the next one. */
const maximumStatements = 4

/**
 * Sends all queries of one turn of the event loop as one statement, so their answers are
 * consistent. Work that asks a slow query has a separate statement.
 */
export class Reads {
  readonly #ask: Ask
  readonly #waiting = new Batcher<Waiting>({
    maximum: maximumStatements,
    choose: (waiting) => ({ chosen: this.#chooseQuick(waiting), left: [] }),
    send: (waiting) => this.#send(waiting),
  })

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** Questions that one caller asks in one turn are answered by the same statement. */
  ask<Answer>(query: Query<Answer>, asker: object): Promise<Answer> {
    if (!query.values.every(mayBeStored)) return Promise.resolve(query.read(null))
    return new Promise((resolve, reject) => {
      this.#waiting.add({ query, asker, resolve, reject })
    })
  }

  #chooseQuick(waiting: readonly Waiting[]): readonly Waiting[] {
    const slow = new Set(waiting.filter(({ query }) => query.isSlow).map(({ asker }) => asker))
    for (const asker of slow) void this.#send(waiting.filter((one) => one.asker === asker))
    return waiting.filter(({ asker }) => !slow.has(asker))
  }

  async #send(waiting: readonly Waiting[]): Promise<void> {
    try {
      const answers = await this.#answer(waiting.map(({ query }) => query))
      for (const [index, { query, resolve }] of waiting.entries()) {
        resolve(query.read(answers[index]) as never)
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  /** Queries with the same text become one part of the statement, which takes the values of each once. */
  async #answer(queries: readonly Query<unknown>[]): Promise<unknown[]> {
    const byText = new Map<string, Map<string, number>>()
    const places = queries.map(({ text, values }) => {
      const asked = byText.get(text) ?? new Map<string, number>()
      byText.set(text, asked)
      const given = JSON.stringify(values)
      const index = asked.get(given) ?? asked.size
      asked.set(given, index)
      return { text, index }
    })
    const parts = [...byText].sort(([left], [right]) => (left < right ? -1 : 1))
    const selected = parts.map(
      ([text], part) =>
        `(select json_agg(${text}) from json_array_elements($${part + 1}::text::json) a) as p${part}`,
    )
    const [row] = await this.#ask<Record<string, unknown[]>>(
      `select ${selected.join(', ')}`,
      parts.map(([, asked]) => `[${[...asked.keys()].join(',')}]`),
    )
    const answers = new Map(parts.map(([text], part) => [text, row?.[`p${part}`]]))
    return places.map(({ text, index }) => answers.get(text)?.[index])
  }
}

/** PostgreSQL stores no text with NUL or an unpaired surrogate, so no such value can be found. */
function mayBeStored(value: string | number | null): boolean {
  return typeof value !== 'string' || !/\0|\p{Surrogate}/u.test(value)
}
