import { object } from 'superstruct'
import { maximumReasonLength } from '../domain/share-purchases/share-purchase.ts'
import type { DeliveryAttempt } from '../domain/webhooks/delivery.ts'
import { displayStateOf } from '../domain/webhooks/delivery.ts'
import { type Event, eventStateOf, sharePurchaseIdOf } from '../domain/webhooks/event.ts'
import type { DeliveryDetails, EventDetails, EventPage } from '../usecases/webhooks/read-events.ts'
import type { ReplayedEvent } from '../usecases/webhooks/replay-events.ts'
import { optionalText } from './fields.ts'

/** The body of a rejection. */
export const reasonShape = object({ reason: optionalText(maximumReasonLength) })

export function renderExpiredTokens(clients: number) {
  return { clients }
}

function renderEvent(event: Event) {
  return {
    event_id: event.eventId,
    type: event.type,
    share_purchase_id: sharePurchaseIdOf(event),
    status: eventStateOf(event),
    created_at: event.createdAt,
  }
}

export function renderEventPage({ items, hasNext }: EventPage) {
  const last = hasNext ? items.at(-1) : undefined
  return {
    items: items.map(({ event, attempts }) => ({ ...renderEvent(event), attempts })),
    next_after: last?.event.eventId ?? null,
  }
}

/** E-mails to investors are left out: they do not concern the partner. */
export function renderEventDetails({ event, deliveries }: EventDetails) {
  return {
    ...renderEvent(event),
    body: event.body,
    deliveries: deliveries.flatMap((details) => renderDelivery(details) ?? []),
  }
}

/** Either `next_attempt_at` is in the future, or `due_since` is in the past. */
function renderDelivery({ delivery, endpoint, isBlocked, dueSince }: DeliveryDetails) {
  const { target, nextAttemptAt, deadBecause, attempts } = delivery
  if (target.kind !== 'webhook') return undefined
  return {
    webhook_endpoint_id: target.webhookEndpointId,
    url: endpoint?.url ?? null,
    status: displayStateOf(delivery, isBlocked),
    next_attempt_at: isBlocked || dueSince !== null ? null : nextAttemptAt,
    due_since: dueSince,
    dead_because: deadBecause,
    attempts: attempts.map(renderAttempt),
  }
}

function renderAttempt(attempt: DeliveryAttempt) {
  return {
    attempt_id: attempt.attemptId,
    at: attempt.at,
    delivered: attempt.failure === null,
    response_status: attempt.status,
    failure: attempt.failure,
    detail: attempt.detail,
    first_byte_ms: attempt.firstByteMs,
    duration_ms: attempt.durationMs,
  }
}

/** `left_alone` says why nothing is sent again. */
export function renderReplay({ event, attempts, replayed, skipReason }: ReplayedEvent) {
  return { ...renderEvent(event), attempts, replayed, left_alone: skipReason }
}
