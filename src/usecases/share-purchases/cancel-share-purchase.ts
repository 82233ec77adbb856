import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { Service } from '../service.ts'
import { changeStatus } from './change-status.ts'
import { type OwnedSharePurchase, requireSharePurchase } from './require-share-purchase.ts'

/** A partner's own withdrawal; operators decide through decideSharePurchase. */
export function cancelSharePurchase(
  { store, clock }: Service,
  owned: OwnedSharePurchase,
): Promise<SharePurchase> {
  return store.write(async (records) => {
    const sharePurchase = await requireSharePurchase(records, owned)
    return changeStatus(records, sharePurchase, { to: 'cancelled', at: clock.now() })
  })
}
