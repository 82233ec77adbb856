import { boolean, integer, max, min, object, optional } from 'superstruct'
import type { SendOutcome } from '../domain/webhooks/delivery.ts'
import { longestOverlapSeconds, type WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts'
import type { WithOwner } from '../usecases/organizations/organizations.ts'
import {
  diagnoseWebhookEndpoint,
  sendTestEvent,
} from '../usecases/webhooks/diagnose-webhook-endpoint.ts'
import {
  listWebhookEndpoints,
  type MintedWebhookEndpoint,
  pauseWebhookEndpoint,
  registerWebhookEndpoint,
  removeWebhookEndpoint,
  resumeWebhookEndpoint,
  rotateSigningSecret,
} from '../usecases/webhooks/webhook-endpoints.ts'
import { eventTypesShape, text } from '../wire/fields.ts'
import { operation } from './operation.ts'

const one = object({ webhook_endpoint_id: text() })

/** `organization` is an id or an exact name. */
export const webhookOperations = {
  'webhook.register': operation({
    input: object({
      organization: text(),
      url: text(4000),
      signing_secret: optional(text()),
      types: optional(eventTypesShape),
    }),
    run: async (service, { signing_secret: signingSecret, types: eventTypes, ...input }) =>
      renderMintedWebhookEndpoint(
        await registerWebhookEndpoint(service, { ...input, signingSecret, eventTypes }),
      ),
  }),
  'webhook.list': operation({
    input: object({ organization: optional(text()) }),
    run: async (service, { organization }) =>
      (await listWebhookEndpoints(service, organization)).map(renderListedEndpoint),
  }),
  'webhook.rotate_secret': operation({
    input: object({
      webhook_endpoint_id: text(),
      overlap_seconds: optional(max(min(integer(), 0), longestOverlapSeconds)),
    }),
    run: async (service, { webhook_endpoint_id, overlap_seconds: overlapSeconds }) => {
      const rotation = { webhookEndpointId: webhook_endpoint_id, overlapSeconds }
      return renderMintedWebhookEndpoint(await rotateSigningSecret(service, rotation))
    },
  }),
  'webhook.pause': operation({
    input: one,
    run: async (service, { webhook_endpoint_id }) =>
      renderWebhookEndpoint(await pauseWebhookEndpoint(service, webhook_endpoint_id)),
  }),
  'webhook.resume': operation({
    input: one,
    run: async (service, { webhook_endpoint_id }) =>
      renderWebhookEndpoint(await resumeWebhookEndpoint(service, webhook_endpoint_id)),
  }),
  'webhook.remove': operation({
    input: one,
    run: async (service, { webhook_endpoint_id }) => {
      const removed = await removeWebhookEndpoint(service, webhook_endpoint_id)
      return {
        ...renderWebhookEndpoint(removed.endpoint),
        ended_deliveries: removed.endedDeliveries,
      }
    },
  }),
  'webhook.test': operation({
    input: object({ webhook_endpoint_id: text(), wrong_signature: optional(boolean()) }),
    run: async (service, { webhook_endpoint_id: webhookEndpointId, wrong_signature }) => {
      const tried = { webhookEndpointId, wrongSignature: wrong_signature }
      const { eventId, outcome } = await sendTestEvent(service, tried)
      return {
        webhook_endpoint_id: webhookEndpointId,
        event_id: eventId,
        ...renderSendOutcome(outcome),
      }
    },
  }),
  'webhook.doctor': operation({
    input: one,
    run: async (service, { webhook_endpoint_id }) => {
      const { endpoint, checks } = await diagnoseWebhookEndpoint(service, webhook_endpoint_id)
      return {
        webhook_endpoint_id: endpoint.webhookEndpointId,
        url: endpoint.url,
        healthy: checks.every(({ finding }) => finding.result !== 'failed'),
        checks: checks.map(({ check, finding }) => ({ check, ...finding })),
      }
    },
  }),
}

function renderWebhookEndpoint(endpoint: WebhookEndpoint) {
  return {
    webhook_endpoint_id: endpoint.webhookEndpointId,
    organization_id: endpoint.organizationId,
    url: endpoint.url,
    types: endpoint.eventTypes,
    paused_at: endpoint.pausedAt,
    previous_secret_until: endpoint.previousSecretUntil,
    created_at: endpoint.createdAt,
    updated_at: endpoint.updatedAt,
  }
}

function renderListedEndpoint({ owned, ownerName }: WithOwner<WebhookEndpoint>) {
  return { ...renderWebhookEndpoint(owned), organization: ownerName }
}

/** The only output that contains a signing secret. */
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
