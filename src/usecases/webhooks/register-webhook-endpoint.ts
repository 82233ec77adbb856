import { Problem } from '../../domain/problem.ts'
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import { requireOrganization } from '../organizations/require-organization.ts'
import type { Service } from '../service.ts'
import { addWebhookEndpoint } from './add-webhook-endpoint.ts'
import { findWebhookUrlFault } from './find-webhook-url-fault.ts'
import { type MintedWebhookEndpoint, mintSigningSecret } from './mint-signing-secret.ts'

export interface RegisterWebhookEndpoint {
  /** An id or an exact name. */
  readonly organization: string
  readonly url: string
}

/** The endpoint gets the events that happen from now on. */
export async function registerWebhookEndpoint(
  service: Service,
  { organization, url }: RegisterWebhookEndpoint,
): Promise<MintedWebhookEndpoint> {
  // Who the organisation is costs nothing to know; where a name leads, others are asked.
  await service.store.read((records) => requireOrganization(records, organization))
  const fault = await findWebhookUrlFault(service, url)
  if (fault) throw new Problem('WEBHOOK_URL_REFUSED', `The URL is refused: ${fault}.`)
  const { signingSecret, sealedSigningSecret } = mintSigningSecret(service)
  const createdAt = service.clock.now()
  return service.store.write(organization, async (records) => {
    const { organizationId } = await requireOrganization(records, organization)
    const endpoint: WebhookEndpoint = {
      webhookEndpointId: service.random.id(),
      organizationId,
      url: new URL(url).href,
      sealedSigningSecret,
      createdAt,
      updatedAt: createdAt,
    }
    await addWebhookEndpoint(records, endpoint)
    return { endpoint, signingSecret }
  })
}
