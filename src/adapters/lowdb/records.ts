import type { Timestamp } from '../../domain/timestamp.ts'
import type { Records } from '../../ports/store.ts'
import type { Collection } from './collection.ts'
import {
  type Collections,
  everything,
  idempotencyRecordsByExpiry,
  imageKey,
} from './collections.ts'
import { createReadableRecords } from './readable-records.ts'
import type { Transaction } from './transaction.ts'

export function createRecords(data: Collections, transaction: Transaction): Records {
  const readable = createReadableRecords(data, transaction)
  const writable = <Stored>(collection: Collection<Stored>) => ({
    put: async (record: Stored) => transaction.put(collection, record),
  })
  return {
    settings: { ...readable.settings, ...writable(data.settings) },
    organizations: { ...readable.organizations, ...writable(data.organizations) },
    clients: { ...readable.clients, ...writable(data.clients) },
    signingKeys: {
      ...readable.signingKeys,
      ...writable(data.signingKeys),
      remove: async (kid) => transaction.remove(data.signingKeys, kid),
    },
    cooperatives: { ...readable.cooperatives, ...writable(data.cooperatives) },
    images: {
      ...readable.images,
      ...writable(data.images),
      remove: async (ownerId, kind) => transaction.remove(data.images, imageKey(ownerId, kind)),
    },
    investors: { ...readable.investors, ...writable(data.investors) },
    sharePurchases: { ...readable.sharePurchases, ...writable(data.sharePurchases) },
    holdings: { ...readable.holdings, ...writable(data.holdings) },
    idempotencyRecords: {
      ...readable.idempotencyRecords,
      ...writable(data.idempotencyRecords),
      purgeExpired: async (at, limit) => purgeExpired(data, transaction, { at, limit }),
    },
    webhookEndpoints: {
      ...readable.webhookEndpoints,
      ...writable(data.webhookEndpoints),
      remove: async (id) => transaction.remove(data.webhookEndpoints, id),
    },
    events: { ...readable.events, ...writable(data.events) },
    deliveries: { ...readable.deliveries, ...writable(data.deliveries) },
  }
}

function purgeExpired(
  { idempotencyRecords }: Collections,
  transaction: Transaction,
  { at, limit }: { readonly at: Timestamp; readonly limit: number },
): number {
  const oldest = transaction.group(idempotencyRecords, idempotencyRecordsByExpiry, everything)
  const expired = (oldest?.slice(0, limit) ?? []).filter((record) => record.expiresAt <= at)
  for (const record of expired) {
    transaction.remove(idempotencyRecords, idempotencyRecords.schema.keyOf(record))
  }
  return expired.length
}
