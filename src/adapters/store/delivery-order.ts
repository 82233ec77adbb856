/**
 * The order of deliveries. Of the deliveries with the same receiver and ordering key, only the first pending one is
 * in the lists of due deliveries. When it is delivered or dead, the next one takes its place without a write.
 */
import {
  type Delivery,
  isFirstAttempt,
  isPending,
  receiverOf,
} from '../../domain/webhooks/delivery.ts'
import type { ListIndex } from './collection.ts'

const dueAt = {
  column: 'next_attempt_at',
  of: ({ nextAttemptAt }: Delivery) => nextAttemptAt ?? '',
}

/** Pending deliveries of a receiver and ordering key. Only the first may be sent. */
export const pendingByKey: ListIndex<Delivery> = {
  columns: ['receiver', 'ordering_key'],
  valuesOf: (delivery) =>
    isPending(delivery) ? [receiverOf(delivery), delivery.orderingKey] : undefined,
  where: "t.state = 'pending'",
}

export const firstAttempts: ListIndex<Delivery> = {
  columns: ['receiver'],
  valuesOf: (delivery) =>
    isPending(delivery) && isFirstAttempt(delivery) ? [receiverOf(delivery)] : undefined,
  rank: dueAt,
  firstOf: pendingByKey,
  where: "t.state = 'pending' and t.is_first_attempt",
}

export const retries: ListIndex<Delivery> = {
  columns: ['receiver'],
  valuesOf: (delivery) =>
    isPending(delivery) && !isFirstAttempt(delivery) ? [receiverOf(delivery)] : undefined,
  rank: dueAt,
  firstOf: pendingByKey,
  where: "t.state = 'pending' and not t.is_first_attempt",
}

/** Leaves out deliveries that wait for an earlier one. */
export const pendingByKind: ListIndex<Delivery> = {
  columns: ['kind'],
  valuesOf: (delivery) => (isPending(delivery) ? [delivery.target.kind] : undefined),
  rank: dueAt,
  firstOf: pendingByKey,
  where: "t.state = 'pending'",
}
