import type { SendOutcome } from '../../domain/webhooks/delivery.ts'
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import type { MintedWebhookEndpoint } from '../../usecases/webhooks/mint-signing-secret.ts'

export function renderWebhookEndpoint(endpoint: WebhookEndpoint) {
  return {
    webhook_endpoint_id: endpoint.webhookEndpointId,
    organization_id: endpoint.organizationId,
    url: endpoint.url,
    created_at: endpoint.createdAt,
    updated_at: endpoint.updatedAt,
  }
}

/** The only place where a signing secret is ever seen. */
export function renderMintedWebhookEndpoint({ endpoint, signingSecret }: MintedWebhookEndpoint) {
  return { ...renderWebhookEndpoint(endpoint), signing_secret: signingSecret }
}

export function renderSendOutcome(outcome: SendOutcome) {
  return {
    delivered: outcome.failure === null,
    status: outcome.status,
    failure: outcome.failure,
    detail: outcome.detail,
    address: outcome.address,
    first_byte_ms: outcome.firstByteMs,
    duration_ms: outcome.durationMs,
  }
}
