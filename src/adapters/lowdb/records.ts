import type { ImageKind } from '../../domain/cooperatives/image.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { Records } from '../../ports/store.ts'
import type { Collection } from './collection.ts'
import {
  type Collections,
  everything,
  idempotencyRecordsByExpiry,
  imageKey,
} from './collections.ts'
import { StoredRecords } from './readable-records.ts'
import type { Transaction } from './transaction.ts'

export function createRecords(data: Collections, transaction: Transaction): Records {
  const readable = new StoredRecords(data, transaction)
  const writable = <Stored>(collection: Collection<Stored>) => ({
    put: async (record: Stored) => transaction.put(collection, record),
  })
  return {
    get settings() {
      return { ...readable.settings, ...writable(data.settings) }
    },
    get organizations() {
      return { ...readable.organizations, ...writable(data.organizations) }
    },
    get clients() {
      return { ...readable.clients, ...writable(data.clients) }
    },
    get signingKeys() {
      return {
        ...readable.signingKeys,
        ...writable(data.signingKeys),
        remove: async (kid: string) => transaction.remove(data.signingKeys, kid),
      }
    },
    get cooperatives() {
      return { ...readable.cooperatives, ...writable(data.cooperatives) }
    },
    get images() {
      return {
        ...readable.images,
        ...writable(data.images),
        remove: async (ownerId: string, kind: ImageKind) =>
          transaction.remove(data.images, imageKey(ownerId, kind)),
      }
    },
    get investors() {
      return { ...readable.investors, ...writable(data.investors) }
    },
    get sharePurchases() {
      return { ...readable.sharePurchases, ...writable(data.sharePurchases) }
    },
    get holdings() {
      return { ...readable.holdings, ...writable(data.holdings) }
    },
    get idempotencyRecords() {
      return {
        ...readable.idempotencyRecords,
        ...writable(data.idempotencyRecords),
        purgeExpired: async (at: Timestamp, limit: number) =>
          purgeExpired(data, transaction, { at, limit }),
      }
    },
    get webhookEndpoints() {
      return {
        ...readable.webhookEndpoints,
        ...writable(data.webhookEndpoints),
        remove: async (id: string) => transaction.remove(data.webhookEndpoints, id),
      }
    },
    get events() {
      return { ...readable.events, ...writable(data.events) }
    },
    get deliveries() {
      return { ...readable.deliveries, ...writable(data.deliveries) }
    },
  }
}

function purgeExpired(
  { idempotencyRecords }: Collections,
  transaction: Transaction,
  { at, limit }: { readonly at: Timestamp; readonly limit: number },
): void {
  const oldest = transaction.group(idempotencyRecords, idempotencyRecordsByExpiry, everything)
  const expired = (oldest?.slice(0, limit) ?? []).filter((record) => record.expiresAt <= at)
  for (const record of expired) {
    transaction.remove(idempotencyRecords, idempotencyRecords.schema.keyOf(record))
  }
}
