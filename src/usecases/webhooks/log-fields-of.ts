import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { LogFields } from '../../ports/logger.ts'

/** Which delivery it is, and nothing that a partner wrote. */
export function logFieldsOf({ target, organizationId, eventId, deliveryId }: Delivery): LogFields {
  const whose = { organizationId, eventId, deliveryId }
  return target.kind === 'mail'
    ? { kind: target.kind, ...whose }
    : { kind: target.kind, webhookEndpointId: target.webhookEndpointId, ...whose }
}
