import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { EventType, ToldStatus } from '../../domain/webhooks/event.ts'
import { renderEnvelope } from './envelope.ts'

export interface EventToRender {
  readonly eventId: string
  readonly type: EventType
  readonly status: ToldStatus
  readonly createdAt: Timestamp
}

/** As it is sent. It stands here and not at an edge because it is kept as made. */
export function renderEventBody(event: EventToRender, sharePurchase: SharePurchase): string {
  const { eventId: id, type, createdAt, status } = event
  return renderEnvelope({ id, type, createdAt, data: renderData(status, sharePurchase) })
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
