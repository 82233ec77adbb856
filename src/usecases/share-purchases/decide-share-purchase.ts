import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { Records } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { changeStatus } from './change-status.ts'
import { requireAnySharePurchase } from './require-any-share-purchase.ts'

export interface DecideSharePurchase {
  readonly sharePurchaseId: string
  readonly to: 'approved' | 'settled' | 'rejected' | 'cancelled'
  /** For people; recorded with a rejection. */
  readonly reason?: string | null | undefined
}

/** What happens to an order on the service side. */
export function decideSharePurchase(
  service: Service,
  decision: DecideSharePurchase,
): Promise<SharePurchase> {
  return service.store.write(decision.sharePurchaseId, (records) =>
    decideSharePurchaseIn(records, service, decision),
  )
}

/** For callers whose write holds more than this decision. */
export async function decideSharePurchaseIn(
  records: Records,
  service: Service,
  { sharePurchaseId, to, reason }: DecideSharePurchase,
): Promise<SharePurchase> {
  const sharePurchase = await requireAnySharePurchase(records, sharePurchaseId)
  const step = { to, reason, at: service.clock.now() }
  return changeStatus(records, service, sharePurchase, step)
}
