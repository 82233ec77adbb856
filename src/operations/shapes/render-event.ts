import {
  type Delivery,
  type DeliveryAttempt,
  shownStateOf,
} from '../../domain/webhooks/delivery.ts'
import { type Event, eventStateOf } from '../../domain/webhooks/event.ts'
import type { ReplayedEvent } from '../../usecases/webhooks/foresee-replay.ts'
import type { ListedEvent } from '../../usecases/webhooks/list-events.ts'
import type { ToldDelivery, ToldEvent } from '../../usecases/webhooks/read-event.ts'
import { renderSendOutcome } from './render-webhook-endpoint.ts'

function renderEvent(event: Event) {
  return {
    event_id: event.eventId,
    type: event.type,
    share_purchase_id: event.orderingKey,
    organization_id: event.organizationId,
    state: eventStateOf(event),
    created_at: event.createdAt,
  }
}

export function renderListedEvent({ event, attempts }: ListedEvent) {
  return { ...renderEvent(event), attempts }
}

/** `body` is text, byte for byte as it is signed and sent. */
export function renderFollowedEvent(event: Event) {
  return { ...renderEvent(event), body: event.body }
}

/** `state_after` differs from `state` in a dry run only. */
export function renderReplayedEvent({ event, ...rest }: ReplayedEvent) {
  const { attempts, replayed, stateAfter: state_after, leftAlone: left_alone } = rest
  return { ...renderEvent(event), attempts, replayed, state_after, left_alone }
}

/** `attempts` are all those to webhooks, oldest first. */
export function renderToldEvent({ event, transition, deliveries }: ToldEvent) {
  const webhooks = deliveries.filter(({ delivery }) => delivery.target.kind === 'webhook')
  const mail = deliveries.find(({ delivery }) => delivery.target.kind === 'mail')
  return {
    ...renderFollowedEvent(event),
    transition: { from: transition.from, to: transition.to, at: transition.at },
    deliveries: webhooks.map(renderDelivery),
    attempts: webhooks.flatMap(renderAttempts).sort(byTime),
    mail: mail ? { ...renderProgress(mail), attempts: renderMails(mail.delivery) } : null,
  }
}

function renderDelivery(told: ToldDelivery) {
  return {
    webhook_endpoint_id: endpointIdOf(told.delivery),
    url: told.endpoint?.url ?? null,
    ...renderProgress(told),
  }
}

/** Either a next attempt that is still to come, or `due_since`. */
function renderProgress({ delivery, isBlocked, dueSince }: ToldDelivery) {
  return {
    delivery_id: delivery.deliveryId,
    state: shownStateOf(delivery, isBlocked),
    next_attempt_at: isBlocked || dueSince !== null ? null : delivery.nextAttemptAt,
    due_since: dueSince,
    dead_because: delivery.deadBecause,
  }
}

function renderAttempts({ delivery }: ToldDelivery) {
  const webhook_endpoint_id = endpointIdOf(delivery)
  return delivery.attempts.map((attempt) => ({ webhook_endpoint_id, ...renderAttempt(attempt) }))
}

function renderMails({ attempts }: Delivery) {
  return attempts.map((attempt) => {
    const rendered = renderAttempt(attempt)
    const written = attempt.written === true
    return { ...rendered, delivered: rendered.delivered && !written, written }
  })
}

function renderAttempt(attempt: DeliveryAttempt) {
  return { attempt_id: attempt.attemptId, at: attempt.at, ...renderSendOutcome(attempt) }
}

function endpointIdOf({ target }: Delivery): string | null {
  return target.kind === 'webhook' ? target.webhookEndpointId : null
}

function byTime(left: { readonly at: string }, right: { readonly at: string }): number {
  return left.at < right.at ? -1 : left.at > right.at ? 1 : 0
}
