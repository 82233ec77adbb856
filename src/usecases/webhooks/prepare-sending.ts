import type { DeathCause, Delivery, SendOutcome } from '../../domain/webhooks/delivery.ts'
import type { Event } from '../../domain/webhooks/event.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { prepareMail } from './prepare-mail.ts'
import { sendWebhook } from './send-webhook.ts'

export interface Sending {
  readonly attemptId: string
  readonly signal: AbortSignal
}

export type Send = (sending: Sending) => Promise<SendOutcome & { readonly isFinal?: boolean }>

/** What sends a delivery as things stand now, or why it is not to be sent any more. */
export async function prepareSending(
  records: ReadableRecords,
  service: Service,
  delivery: Delivery,
): Promise<Send | DeathCause> {
  const { target, eventId } = delivery
  if (target.kind === 'webhook') {
    const { webhookEndpointId } = target
    return prepareWebhook(records, service, { eventId, webhookEndpointId })
  }
  const event = requireEvent(await records.events.get(eventId))
  return prepareMail(records, service, { delivery, event })
}

interface WebhookToPrepare {
  readonly eventId: string
  readonly webhookEndpointId: string
}

async function prepareWebhook(
  { events, webhookEndpoints }: ReadableRecords,
  service: Service,
  { eventId, webhookEndpointId }: WebhookToPrepare,
): Promise<Send | DeathCause> {
  const [found, endpoint] = await Promise.all([
    events.get(eventId),
    webhookEndpoints.get(webhookEndpointId),
  ])
  const { type, body } = requireEvent(found)
  return endpoint
    ? (sending) => sendWebhook(service, { endpoint, type, body, ...sending })
    : 'endpoint_removed'
}

function requireEvent(event: Event | undefined): Event {
  if (!event) throw new Error('A delivery is stored without its event.')
  return event
}
