import type {
  SharePurchase,
  SharePurchaseTransition,
} from '../../domain/share-purchases/share-purchase.ts'
import { countDeliveries } from '../../domain/webhooks/count-deliveries.ts'
import {
  type Delivery,
  type DeliveryTarget,
  deliveryIdOf,
  isUnfinished,
  laneOf,
} from '../../domain/webhooks/delivery.ts'
import { type Event, eventIdOf, type ToldStatus } from '../../domain/webhooks/event.ts'
import type { Records } from '../../ports/store.ts'
import type { Service } from '../service.ts'
import { readLaneDeliveries } from './read-lane-deliveries.ts'
import { renderEventBody } from './render-event-body.ts'

/**
 * The event of the order's last transition, with what has to be delivered of it. Called in the write of the transition:
 * an order that was acknowledged has its event, whatever happens next.
 */
export async function recordEvent(
  records: Records,
  { settings }: Pick<Service, 'settings'>,
  sharePurchase: SharePurchase,
): Promise<void> {
  const last = sharePurchase.transitions.at(-1)
  if (!last || !isTold(last)) return
  const event = createEvent(sharePurchase, last)
  const deliveries: Delivery[] = []
  const targets = await listTargets(records, event)
  for (const target of targets) {
    if (target.kind === 'mail' && !settings.investorMail) continue
    deliveries.push(await createDelivery(records, sharePurchase, { event, target }))
  }
  for (const delivery of deliveries) await records.deliveries.put(delivery)
  await records.events.put({
    ...event,
    deliveryIds: deliveries.map(({ deliveryId }) => deliveryId),
    deliveries: countDeliveries(deliveries),
  })
}

type Told = SharePurchaseTransition & { readonly to: ToldStatus }
type NewEvent = Omit<Event, 'deliveryIds' | 'deliveries'>

function isTold(transition: SharePurchaseTransition): transition is Told {
  return transition.to !== 'draft'
}

function createEvent(sharePurchase: SharePurchase, { to: status, at: createdAt }: Told): NewEvent {
  const { sharePurchaseId, organizationId } = sharePurchase
  const eventId = eventIdOf(sharePurchaseId, status)
  const type = `share_purchase.${status}` as const
  const body = renderEventBody({ eventId, type, status, createdAt }, sharePurchase)
  return { eventId, organizationId, sharePurchaseId, type, body, createdAt }
}

async function listTargets(
  { webhookEndpoints, organizations }: Records,
  { organizationId }: NewEvent,
): Promise<DeliveryTarget[]> {
  const endpoints = await webhookEndpoints.listByOrganization(organizationId)
  const organization = await organizations.get(organizationId)
  return [
    ...endpoints.map(({ webhookEndpointId }) => ({ kind: 'webhook', webhookEndpointId }) as const),
    ...(organization?.investorMail ? [{ kind: 'mail' } as const] : []),
  ]
}

interface Addressed {
  readonly event: NewEvent
  readonly target: DeliveryTarget
}

async function createDelivery(
  records: Records,
  sharePurchase: SharePurchase,
  { event, target }: Addressed,
): Promise<Delivery> {
  const { eventId, organizationId, sharePurchaseId, createdAt } = event
  const lane = laneOf(target)
  const transitions = sharePurchase.transitions.slice(0, -1)
  const earlier = await readLaneDeliveries(records, { sharePurchaseId, transitions }, lane)
  const isBlocked = earlier.some(isUnfinished)
  return {
    deliveryId: deliveryIdOf(eventId, lane),
    eventId,
    organizationId,
    sharePurchaseId,
    target,
    state: isBlocked ? 'waiting' : 'pending',
    attemptsInRound: 0,
    nextAttemptAt: isBlocked ? null : createdAt,
    deadBecause: null,
    attempts: [],
    createdAt,
    updatedAt: createdAt,
  }
}
