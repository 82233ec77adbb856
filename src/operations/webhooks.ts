import { boolean, object, optional } from 'superstruct'
import { listWebhookEndpoints } from '../usecases/webhooks/list-webhook-endpoints.ts'
import { registerWebhookEndpoint } from '../usecases/webhooks/register-webhook-endpoint.ts'
import { removeWebhookEndpoint } from '../usecases/webhooks/remove-webhook-endpoint.ts'
import { rotateSigningSecret } from '../usecases/webhooks/rotate-signing-secret.ts'
import { tryWebhookEndpoint } from '../usecases/webhooks/try-webhook-endpoint.ts'
import { operation } from './operation.ts'
import {
  renderMintedWebhookEndpoint,
  renderSendOutcome,
  renderWebhookEndpoint,
} from './shapes/render-webhook-endpoint.ts'
import { text } from './shapes/text.ts'

const one = object({ webhook_endpoint_id: text() })

/** `organization` is an id or an exact name. */
export const webhookOperations = {
  'webhook.register': operation({
    input: object({ organization: text(), url: text(4000) }),
    run: async (service, input) =>
      renderMintedWebhookEndpoint(await registerWebhookEndpoint(service, input)),
  }),
  'webhook.list': operation({
    input: object({ organization: optional(text()) }),
    run: async (service, { organization }) =>
      (await listWebhookEndpoints(service, organization)).map(renderWebhookEndpoint),
  }),
  'webhook.rotate_secret': operation({
    input: one,
    run: async (service, { webhook_endpoint_id }) =>
      renderMintedWebhookEndpoint(await rotateSigningSecret(service, webhook_endpoint_id)),
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
      const { eventId, outcome } = await tryWebhookEndpoint(service, tried)
      return {
        webhook_endpoint_id: webhookEndpointId,
        event_id: eventId,
        ...renderSendOutcome(outcome),
      }
    },
  }),
}
