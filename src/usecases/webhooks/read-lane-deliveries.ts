import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import { type Delivery, deliveryIdOf } from '../../domain/webhooks/delivery.ts'
import { eventIdOf } from '../../domain/webhooks/event.ts'
import type { ReadableRecords } from '../../ports/store.ts'

type Order = Pick<SharePurchase, 'sharePurchaseId' | 'transitions'>

/** What one target gets of one order, in the order in which it happened. By key, so that a write sees its own. */
export async function readLaneDeliveries(
  { deliveries }: ReadableRecords,
  { sharePurchaseId, transitions }: Order,
  lane: string,
): Promise<readonly Delivery[]> {
  const found = transitions.map(({ to }) =>
    deliveries.get(deliveryIdOf(eventIdOf(sharePurchaseId, to), lane)),
  )
  return (await Promise.all(found)).filter((delivery) => delivery !== undefined)
}
