import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import { recount } from '../../domain/webhooks/count-deliveries.ts'
import { type Delivery, isUnfinished, laneOf } from '../../domain/webhooks/delivery.ts'
import { becamePending } from '../../domain/webhooks/delivery-progress.ts'
import { eventIdOf } from '../../domain/webhooks/event.ts'
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
  const { event, order } = await readStory(records, after)
  const isFinished = isUnfinished(before) && !isUnfinished(after)
  const next = isFinished ? await findWaiting(records, order, after) : undefined
  await records.deliveries.put(after)
  const deliveries = recount(event.deliveries, before, after)
  if (deliveries !== event.deliveries) await records.events.put({ ...event, deliveries })
  if (next) await records.deliveries.put(becamePending(next, now))
}

/** Asked at once, so that it is one round trip to a store that is far away. */
async function readStory({ events, sharePurchases }: Records, delivery: Delivery) {
  const { eventId, organizationId, sharePurchaseId } = delivery
  const [event, order] = await Promise.all([
    events.get(eventId),
    sharePurchases.get(organizationId, sharePurchaseId),
  ])
  if (!event || !order) throw new Error('A delivery is stored without its event or order.')
  return { event, order }
}

/** What comes next in this order of what its receiver gets, where it waits for that. */
async function findWaiting(
  records: Records,
  { sharePurchaseId, transitions }: SharePurchase,
  { eventId, target }: Delivery,
): Promise<Delivery | undefined> {
  const others = transitions.filter(({ to }) => eventIdOf(sharePurchaseId, to) !== eventId)
  const order = { sharePurchaseId, transitions: others }
  const lane = await readLaneDeliveries(records, order, laneOf(target))
  const next = lane.find(isUnfinished)
  return next?.state === 'waiting' ? next : undefined
}
