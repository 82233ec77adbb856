import { connect, connectMs, type DatabaseOptions, type Sql } from './connect.ts'
import type { Database } from './database.ts'
import { withTimeout } from './faults.ts'
import { callsKeptMs } from './group-commit.ts'
import type { QueryCache } from './query-cache.ts'

/** The channel on which instances notify each other. */
const channel = 'coopshare'
/** The interval between polls for changes, in case a notification is lost. */
const checkMs = 1000
const fewRows = 50
/** Notifications are rare, and not part of commits, because transactions that notify wait for each other. */
const notifyPauseMs = 50
const ofDeliveries = 'deliveries'
const notifyOthers = `select pg_notify('${channel}', '${ofDeliveries}')`

const purgeCalls = `delete from calls where created_at < now() - interval '${callsKeptMs} milliseconds'`
const young = `select relid::regclass::text as name from pg_stat_user_tables
  where schemaname = current_schema() and last_analyze is null and last_autoanalyze is null
    and n_live_tup > ${fewRows}`

export interface OtherInstancesParts {
  readonly options: DatabaseOptions
  readonly database: Database
  readonly cache: QueryCache
}

/** Receives notifications of other instances, which is faster than looking once a second. */
export class OtherInstances {
  readonly #parts: OtherInstancesParts
  readonly #listeners = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined
  #notifying: NodeJS.Timeout | undefined
  #listener: Sql | undefined

  constructor(parts: OtherInstancesParts) {
    this.#parts = parts
  }

  /**
   * Calls `listener` when there may be deliveries to send, and once a second. Returns a function
   * that ends the calls.
   */
  watch(listener: () => void): () => void {
    if (this.#listeners.size === 0) {
      void this.#listen()
      this.#scheduleCheck()
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

  /** Notifies the other instances that there is something to send. */
  notify(): void {
    this.#notifying ??= setTimeout(() => this.#sendNotification(), notifyPauseMs).unref()
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#listeners.clear()
    if (this.#notifying) await this.#sendNotification()
    await this.#listener?.end({ timeout: 0 })
  }

  /** If the notification fails, the other instances look within a second. */
  async #sendNotification(): Promise<void> {
    clearTimeout(this.#notifying)
    this.#notifying = undefined
    await withTimeout(checkMs, this.#parts.database.run(notifyOthers)).catch(() => undefined)
  }

  /** A timeout instead of an interval: polls of a slow database would pile up. */
  #scheduleCheck(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(async () => {
      await Promise.all([this.#check(), this.#listen()])
      if (this.#listeners.size > 0) this.#scheduleCheck()
    }, checkMs)
  }

  /** Uses a separate connection. If no connection is free or a pooler is in between, there are no notifications. */
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
      await withTimeout(connectMs, listener.unsafe(`listen ${channel}`))
      // A notification may have been missed before.
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
    if (payload !== ofDeliveries) this.#parts.cache.invalidate()
    this.wake()
  }

  async #check(): Promise<void> {
    const { cache, database } = this.#parts
    try {
      await cache.checkVersions()
      this.wake()
      await database.ask(purgeCalls)
      await this.#analyzeYoungTables()
    } catch {
      // Without the database, no change can be seen. The next poll tries again.
    }
  }

  /**
   * Without statistics, the planner considers an index that reads all rows of an organization as good as one that
   * reads a single row. PostgreSQL itself analyses tables once a minute. In a busy new store, orders would become
   * slower and slower until then.
   */
  async #analyzeYoungTables(): Promise<void> {
    const { database } = this.#parts
    for (const { name } of await database.ask<{ readonly name: string }>(young)) {
      // Another instance may be analysing the same table.
      await database.ask(`analyze (skip_locked) ${name}`)
    }
  }
}
