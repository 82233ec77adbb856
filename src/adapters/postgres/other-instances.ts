import { connect, connectMs, type DatabaseOptions, type Sql } from './connect.ts'
import type { Database } from './database.ts'
import { within } from './faults.ts'
import type { KeptAnswers } from './kept-answers.ts'

/** The channel on which instances notify each other. */
const channel = 'coopshare'
/** How often it looks by itself, for notifications that do not arrive. */
const lookAgainMs = 1000
/** Longer than any instance asks for the outcome of a call. */
const callsKeptMs = 600_000
const fewRows = 50
/** Notifying makes those who notify wait for each other, so it is done seldom, and not by the commits themselves. */
const hintMs = 50
const ofDeliveries = 'deliveries'
const hint = `select pg_notify('${channel}', '${ofDeliveries}')`

const purgeCalls = 'delete from calls where id < $1::text::uuid'
const young = `select relid::regclass::text as name from pg_stat_user_tables
  where schemaname = current_schema() and last_analyze is null and last_autoanalyze is null
    and n_live_tup > ${fewRows}`

export interface OtherInstancesParts {
  readonly options: DatabaseOptions
  readonly database: Database
  readonly kept: KeptAnswers
}

/** Hears from other instances what changes, sooner than by looking once a second. Nothing depends on it. */
export class OtherInstances {
  readonly #parts: OtherInstancesParts
  readonly #listeners = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined
  #hinting: NodeJS.Timeout | undefined
  #listener: Sql | undefined

  constructor(parts: OtherInstancesParts) {
    this.#parts = parts
  }

  /** Calls `listener` when there may be deliveries to send, and once a second. Returns what ends that. */
  watch(listener: () => void): () => void {
    if (this.#listeners.size === 0) {
      void this.#listen()
      this.#lookLater()
    }
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) clearTimeout(this.#timer)
    }
  }

  wake(): void {
    for (const listener of this.#listeners) listener()
  }

  /** There is something to send that is for another instance. */
  hint(): void {
    this.#hinting ??= setTimeout(() => this.#sendHint(), hintMs).unref()
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#listeners.clear()
    if (this.#hinting) await this.#sendHint()
    await this.#listener?.end({ timeout: 0 })
  }

  /** Without it they look within a second. */
  async #sendHint(): Promise<void> {
    clearTimeout(this.#hinting)
    this.#hinting = undefined
    await within(lookAgainMs, this.#parts.database.run(hint)).catch(() => undefined)
  }

  /** Not by an interval: looks at a database that is slow would queue up in front of what is asked of it. */
  #lookLater(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(async () => {
      await Promise.all([this.#look(), this.#listen()])
      if (this.#listeners.size > 0) this.#lookLater()
    }, lookAgainMs)
  }

  /** On a connection of its own. The service does without it where connections are few, or a pooler is in between. */
  async #listen(): Promise<void> {
    const { options, database } = this.#parts
    if (database.isFull) return void this.#stopListening()
    if (this.#listener || database.isPooled !== false) return
    const listener = connect(options, {
      connections: 1,
      onClose: () => this.#listener === listener && this.#stopListening(),
      onNotify: (_channel, payload) => this.#hear(payload),
    })
    this.#listener = listener
    try {
      await within(connectMs, listener.unsafe(`listen ${channel}`))
      // Earlier notifications may have been missed.
      this.#hear()
    } catch {
      if (this.#listener === listener) this.#stopListening()
    }
  }

  #stopListening(): void {
    void this.#listener?.end({ timeout: 0 }).catch(() => undefined)
    this.#listener = undefined
  }

  #hear(payload = ''): void {
    if (payload !== ofDeliveries) this.#parts.kept.doubt()
    this.wake()
  }

  async #look(): Promise<void> {
    const { kept, database } = this.#parts
    try {
      await kept.look()
      this.wake()
      await database.ask(purgeCalls, [idBefore(Date.now() - callsKeptMs)])
      await this.#analyzeYoungTables()
    } catch {
      // Without the database there is nothing to see; the next look comes.
    }
  }

  /**
   * The planner knows nothing about a table that was never analysed, and takes an index that reads all rows of an
   * organization for as good as one that reads the row. PostgreSQL looks once a minute; a platform that begins is busy
   * before that, and each order would take longer than the last.
   */
  async #analyzeYoungTables(): Promise<void> {
    const { database } = this.#parts
    for (const { name } of await database.ask<{ readonly name: string }>(young)) {
      // Another instance may be at it.
      await database.ask(`analyze (skip_locked) ${name}`)
    }
  }
}

/** Ids of calls begin with their time. */
function idBefore(atMs: number): string {
  const hex = atMs.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
