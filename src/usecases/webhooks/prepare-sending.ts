import type { DeathCause, Delivery, SendOutcome } from '../../domain/webhooks/delivery.ts'
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
  const [event, endpoint] = await Promise.all([
    records.events.get(eventId),
    target.kind === 'webhook' ? records.webhookEndpoints.get(target.webhookEndpointId) : undefined,
  ])
  if (!event) throw new Error('A delivery is stored without its event.')
  if (target.kind === 'mail') return prepareMail(records, service, { delivery, event })
  const { type, body } = event
  return endpoint
    ? (sending) => sendWebhook(service, { endpoint, type, body, ...sending })
    : 'endpoint_removed'
}
