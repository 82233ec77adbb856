import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { Service } from '../service.ts'
import { changeStatus } from './change-status.ts'
import { type OwnedSharePurchase, requireSharePurchase } from './require-share-purchase.ts'

/** A partner's own withdrawal; operators decide through decideSharePurchase. */
export function cancelSharePurchase(
  service: Service,
  owned: OwnedSharePurchase,
): Promise<SharePurchase> {
  return service.store.write(owned.investorId.toLowerCase(), async (records) => {
    const sharePurchase = await requireSharePurchase(records, owned)
    const step = { to: 'cancelled', at: service.clock.now() } as const
    return changeStatus(records, service, sharePurchase, step)
  })
}
