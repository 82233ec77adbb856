// Deliveries of events to receivers, and their attempts.
import { nextInstant } from '../../domain/timestamp.ts'
import {
  type Delivery,
  type DeliveryKind,
  type DeliveryTarget,
  deliveryKinds,
  deliveryStates,
  displayStateOf,
  isPending,
  receiverOf,
} from '../../domain/webhooks/delivery.ts'
import type { DeliveryReader } from '../../ports/webhook-records.ts'
import {
  type Collection,
  drawnId,
  type ListIndex,
  periodOf,
  scopedKey,
  type Tally,
} from './collection.ts'
import { firstAttempts, pendingByKey, pendingByKind, retries } from './delivery-order.ts'
import type { Lookup } from './lookup.ts'
import { CollectionReader, countEach } from './read-records.ts'

export const deliveryById = drawnId<Delivery>('deliveryId')

const pendingByReceiver: ListIndex<Delivery> = {
  columns: ['receiver'],
  valuesOf: (delivery) => (isPending(delivery) ? [receiverOf(delivery)] : undefined),
  where: "t.state = 'pending'",
  // Writes read it only for a removed endpoint, which gets no new deliveries.
  proof: 'rows',
}

const byKindAndState: ListIndex<Delivery> = {
  columns: ['kind', 'state'],
  valuesOf: ({ target, state }) => [target.kind, state],
}

/** E-mails that were written as files. */
const writtenMails: ListIndex<Delivery> = {
  columns: [],
  valuesOf: (delivery) => (displayStateOf(delivery) === 'written' ? [] : undefined),
  where: "t.kind = 'mail' and t.state = 'delivered' and t.attempts->-1->'written' = 'true'::jsonb",
}

const rank = { column: 'created_at', of: ({ createdAt }: Delivery) => createdAt }

const isDeadMail = ({ state, target }: Delivery) => state === 'dead' && target.kind === 'mail'

export const deadMails: ListIndex<Delivery> = {
  columns: [],
  valuesOf: (delivery) => (isDeadMail(delivery) ? [] : undefined),
  rank,
  where: "t.state = 'dead' and t.kind = 'mail'",
}

export const deadMailsByOrganization: ListIndex<Delivery> = {
  columns: ['organization_id'],
  valuesOf: (delivery) => (isDeadMail(delivery) ? [delivery.organizationId] : undefined),
  rank,
  where: "t.state = 'dead' and t.kind = 'mail'",
}

/** Each delivery counts once, with its last attempt. */
const attemptedByHour: Tally<Delivery> = {
  name: 'attempted',
  period: 'hour',
  of(delivery) {
    const last = delivery.attempts.at(-1)
    if (!last) return undefined
    return { part: outcomeParts(receiverOf(delivery))[last.failure === null ? 0 : 1], at: last.at }
  },
}

const outcomeParts = (receiver: string) => [`${receiver}/delivered`, `${receiver}/failed`] as const

interface TargetRow {
  readonly kind: DeliveryKind
  readonly receiver: string
}

export const deliveries: Collection<Delivery> = {
  name: 'deliveries',
  key: scopedKey('organizationId', 'deliveryId'),
  ownerOf: ({ organizationId }) => organizationId,
  sharedFields: ['organizationId', 'orderingKey'],
  references: { eventId: 'events' },
  unique: [deliveryById],
  lists: [
    pendingByKey,
    firstAttempts,
    retries,
    pendingByReceiver,
    pendingByKind,
    byKindAndState,
    writtenMails,
    deadMails,
    deadMailsByOrganization,
  ],
  tallies: [attemptedByHour],
  row: {
    table: 'deliveries',
    columns: {
      organizationId: 'plain',
      deliveryId: 'plain',
      eventId: 'plain',
      orderingKey: 'plain',
      state: 'plain',
      attemptsInRound: 'plain',
      nextAttemptAt: 'timestamp',
      deadBecause: 'plain',
      attempts: 'json',
      faultsSince: 'timestamp',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
    apart: { kind: 'plain', receiver: 'plain' },
    optional: ['faultsSince'],
    flatten: (delivery) => ({
      kind: delivery.target.kind,
      receiver: receiverOf(delivery),
      ...delivery,
    }),
    build: (fields: Omit<Delivery, 'target'>, row: TargetRow) => ({
      target: targetOf(row),
      ...fields,
    }),
  },
}

function targetOf({ kind, receiver }: TargetRow): DeliveryTarget {
  return kind === 'mail' ? { kind } : { kind, webhookEndpointId: receiver }
}

export function deliveryReader(lookup: Lookup): DeliveryReader {
  const reader = new CollectionReader(lookup, deliveries)
  return {
    get: (deliveryId) => reader.find(deliveryById, deliveryId),
    listReceivers: async () =>
      (await lookup.listed(deliveries, pendingByReceiver)).flatMap(([receiver = '']) => receiver),
    listDue: (receiver, { attempts, now, limit }) => {
      const range = { values: [receiver], until: nextInstant(now), limit }
      return reader.list(attempts === 'first' ? firstAttempts : retries, range)
    },
    findNextDueAt: async (now) => {
      const from = nextInstant(now)
      const found = await Promise.all(
        deliveryKinds.map((kind) => reader.first(pendingByKind, { values: [kind], from })),
      )
      const times = found.flatMap((delivery) => delivery?.nextAttemptAt ?? [])
      return times.sort()[0]
    },
    findFirstPending: (receiver, orderingKey) =>
      reader.first(pendingByKey, { values: [receiver, orderingKey] }),
    countPending: (receiver, limit) =>
      reader.count(pendingByReceiver, { values: [receiver], limit }),
    listPending: (receiver, limit) => reader.list(pendingByReceiver, { values: [receiver], limit }),
    countAttempted: async (receiver, { since, until }) => {
      const [delivered, failed] = outcomeParts(receiver)
      const [from, to] = [periodOf(attemptedByHour, since), periodOf(attemptedByHour, until)]
      // Anything that begins with the last hour comes before the hour with this letter.
      const range = { parts: [delivered, failed], periods: { from, until: `${to}z` } }
      const found = await lookup.tally(deliveries, attemptedByHour, range)
      const countOf = (part: string) =>
        found.reduce((sum, each) => sum + (each.part === part ? each.count : 0), 0)
      return { delivered: countOf(delivered), failed: countOf(failed) }
    },
    countByState: (kind) => countByState(reader, kind),
    findOldestPending: (kind) => reader.first(pendingByKind, { values: [kind] }),
  }
}

/** Pending deliveries include those that wait, and delivered e-mails include written ones, so both are subtracted. */
async function countByState(reader: CollectionReader<Delivery>, kind: DeliveryKind) {
  const [counts, first, written] = await Promise.all([
    countEach(deliveryStates, (state) => reader.count(byKindAndState, { values: [kind, state] })),
    reader.count(pendingByKind, { values: [kind] }),
    kind === 'mail' ? reader.count(writtenMails, { values: [] }) : 0,
  ])
  const { pending, delivered, dead } = counts
  return { waiting: pending - first, pending: first, delivered: delivered - written, dead, written }
}
