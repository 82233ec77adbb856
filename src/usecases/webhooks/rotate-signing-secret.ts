import type { Service } from '../service.ts'
import { type MintedWebhookEndpoint, mintSigningSecret } from './mint-signing-secret.ts'
import { requireWebhookEndpoint } from './require-webhook-endpoint.ts'

/** At once: what the old secret signs verifies nowhere any more, and no attempt uses it again. */
export async function rotateSigningSecret(
  service: Service,
  webhookEndpointId: string,
): Promise<MintedWebhookEndpoint> {
  const updatedAt = service.clock.now()
  return service.store.write(async (records) => {
    const before = await requireWebhookEndpoint(records, webhookEndpointId)
    const { signingSecret, sealedSigningSecret } = mintSigningSecret(service, before)
    const endpoint = { ...before, sealedSigningSecret, updatedAt }
    await records.webhookEndpoints.put(endpoint)
    return { endpoint, signingSecret }
  })
}
