import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import { requireOrganization } from '../organizations/require-organization.ts'
import type { Service } from '../service.ts'

/** `organization` is an id or an exact name. */
export function listWebhookEndpoints(
  { store }: Service,
  organization: string | undefined,
): Promise<readonly WebhookEndpoint[]> {
  return store.read(async (records) => {
    if (organization === undefined) return records.webhookEndpoints.list()
    const { organizationId } = await requireOrganization(records, organization)
    return records.webhookEndpoints.listByOrganization(organizationId)
  })
}
