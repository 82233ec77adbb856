import { Problem } from '../../domain/problem.ts'
import {
  maximumEndpointsPerOrganization,
  type WebhookEndpoint,
} from '../../domain/webhooks/webhook-endpoint.ts'
import { type Records, UniquenessError } from '../../ports/store.ts'

/** Refused when the organisation has too many, or has one of this URL. */
export async function addWebhookEndpoint(
  records: Records,
  endpoint: WebhookEndpoint,
): Promise<void> {
  await requireRoom(records, endpoint)
  try {
    await records.webhookEndpoints.put(endpoint)
  } catch (error) {
    throw error instanceof UniquenessError ? registeredBefore() : error
  }
}

async function requireRoom(
  { webhookEndpoints }: Records,
  { organizationId }: WebhookEndpoint,
): Promise<void> {
  const endpoints = await webhookEndpoints.listByOrganization(organizationId)
  if (endpoints.length < maximumEndpointsPerOrganization) return
  throw new Problem(
    'ENDPOINT_LIMIT_REACHED',
    `The organisation already has ${maximumEndpointsPerOrganization} webhook endpoints. Remove one first: \`coopshare webhook remove\`.`,
  )
}

function registeredBefore(): Problem {
  return new Problem(
    'WEBHOOK_URL_REFUSED',
    'The URL is refused: the organisation has it already. `coopshare webhook rotate-secret` gives it another signing secret.',
  )
}
