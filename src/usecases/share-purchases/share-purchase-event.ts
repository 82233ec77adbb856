import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import { eventIdOf, type ToldStatus } from '../../domain/share-purchases/share-purchase-event.ts'
import type { NewEvent } from '../../domain/webhooks/event.ts'
import { renderEnvelope } from '../webhooks/envelope.ts'

/** The event of the order's last transition; undefined when there is none of it. */
export function describeTransition(sharePurchase: SharePurchase): NewEvent | undefined {
  const last = sharePurchase.transitions.at(-1)
  if (!last || last.to === 'draft') return undefined
  const { to: status, at: createdAt } = last
  const { sharePurchaseId: orderingKey, organizationId } = sharePurchase
  const eventId = eventIdOf(orderingKey, status)
  const type = `share_purchase.${status}` as const
  const data = renderData(status, sharePurchase)
  const body = renderEnvelope({ id: eventId, type, createdAt, data })
  return { eventId, organizationId, topic: 'share_purchase', orderingKey, type, body, createdAt }
}

/** spec: data per type. What a type does not have is absent, not null. */
function renderData(status: ToldStatus, sharePurchase: SharePurchase) {
  return {
    share_purchase_id: sharePurchase.sharePurchaseId,
    investor_id: sharePurchase.investorId,
    cooperative_id: sharePurchase.cooperativeId,
    ...(hasShareCount[status] && { share_count: sharePurchase.shareCount }),
    status,
    terminal: isTerminal[status],
    ...(status === 'submitted' && {
      total: sharePurchase.total,
      total_currency: sharePurchase.currency,
    }),
    ...(status === 'rejected' && sharePurchase.reason !== null && { reason: sharePurchase.reason }),
  }
}

const isTerminal: Readonly<Record<ToldStatus, boolean>> = {
  submitted: false,
  approved: false,
  settled: true,
  rejected: true,
  cancelled: true,
}

const hasShareCount: Readonly<Record<ToldStatus, boolean>> = {
  submitted: true,
  approved: false,
  settled: true,
  rejected: false,
  cancelled: false,
}
