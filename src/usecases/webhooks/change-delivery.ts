import { recount } from '../../domain/webhooks/count-deliveries.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { Records } from '../../ports/store.ts'

/** Stores a delivery as it has become, and what that changes in the counts of its event. */
export async function changeDelivery(
  { deliveries, events }: Records,
  before: Delivery,
  after: Delivery,
): Promise<void> {
  await deliveries.put(after)
  // An event counts its webhooks only.
  if (after.target.kind === 'mail' || before.state === after.state) return
  const event = await events.get(after.eventId)
  if (!event) throw new Error('A delivery is stored without its event.')
  await events.put({ ...event, deliveries: recount(event.deliveries, before, after) })
}
