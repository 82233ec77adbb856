import { type Delivery, isUnfinished } from './delivery.ts'

/** Why a replay has nothing to send of an event. */
export type LeftAloneCause = 'no_endpoint' | 'endpoint_removed' | 'under_way' | 'delivered'

/** `wanted`: what would be sent again, had it still a receiver. */
export function leftAloneCauseOf(
  deliveries: readonly Delivery[],
  wanted: readonly Delivery[],
): LeftAloneCause {
  if (wanted.length > 0) return 'endpoint_removed'
  const webhooks = deliveries.filter(({ target }) => target.kind === 'webhook')
  if (webhooks.length === 0) return 'no_endpoint'
  return webhooks.some(isUnfinished) ? 'under_way' : 'delivered'
}
