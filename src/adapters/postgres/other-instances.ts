import { concernsKept, countedTables, type KeptAnswers } from './kept-answers.ts'
import { channel } from './listener.ts'
import type { Ask } from './statements.ts'
import { deliveryTable } from './tables/webhooks.ts'
import type { Transaction } from './transaction.ts'
import { analyzeYoungTables } from './young-tables.ts'

/** How late what notifications should have told is noticed without them. */
const lookAgainMs = 1000

const nextVersion = 'update changes set version = version + 1 where name = $1'
const notify = `select pg_notify('${channel}', '')`
const dueNow = (kind: string) => `exists (
    select from deliveries where kind = '${kind}' and state = 'pending' and next_attempt_at <= now()
      and (claimed_until is null or claimed_until <= now())
  )`
const isDue = `select ${dueNow('webhook')} or ${dueNow('mail')} as "isDue"`

export interface OtherInstancesParts {
  readonly ask: Ask
  readonly kept: KeptAnswers
  /** Begins to listen where it does not, or no more. */
  readonly listen: () => Promise<void>
}

/** Tells other instances what they would have to know, and hears of it from them. */
export class OtherInstances {
  readonly #parts: OtherInstancesParts
  #wake: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(parts: OtherInstancesParts) {
    this.#parts = parts
  }

  /** In the same transaction, so that it is told when it is there. */
  announce(transaction: Transaction): void {
    const { changed } = transaction
    for (const name of countedTables.filter((table) => changed.has(table))) {
      transaction.send({ text: nextVersion, values: [name] })
    }
    // Notifying makes commits wait for each other. Whoever takes deliveries takes its own; others find what is left over.
    const isLeft = changed.has(deliveryTable.name) && !this.#wake
    if (isLeft || concernsKept(changed)) transaction.send({ text: notify, values: [] })
  }

  /** Calls `wake` when there may be deliveries to take, until `stop`. */
  start(wake: () => void): void {
    this.#wake = wake
    void this.#listen()
    this.#lookLater()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#wake = undefined
  }

  /** Something has changed that others know of. */
  hear(): void {
    this.#parts.kept.forget()
    this.#wake?.()
  }

  /** Not by an interval: looks at a database that is slow would queue up in front of what is asked of it. */
  #lookLater(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(async () => {
      await Promise.all([this.#look(), this.#listen()])
      if (this.#wake) this.#lookLater()
    }, lookAgainMs)
  }

  async #listen(): Promise<void> {
    await this.#parts.listen().catch(() => undefined)
  }

  async #look(): Promise<void> {
    try {
      await this.#parts.kept.look()
      const [row] = await this.#parts.ask<{ readonly isDue: boolean }>(isDue)
      if (row?.isDue) this.#wake?.()
      await analyzeYoungTables(this.#parts.ask)
    } catch {
      // Without the database there is nothing to see; the next look comes.
    }
  }
}
