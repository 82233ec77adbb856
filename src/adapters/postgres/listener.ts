import { Connection } from './connection.ts'
import type { ConnectionLimit, Group } from './connection-limit.ts'
import type { DatabaseOptions } from './database-options.ts'

/** What instances tell each other by. */
export const channel = 'coopshare'

export interface ListenerParts {
  readonly options: DatabaseOptions
  readonly limit: ConnectionLimit
  /** Called at each notification, and whenever it begins to hear them: what was told before is not known. */
  readonly hear: () => void
}

/** A connection that hears notifications. The service does without it when there are few: then it looks once a second. */
export class Listener implements Group {
  readonly #parts: ListenerParts
  readonly #connection: Connection

  constructor(parts: ListenerParts) {
    this.#parts = parts
    this.#connection = new Connection(parts.options, {
      begin: `listen ${channel}`,
      onNotify: parts.hear,
    })
    parts.limit.add(this)
  }

  /** Begins to listen where it does not, or no more. */
  async listen(): Promise<void> {
    const { limit, hear } = this.#parts
    if (this.#connection.isConnected || limit.isFull) return
    await limit.connect(this.#connection)
    hear()
  }

  releaseSpare(): void {
    this.#connection.giveUp()
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}
