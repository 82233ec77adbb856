import type { Exchange } from '../../domain/bench/exchange.ts'

export interface MetAnswer {
  readonly operation: string
  readonly status: number
  /** null for an answer without a code. */
  readonly code: string | null
  readonly times: number
}

/** Which answers, events and outcomes of deliveries a run of tests has met since the start. */
export class Coverage {
  readonly #answers = new Map<string, MetAnswer>()
  readonly #eventTypes = new Map<string, number>()
  readonly #outcomes = new Map<string, number>()

  note(exchange: Exchange): void {
    if (exchange.direction === 'delivery') this.#noteDelivery(exchange)
    else this.#noteAnswer(exchange)
  }

  get answers(): readonly MetAnswer[] {
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
