import { randomUUID } from 'node:crypto'
import { currency, type Money, parseMoney } from '../../domain/money.ts'
import { addSeconds, type Timestamp } from '../../domain/timestamp.ts'
import type { EventStatus } from '../../domain/webhooks/event.ts'
import { describeTransition } from '../../usecases/share-purchases/record-transition.ts'
import { renderEvent } from '../../wire/events.ts'

export interface InventedEvent {
  readonly id: string
  readonly type: string
  /** The text to send, byte for byte. */
  readonly body: string
}

export interface InventedOrder {
  readonly id: string
  /** As the service renders it. Called again, it is the same event. */
  event(status: EventStatus): InventedEvent
}

export interface OrderToInvent {
  /** Time of the newest transition. */
  readonly now: Timestamp
  readonly shareCount?: number
  readonly reason?: string
}

/** An order that no receiver has seen, so that runs do not disturb each other. */
export function inventOrder({ now, shareCount = 3, reason }: OrderToInvent): InventedOrder {
  const order = {
    sharePurchaseId: randomUUID(),
    organizationId: randomUUID(),
    investorId: randomUUID(),
    cooperativeId: randomUUID(),
    shareCount,
    total: parseMoney(`${shareCount * priceOfShare}`) as Money,
    currency,
    reason: reason ?? null,
  }
  const event = (status: EventStatus) => {
    const transitions = [{ to: status, at: addSeconds(now, -secondsBefore[status]) }]
    const described = describeTransition({ renderEvent }, { ...order, transitions })
    if (!described) throw new Error(`A transition to ${status} has no event.`)
    return { id: described.eventId, type: described.type, body: described.body }
  }
  return { id: order.sharePurchaseId, event }
}

const priceOfShare = 110

/** A receiver may compare the times of the events of an order. */
const secondsBefore: Readonly<Record<EventStatus, number>> = {
  submitted: 2,
  approved: 1,
  settled: 0,
  rejected: 0,
  cancelled: 0,
}

type Json = Readonly<Record<string, unknown>>

/** The event with another body, as a later version of the service could send it. */
export function withChangedBody(
  { id, body }: InventedEvent,
  change: (event: Json & { readonly data: Json }) => Json,
  render: (event: Json) => string = (event) => JSON.stringify(event),
): InventedEvent {
  const changed = change(JSON.parse(body))
  return { id, type: String(changed['type']), body: render(changed) }
}
