import { setTimeout } from 'node:timers/promises'
import { isFull } from './faults.ts'

/** After which one more connection than there are is asked for again. */
const fullForMs = 2000
/** So often, and after so long, a kind of connections that has none asks again while others give up what they can spare. */
const mostAttempts = 6
const pauseMs = 150

/** Connections of one kind. */
export interface Group {
  /** Gives up what it can do without. */
  releaseSpare(): void
}

interface Connecting {
  live(): Promise<unknown>
}

/**
 * The connections of one store, which the database may give fewer of than it would take. Those that are there do the
 * work; a kind that has none gets one that another can spare.
 */
export class ConnectionLimit {
  readonly #groups: Group[] = []
  #refusedAtMs = Number.NEGATIVE_INFINITY

  add(group: Group): void {
    this.#groups.push(group)
  }

  /** The database has just refused one, so it is left alone with more. */
  get isFull(): boolean {
    return performance.now() - this.#refusedAtMs < fullForMs
  }

  /** One more than there are. */
  async connect(connection: Connecting): Promise<void> {
    try {
      await connection.live()
    } catch (error) {
      this.#refusedAtMs = performance.now()
      throw error
    }
  }

  /** The first one of its group, without which nothing of its kind can be done. */
  async connectFirst(group: Group, connection: Connecting): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.connect(connection)
      } catch (error) {
        if (!isFull(error) || attempt >= mostAttempts) throw error
        for (const other of this.#groups) if (other !== group) other.releaseSpare()
        await setTimeout(pauseMs)
      }
    }
  }
}
