import type { Service } from '../service.ts'
import { type MintedWebhookEndpoint, mintSigningSecret } from './mint-signing-secret.ts'
import { requireWebhookEndpoint } from './require-webhook-endpoint.ts'

/** At once: what the old secret signs verifies nowhere any more, and no attempt uses it again. */
export async function rotateSigningSecret(
  service: Service,
  webhookEndpointId: string,
): Promise<MintedWebhookEndpoint> {
  const { signingSecret, sealedSigningSecret } = mintSigningSecret(service)
  const updatedAt = service.clock.now()
  const endpoint = await service.store.write(webhookEndpointId, async (records) => {
    const before = await requireWebhookEndpoint(records, webhookEndpointId)
    const after = { ...before, sealedSigningSecret, updatedAt }
    await records.webhookEndpoints.put(after)
    return after
  })
  return { endpoint, signingSecret }
}
