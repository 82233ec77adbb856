import { changeHolding } from '../../domain/holdings/change-holding.ts'
import type { Holding } from '../../domain/holdings/holding.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { Records } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { recordEvent } from '../webhooks/record-event.ts'
import { describeTransition } from './share-purchase-event.ts'

/**
 * The only place that stores an order, so whatever has to go with each of its transitions goes here. Returns the holding
 * as it is afterwards.
 */
export async function recordTransition(
  records: Records,
  service: Pick<Service, 'settings'>,
  sharePurchase: SharePurchase,
  holding: Holding,
): Promise<Holding> {
  await records.sharePurchases.put(sharePurchase)
  const changed = changeHolding(holding, sharePurchase)
  if (changed !== holding) await records.holdings.put(changed)
  const event = describeTransition(sharePurchase)
  if (event) await recordEvent(records, service, event)
  return changed
}
