// Idempotency-Keys, and the orders that they have placed.
import type { IdempotencyRecord } from '../../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { IdempotencyRecordReader } from '../../ports/collections.ts'
import { type Collection, keyOf, type ListIndex, listBy } from './collection.ts'
import type { Lookup } from './lookup.ts'
import { CollectionReader } from './read-records.ts'
import type { Transaction } from './transaction.ts'

const byExpiry: ListIndex<IdempotencyRecord> = {
  ...listBy<IdempotencyRecord>(),
  rank: { column: 'expires_at', of: ({ expiresAt }) => expiresAt },
  // The list is read only to remove expired records, and a removal spares a record that has changed meanwhile.
  proof: 'none',
}

export const idempotencyRecords: Collection<IdempotencyRecord> = {
  name: 'idempotencyRecords',
  key: keyOf('organizationId', 'key'),
  ownerOf: ({ organizationId }) => organizationId,
  sharedFields: ['organizationId'],
  references: { sharePurchaseId: 'sharePurchases' },
  lists: [byExpiry],
  row: {
    table: 'idempotency_records',
    columns: {
      organizationId: 'plain',
      key: 'plain',
      encryptedRequestDigest: 'plain',
      sharePurchaseId: 'plain',
      expiresAt: 'timestamp',
    },
  },
}

export function idempotencyRecordReader(lookup: Lookup): IdempotencyRecordReader {
  const reader = new CollectionReader(lookup, idempotencyRecords)
  return { get: (organizationId, key) => reader.get(organizationId, key) }
}

/** Removes expired records, oldest first, and returns their number. */
export async function purgeExpired(
  transaction: Transaction,
  at: Timestamp,
  limit: number,
): Promise<number> {
  const oldest = await transaction.list(idempotencyRecords, byExpiry, { values: [], limit })
  const expired = oldest.filter(({ record }) => record.expiresAt <= at)
  for (const found of expired) transaction.remove(idempotencyRecords, found)
  return expired.length
}
