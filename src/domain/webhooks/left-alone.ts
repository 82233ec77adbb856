import { type Delivery, isUnfinished, shownStateOf } from './delivery.ts'

/** Why a replay has nothing to send of an event. */
export type LeftAloneCause =
  | 'no_endpoint'
  | 'endpoint_removed'
  | 'under_way'
  | 'delivered'
  | 'no_mail'
  | 'mail_delivered'
  | 'mail_written'

/** `wanted`: what would be sent again, had it still a receiver. */
export function leftAloneCauseOf(
  deliveries: readonly Delivery[],
  wanted: readonly Delivery[],
  onlyMail = false,
): LeftAloneCause {
  if (wanted.length > 0) return 'endpoint_removed'
  const kind = onlyMail ? 'mail' : 'webhook'
  const meant = deliveries.filter(({ target }) => target.kind === kind)
  if (meant.length === 0) return onlyMail ? 'no_mail' : 'no_endpoint'
  if (meant.some(isUnfinished)) return 'under_way'
  if (!onlyMail) return 'delivered'
  return meant.some((mail) => shownStateOf(mail) === 'written') ? 'mail_written' : 'mail_delivered'
}

/** Nobody will ever get it, however often it is tried. */
export function hasNoReceiver(cause: LeftAloneCause): boolean {
  return cause === 'no_endpoint' || cause === 'endpoint_removed'
}
