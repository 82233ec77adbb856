import type { SendOutcome } from '../../domain/webhooks/delivery.ts'
import { testEventType as type } from '../../domain/webhooks/event.ts'
import type { Service } from '../service.ts'
import { renderEnvelope } from './envelope.ts'
import { evenOfOwnFault } from './even-of-own-fault.ts'
import { requireWebhookEndpoint } from './require-webhook-endpoint.ts'
import { sendWebhook } from './send-webhook.ts'

export interface TryWebhookEndpoint {
  readonly webhookEndpointId: string
  /** Signed with a secret that is not the endpoint's: a receiver that takes it does not look. */
  readonly wrongSignature?: boolean | undefined
}

export interface TriedWebhookEndpoint {
  readonly eventId: string
  readonly outcome: SendOutcome
}

/** One signed event in the usual envelope, which no log keeps and nothing sends again. */
export async function tryWebhookEndpoint(
  service: Service,
  { webhookEndpointId, wrongSignature = false }: TryWebhookEndpoint,
): Promise<TriedWebhookEndpoint> {
  const { store, random, clock } = service
  const endpoint = await store.read((records) => requireWebhookEndpoint(records, webhookEndpointId))
  const eventId = random.id()
  const data = { webhook_endpoint_id: endpoint.webhookEndpointId, terminal: false }
  const body = renderEnvelope({ id: eventId, type, createdAt: clock.now(), data })
  const secret = wrongSignature ? random.secret() : undefined
  const sending = { endpoint, type, body, attemptId: random.id(), secret }
  return { eventId, outcome: await evenOfOwnFault(sendWebhook(service, sending)) }
}
