import { applyToHolding, type Holding } from '../../domain/holdings/holding.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import {
  createEventData,
  deriveEventId,
  type EventSubject,
  type NewEvent,
} from '../../domain/webhooks/event.ts'
import type { Records } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { recordEvent } from '../webhooks/record-event.ts'

/**
 * The only function that gives an order a new status now, so everything that accompanies a
 * transition belongs here. Returns the changed holding.
 */
export async function recordTransition(
  records: Records,
  service: Pick<Service, 'settings' | 'renderEvent'>,
  sharePurchase: SharePurchase,
  holding: Holding,
): Promise<Holding> {
  await records.sharePurchases.put(sharePurchase)
  const changed = applyToHolding(holding, sharePurchase)
  if (changed !== holding) await records.holdings.put(changed)
  const event = createSharePurchaseEvent(service, sharePurchase)
  if (event) await recordEvent(records, service, event)
  return changed
}

/** Stores a past order with all its transitions. Such an order has no events, because nobody needs events about the past. */
export async function recordHistory(
  records: Records,
  steps: readonly SharePurchase[],
  holding: Holding,
): Promise<void> {
  const last = steps.at(-1)
  if (last) await records.sharePurchases.put(last)
  const changed = steps.reduce(applyToHolding, holding)
  if (changed !== holding) await records.holdings.put(withDatesOf(changed, holding))
}

/** Keeps the later dates of a holding, which may contain later orders than the one that was added. */
function withDatesOf(changed: Holding, before: Holding): Holding {
  const earliest = [before.firstAcquiredAt, changed.firstAcquiredAt].filter((at) => at !== null)
  const updatedAt = changed.updatedAt > before.updatedAt ? changed.updatedAt : before.updatedAt
  return { ...changed, updatedAt, firstAcquiredAt: earliest.sort()[0] ?? null }
}

/** Returns the event of the last transition; undefined if it has none. */
export function createSharePurchaseEvent(
  { renderEvent }: Pick<Service, 'renderEvent'>,
  sharePurchase: EventSubject,
): NewEvent | undefined {
  const last = sharePurchase.transitions.at(-1)
  if (!last || last.to === 'draft') return undefined
  const { to: status, at: createdAt } = last
  const { sharePurchaseId: orderingKey, organizationId } = sharePurchase
  const eventId = deriveEventId(orderingKey, status)
  const type = `share_purchase.${status}` as const
  const data = createEventData(status, sharePurchase)
  const body = renderEvent({ id: eventId, type, createdAt, data })
  return { eventId, organizationId, topic: 'share_purchase', orderingKey, type, body, createdAt }
}
