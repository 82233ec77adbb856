import type { Timestamp } from '../../domain/timestamp.ts'
import { atMost } from '../../machine/time.ts'

/** `partner`: a partner called the service. `delivery`: the service sent an event to a receiver. */
export const directions = ['partner', 'delivery'] as const
export type Direction = (typeof directions)[number]

export interface Message {
  readonly headers: Readonly<Record<string, string>>
  /** The body as it was sent, up to 64 kB. */
  readonly body: string
  readonly isCutOff: boolean
}

/** One request and its answer. Contains secrets and IBANs. */
export interface Exchange {
  /** Counts from 1; later exchanges have higher numbers. */
  readonly sequence: number
  readonly at: Timestamp
  readonly direction: Direction
  /** The operation id of the contract, or `delivery`; null if the contract does not have the method and the path. */
  readonly operation: string | null
  readonly method: string
  /** With the query; for a delivery, the URL. */
  readonly path: string
  readonly request: Message
  /** null if there was no answer. */
  readonly status: number | null
  readonly response: Message
  /** The code of the problem or OAuth error. */
  readonly code: string | null
  readonly clientId: string | null
  readonly organizationId: string | null
  readonly requestId: string | null
  readonly webhookEndpointId: string | null
  readonly durationMs: number
  /** The fault that affected the exchange. */
  readonly faultId: string | null
}

/** The number of exchanges that are kept. */
export const keptExchanges = 1000
export const keptBodyBytes = 64 * 1024

export type NewExchange = Omit<Exchange, 'sequence'>

export interface ExchangeFilter {
  readonly operation?: string | undefined
  readonly clientId?: string | undefined
  readonly organizationId?: string | undefined
  readonly direction?: Direction | undefined
  /** Only exchanges with a higher sequence number. */
  readonly after?: number | undefined
  /** The maximum number of exchanges; the newest ones are returned. */
  readonly limit?: number | undefined
}

export interface AwaitedExchanges extends ExchangeFilter {
  readonly count: number
  readonly timeoutMs: number
}

/** The last exchanges with partners, in both directions. */
export class Journal {
  #exchanges: Exchange[] = []
  #sequence = 0
  readonly #listeners = new Set<(exchange: Exchange) => void>()

  record(exchange: NewExchange): void {
    this.#sequence += 1
    const recorded = { ...exchange, sequence: this.#sequence }
    this.#exchanges.push(recorded)
    // Exchanges are removed in bulk, because removing the first one moves all others.
    if (this.#exchanges.length >= 2 * keptExchanges) {
      this.#exchanges = this.#exchanges.slice(-keptExchanges)
    }
    for (const listener of this.#listeners) listener(recorded)
  }

  /** Calls `listener` for each exchange that follows. Returns a function that ends the calls. */
  watch(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The sequence number of the last exchange. */
  get last(): number {
    return this.#sequence
  }

  /** Oldest first. */
  list(filter: ExchangeFilter = {}): readonly Exchange[] {
    const kept = this.#exchanges.slice(-keptExchanges)
    const found = kept.filter((exchange) => isMatching(exchange, filter))
    return filter.limit === undefined
      ? found
      : found.slice(Math.max(0, found.length - filter.limit))
  }

  /** Returns undefined if the number is not reached in time. */
  async waitFor({
    count,
    timeoutMs,
    ...filter
  }: AwaitedExchanges): Promise<readonly Exchange[] | undefined> {
    let found = this.list(filter).length
    let unwatch = () => {}
    const arriving = new Promise<void>((resolve) => {
      unwatch = this.watch((exchange) => {
        if (!isMatching(exchange, filter)) return
        found += 1
        // Exchanges may have been removed, so only now is it worth counting all of them again.
        if (found >= count) found = this.list(filter).length
        if (found >= count) resolve()
      })
      if (found >= count) resolve()
    })
    await atMost(timeoutMs, arriving)
    unwatch()
    const exchanges = this.list(filter)
    return exchanges.length >= count ? exchanges : undefined
  }

  /** Returns the number of removed exchanges. */
  clear(): number {
    const { length } = this.list()
    this.#exchanges = []
    return length
  }
}

function isMatching(exchange: Exchange, filter: ExchangeFilter): boolean {
  const { operation, clientId, organizationId, direction, after } = filter
  if (after !== undefined && exchange.sequence <= after) return false
  if (operation !== undefined && exchange.operation !== operation) return false
  if (clientId !== undefined && exchange.clientId !== clientId) return false
  if (organizationId !== undefined && exchange.organizationId !== organizationId) return false
  return direction === undefined || exchange.direction === direction
}

export interface CoveredResponse {
  readonly operation: string
  readonly status: number
  /** null for an answer without a code. */
  readonly code: string | null
  readonly times: number
}

/** The answers, events and outcomes of deliveries that tests have covered since the start. */
export class Coverage {
  readonly #answers = new Map<string, CoveredResponse>()
  readonly #eventTypes = new Map<string, number>()
  readonly #outcomes = new Map<string, number>()

  note(exchange: Exchange): void {
    if (exchange.direction === 'delivery') this.#noteDelivery(exchange)
    else this.#noteAnswer(exchange)
  }

  get answers(): readonly CoveredResponse[] {
    return [...this.#answers.values()]
  }

  get eventTypes(): ReadonlyMap<string, number> {
    return this.#eventTypes
  }

  /** `delivered`, or why an attempt failed. */
  get outcomes(): ReadonlyMap<string, number> {
    return this.#outcomes
  }

  #noteAnswer({ operation, status, code }: Exchange): void {
    if (operation === null || status === null) return
    const key = `${operation} ${status} ${code}`
    const times = (this.#answers.get(key)?.times ?? 0) + 1
    this.#answers.set(key, { operation, status, code, times })
  }

  #noteDelivery({ request, code }: Exchange): void {
    count(this.#outcomes, code ?? 'delivered')
    count(this.#eventTypes, request.headers['x-service-webhook-event'] ?? '')
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
