import { Problem } from '../../domain/problem.ts'
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import type { ReadableRecords } from '../../ports/store.ts'

export async function requireWebhookEndpoint(
  { webhookEndpoints }: Pick<ReadableRecords, 'webhookEndpoints'>,
  webhookEndpointId: string,
): Promise<WebhookEndpoint> {
  const endpoint = await webhookEndpoints.get(webhookEndpointId.toLowerCase())
  if (endpoint) return endpoint
  throw new Problem(
    'WEBHOOK_ENDPOINT_NOT_FOUND',
    `There is no webhook endpoint "${webhookEndpointId}". \`coopshare webhook list\` shows which there are.`,
  )
}
