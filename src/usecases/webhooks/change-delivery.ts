import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import { recount } from '../../domain/webhooks/count-deliveries.ts'
import { type Delivery, isUnfinished, laneOf } from '../../domain/webhooks/delivery.ts'
import { becamePending } from '../../domain/webhooks/delivery-progress.ts'
import type { Records } from '../../ports/store.ts'
import { readLaneDeliveries } from './read-lane-deliveries.ts'

export interface DeliveryChange {
  readonly before: Delivery
  readonly after: Delivery
  readonly now: Timestamp
}

/** Stores the change, what it changes in its event, and what it makes possible: one that finishes lets the next one go. */
export async function changeDelivery(records: Records, change: DeliveryChange): Promise<void> {
  const { before, after, now } = change
  await records.deliveries.put(after)
  await recountEvent(records, change)
  if (isUnfinished(before) && !isUnfinished(after)) await releaseNext(records, after, now)
}

async function recountEvent({ events }: Records, { before, after }: DeliveryChange): Promise<void> {
  const event = await events.get(after.eventId)
  if (!event) throw new Error('A delivery is stored without its event.')
  const deliveries = recount(event.deliveries, before, after)
  if (deliveries !== event.deliveries) await events.put({ ...event, deliveries })
}

async function releaseNext(records: Records, finished: Delivery, now: Timestamp): Promise<void> {
  const order = await requireOrder(records, finished)
  const lane = await readLaneDeliveries(records, order, laneOf(finished.target))
  const next = lane.find(isUnfinished)
  if (next?.state === 'waiting') await records.deliveries.put(becamePending(next, now))
}

async function requireOrder(
  { sharePurchases }: Records,
  { sharePurchaseId }: Delivery,
): Promise<SharePurchase> {
  const order = await sharePurchases.find(sharePurchaseId)
  if (!order) throw new Error('A delivery is stored without its order.')
  return order
}
