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
  const event = await records.events.get(delivery.eventId)
  if (!event) throw new Error('A delivery is stored without its event.')
  const { target } = delivery
  return target.kind === 'mail'
    ? prepareMail(records, service, { delivery, event })
    : prepareWebhook(records, service, { event, webhookEndpointId: target.webhookEndpointId })
}

async function prepareWebhook(
  { webhookEndpoints }: ReadableRecords,
  service: Service,
  { event, webhookEndpointId }: { readonly event: Event; readonly webhookEndpointId: string },
): Promise<Send | DeathCause> {
  const endpoint = await webhookEndpoints.get(webhookEndpointId)
  const { type, body } = event
  return endpoint
    ? (sending) => sendWebhook(service, { endpoint, type, body, ...sending })
    : 'endpoint_removed'
}
