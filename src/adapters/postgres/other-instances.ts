import { concernsKept, countedTables, type KeptAnswers } from './kept-answers.ts'
import type { Ask } from './statements.ts'
import { deliveryTable } from './tables/webhooks.ts'
import type { Transaction } from './transaction.ts'
import { analyzeYoungTables } from './young-tables.ts'

const channel = 'coopshare'
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
  /** Calls back at each notification, and whenever it begins to hear them, again. */
  readonly listen: (channel: string, hear: () => void) => Promise<unknown>
}

/** Tells other instances what they would have to know, and hears of it from them. */
export class OtherInstances {
  readonly #parts: OtherInstancesParts
  #timer: NodeJS.Timeout | undefined
  #isListening = false

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
    const isLeft = changed.has(deliveryTable.name) && !this.#timer
    if (isLeft || concernsKept(changed)) transaction.send({ text: notify, values: [] })
  }

  /** Calls `wake` when there may be deliveries to take, until `stop`. */
  start(wake: () => void): void {
    const hear = () => {
      this.#parts.kept.forget()
      if (this.#timer) wake()
    }
    this.#timer = setInterval(() => void this.#lookAgain(wake), lookAgainMs)
    if (this.#isListening) return
    this.#isListening = true
    // Whatever becomes of it, it is tried again.
    this.#parts.listen(channel, hear).catch(() => undefined)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #lookAgain(wake: () => void): Promise<void> {
    try {
      await this.#parts.kept.look()
      const [row] = await this.#parts.ask<{ readonly isDue: boolean }>(isDue)
      if (row?.isDue && this.#timer) wake()
      await analyzeYoungTables(this.#parts.ask)
    } catch {
      // Without the database there is nothing to see; the next look comes.
    }
  }
}
