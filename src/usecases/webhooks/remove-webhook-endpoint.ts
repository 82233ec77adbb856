import { isUnfinished } from '../../domain/webhooks/delivery.ts'
import { died } from '../../domain/webhooks/delivery-progress.ts'
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import type { Service } from '../service.ts'
import { changeDelivery } from './change-delivery.ts'
import { requireWebhookEndpoint } from './require-webhook-endpoint.ts'

export interface RemovedWebhookEndpoint {
  readonly endpoint: WebhookEndpoint
  /** What it will not get any more. */
  readonly endedDeliveries: number
}

/** So many in one write: others have their turn in between. */
const batchSize = 200

/**
 * First the endpoint goes, so that nothing new is meant for it; then what was still meant for it ends. Should that be
 * cut off, the dispatcher ends the rest.
 */
export async function removeWebhookEndpoint(
  service: Service,
  webhookEndpointId: string,
): Promise<RemovedWebhookEndpoint> {
  const endpoint = await service.store.write(webhookEndpointId, async (records) => {
    const found = await requireWebhookEndpoint(records, webhookEndpointId)
    await records.webhookEndpoints.remove(found.webhookEndpointId)
    return found
  })
  for (let endedDeliveries = 0; ; ) {
    const { found, ended } = await endBatch(service, endpoint)
    endedDeliveries += ended
    if (found < batchSize) return { endpoint, endedDeliveries }
  }
}

async function endBatch({ store, clock }: Service, { webhookEndpointId }: WebhookEndpoint) {
  const now = clock.now()
  return store.write(webhookEndpointId, async (records) => {
    let ended = 0
    const batch = await records.deliveries.listPending(webhookEndpointId, batchSize)
    for (const { deliveryId } of batch) {
      // It may have been delivered since.
      const before = await records.deliveries.get(deliveryId)
      if (!before || !isUnfinished(before)) continue
      await changeDelivery(records, before, died(before, 'endpoint_removed', now))
      ended += 1
    }
    return { found: batch.length, ended }
  })
}
