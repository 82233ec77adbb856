import { object } from 'superstruct'
import { diagnoseWebhookEndpoint } from '../usecases/webhooks/diagnose-webhook-endpoint.ts'
import { operation } from './operation.ts'
import { text } from './shapes/text.ts'

export const webhookDoctorOperations = {
  'webhook.doctor': operation({
    input: object({ webhook_endpoint_id: text() }),
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
