import type { AuditEntry } from '../../src/domain/audit/audit-entry.ts'
import type { Cooperative } from '../../src/domain/cooperatives/cooperative.ts'
import type { Investor } from '../../src/domain/investors/investor.ts'
import {
  computeTerms,
  deriveMandateReference,
  type SharePurchase,
  type SharePurchaseStatus,
} from '../../src/domain/share-purchases/share-purchase.ts'
import { applyTransition } from '../../src/domain/share-purchases/transitions.ts'
import { addSeconds, type Timestamp } from '../../src/domain/timestamp.ts'
import { type Delivery, deriveDeliveryId } from '../../src/domain/webhooks/delivery.ts'
import { countDeliveries, type NewEvent } from '../../src/domain/webhooks/event.ts'
import type { WebhookEndpoint } from '../../src/domain/webhooks/webhook-endpoint.ts'
import type { Records } from '../../src/ports/store.ts'
import type { Service } from '../../src/usecases/service.ts'
import { findOrOpenHolding } from '../../src/usecases/share-purchases/holdings.ts'
import { createSharePurchase } from '../../src/usecases/share-purchases/place-share-purchase.ts'
import {
  createSharePurchaseEvent,
  recordHistory,
} from '../../src/usecases/share-purchases/record-transition.ts'

export const operatorName = 'erika'

const days = 400

export interface Customer {
  readonly investor: Investor
  readonly endpoint: WebhookEndpoint
}

interface PastOrder {
  readonly number: number
  /** The share of the 400 days that had passed when the order was placed. */
  readonly part: number
  readonly customer: Customer
  readonly cooperative: Cooperative
  readonly operatorId: string
}

/**
 * Stores an order as it is after its last transition, with an event and an audit entry for each
 * transition. Returns the id of the order.
 */
export async function putPastOrder(
  records: Records,
  service: Service,
  past: PastOrder,
): Promise<string> {
  const steps = await stepsOf(records, service, past)
  const { cooperative, customer } = past
  const now = service.clock.now()
  const owner = { investor: customer.investor, cooperative, now }
  await recordHistory(records, steps, await findOrOpenHolding(records, service, owner))
  for (const step of steps) {
    const event = createSharePurchaseEvent(service, step)
    if (event) await putEvent(records, event, past)
    await records.auditEntries.put(entryOf(service, step, past))
  }
  return steps[0]?.sharePurchaseId ?? ''
}

/** The oldest nine tenths of the orders have their final status. Every tenth order was rejected. */
function laterSteps({ number, part }: PastOrder): readonly SharePurchaseStatus[] {
  if (number % 10 === 9) return ['rejected']
  if (number % 100 === 50) return ['cancelled']
  if (part < 0.9) return ['approved', 'settled']
  return part < 0.95 ? ['approved'] : []
}

async function stepsOf(
  records: Records,
  service: Service,
  past: PastOrder,
): Promise<SharePurchase[]> {
  const { number, part, cooperative, customer } = past
  const { investor } = customer
  const at = addSeconds(service.clock.now(), -Math.round((1 - part) * days * 24 * 3600) - 3600)
  const sharePurchaseId = service.random.id()
  const given = { given: true, givenAt: at } as const
  const placed = await createSharePurchase(records, service, {
    ...{ sharePurchaseId, investor, cooperative, now: at, fate: undefined },
    order: {
      ...computeTerms(cooperative, { shareCount: 5, isMember: true }),
      shareCount: 5,
      applicantType: 'private',
      restsOn: [],
      sepaMandate: {
        reference: number % 10 === 0 ? `M-${number}` : deriveMandateReference(sharePurchaseId),
        signedAt: at,
        debtorIban: investor.profile?.bankAccount?.iban ?? '',
      },
      consents: { terms: given, privacy: given, statute: given },
    },
  })
  const steps = [placed]
  for (const [index, to] of laterSteps(past).entries()) {
    const decidedAt = addSeconds(at, 600 * (index + 1))
    const reason = to === 'rejected' ? 'The mandate is not valid.' : null
    steps.push(applyTransition(steps.at(-1) ?? placed, { to, at: decidedAt, reason }))
  }
  return steps
}

/** One delivery in 200 is dead, and the deliveries of the last two days are pending. */
async function putEvent(
  records: Records,
  event: NewEvent,
  { number, part, customer }: PastOrder,
): Promise<void> {
  const state = part > 0.995 ? 'pending' : number % 200 === 3 ? 'dead' : 'delivered'
  const { webhookEndpointId } = customer.endpoint
  const target = { kind: 'webhook', webhookEndpointId } as const
  const { eventId, organizationId, orderingKey, createdAt } = event
  const attempts = Array.from(
    { length: { pending: 0, dead: 6, delivered: 1 }[state] },
    (_, index) => attemptOf(event, index, state === 'delivered'),
  )
  const delivery: Delivery = {
    ...{ eventId, organizationId, orderingKey, target, state, attempts, createdAt },
    deliveryId: deriveDeliveryId(eventId, target),
    attemptsInRound: attempts.length,
    nextAttemptAt: state === 'pending' ? createdAt : null,
    deadBecause: state === 'dead' ? 'attempts_used_up' : null,
    updatedAt: createdAt,
  }
  const deliveries = countDeliveries([delivery])
  await records.events.put({ ...event, deliveryIds: [delivery.deliveryId], deliveries })
  await records.deliveries.put(delivery)
}

function attemptOf({ eventId, createdAt }: NewEvent, index: number, isDelivered: boolean) {
  return {
    attemptId: `${eventId.slice(0, -1)}${index}`,
    at: addSeconds(createdAt, 60 * index),
    address: '192.0.2.1',
    status: isDelivered ? 204 : 500,
    failure: isDelivered ? null : ('status' as const),
    detail: isDelivered ? null : 'The receiver answered with 500.',
    firstByteMs: 12,
    durationMs: 14,
  }
}

function entryOf(
  { random }: Service,
  { sharePurchaseId, organizationId, investorId, cooperativeId, status, ...order }: SharePurchase,
  { operatorId }: PastOrder,
): AuditEntry {
  const isPlaced = status === 'submitted'
  const subjects = { sharePurchaseId, organizationId, investorId, cooperativeId }
  const after = { status, shareCount: order.shareCount, total: order.total }
  const change = { record: 'sharePurchases', id: sharePurchaseId, before: null, after }
  return {
    entryId: random.traceId(),
    at: order.updatedAt as Timestamp,
    actorKind: isPlaced ? 'client' : 'operator',
    actorId: isPlaced ? organizationId : operatorId,
    actorName: isPlaced ? 'partner' : operatorName,
    actorRole: isPlaced ? null : 'operator',
    via: isPlaced ? 'api' : 'command',
    operation: isPlaced ? 'place' : `purchase.${status}`,
    requestId: random.traceId(),
    sharePurchaseId,
    subjects: JSON.stringify(subjects),
    changes: JSON.stringify([change]),
    outcome: 'done',
    code: null,
  }
}
