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
  return new ChangeableRecords(data, transaction)
}

/** Each reader is new, so what writes is put onto it. */
class ChangeableRecords extends StoredRecords implements Records {
  readonly #data: Collections
  readonly #transaction: Transaction

  constructor(data: Collections, transaction: Transaction) {
    super(data, transaction)
    this.#data = data
    this.#transaction = transaction
  }

  override get settings() {
    return this.#writable(super.settings, this.#data.settings)
  }

  override get organizations() {
    return this.#writable(super.organizations, this.#data.organizations)
  }

  override get clients() {
    return this.#writable(super.clients, this.#data.clients)
  }

  override get signingKeys() {
    return Object.assign(this.#writable(super.signingKeys, this.#data.signingKeys), {
      remove: async (kid: string) => this.#transaction.remove(this.#data.signingKeys, kid),
    })
  }

  override get cooperatives() {
    return this.#writable(super.cooperatives, this.#data.cooperatives)
  }

  override get images() {
    return Object.assign(this.#writable(super.images, this.#data.images), {
      remove: async (ownerId: string, kind: ImageKind) =>
        this.#transaction.remove(this.#data.images, imageKey(ownerId, kind)),
    })
  }

  override get investors() {
    return this.#writable(super.investors, this.#data.investors)
  }

  override get sharePurchases() {
    return this.#writable(super.sharePurchases, this.#data.sharePurchases)
  }

  override get holdings() {
    return this.#writable(super.holdings, this.#data.holdings)
  }

  override get idempotencyRecords() {
    return Object.assign(this.#writable(super.idempotencyRecords, this.#data.idempotencyRecords), {
      purgeExpired: async (at: Timestamp, limit: number) =>
        purgeExpired(this.#data, this.#transaction, { at, limit }),
    })
  }

  override get webhookEndpoints() {
    return Object.assign(this.#writable(super.webhookEndpoints, this.#data.webhookEndpoints), {
      remove: async (id: string) => this.#transaction.remove(this.#data.webhookEndpoints, id),
    })
  }

  override get events() {
    return this.#writable(super.events, this.#data.events)
  }

  override get deliveries() {
    return this.#writable(super.deliveries, this.#data.deliveries)
  }

  #writable<Reader extends object, Stored>(reader: Reader, collection: Collection<Stored>) {
    const put = async (record: Stored) => this.#transaction.put(collection, record)
    return Object.assign(reader, { put })
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
