import type { Organization } from '../../domain/organizations/organization.ts'
import {
  type Delivery,
  type DeliveryTarget,
  deriveDeliveryId,
} from '../../domain/webhooks/delivery.ts'
import {
  countDeliveries,
  isForPartners,
  type NewEvent,
  wantsEvent,
} from '../../domain/webhooks/event.ts'
import type { Records } from '../../ports/store.ts'
import { readTogether } from '../read-together.ts'
import type { Service } from '../service.ts'

/**
 * Puts an event into the outbox, with one delivery per webhook endpoint of the organization that
 * wants its type, and one for the investor's e-mail. Runs in the write of the change, so that an acknowledged change
 * always has its event.
 */
export async function recordEvent(
  records: Records,
  service: Pick<Service, 'settings'>,
  event: NewEvent,
): Promise<void> {
  const targets = await listTargets(records, service, event)
  const deliveries = targets.map((target) => createDelivery(event, target))
  await records.events.put({
    deliveryIds: deliveries.map(({ deliveryId }) => deliveryId),
    deliveries: countDeliveries(deliveries),
    ...event,
  })
  for (const delivery of deliveries) await records.deliveries.put(delivery)
}

async function listTargets(
  { webhookEndpoints, organizations }: Records,
  { settings }: Pick<Service, 'settings'>,
  event: NewEvent,
): Promise<readonly DeliveryTarget[]> {
  const { organizationId, type } = event
  const { endpoints, organization } = await readTogether({
    endpoints: isForPartners(event) ? webhookEndpoints.listByOrganization(organizationId) : [],
    organization: organizations.get(organizationId),
  })
  const isMailed = isMailOn(settings, organization)
  const wanting = endpoints.filter((endpoint) => wantsEvent(endpoint, type))
  return [
    ...wanting.map(({ webhookEndpointId }) => ({ kind: 'webhook', webhookEndpointId }) as const),
    ...(isMailed ? [{ kind: 'mail' } as const] : []),
  ]
}

/** Whether investors of the organization get e-mails. */
export function isMailOn(
  { investorMail }: Pick<Service['settings'], 'investorMail'>,
  organization: Pick<Organization, 'investorMail'> | undefined,
): boolean {
  return investorMail && (organization?.investorMail ?? false)
}

function createDelivery(event: NewEvent, target: DeliveryTarget): Delivery {
  const { eventId, organizationId, orderingKey, createdAt } = event
  return {
    deliveryId: deriveDeliveryId(eventId, target),
    eventId,
    organizationId,
    orderingKey,
    target,
    state: 'pending',
    attemptsInRound: 0,
    nextAttemptAt: createdAt,
    deadBecause: null,
    attempts: [],
    createdAt,
    updatedAt: createdAt,
  }
}
