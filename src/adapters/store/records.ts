import type { ImageKind } from '../../domain/cooperatives/image.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { ReadableRecords, Records } from '../../ports/store.ts'
import type { CollectionName, StoredRecords } from '../../ports/store-copy.ts'
import { cooperatives, images, readCooperatives, readImages } from './catalogue.ts'
import type { Collection } from './collection.ts'
import {
  clients,
  organizations,
  readClients,
  readOrganizations,
  readSettings,
  readSigningKeys,
  settings,
  signingKeys,
} from './identity.ts'
import { holdings, investors, readHoldings, readInvestors } from './investors.ts'
import type { Found, Lookup } from './lookup.ts'
import {
  idempotencyRecords,
  purgeExpired,
  readIdempotencyRecords,
  readSharePurchases,
  sharePurchases,
} from './share-purchases.ts'
import type { Transaction } from './transaction.ts'
import {
  deliveries,
  deliveryById,
  endpointById,
  eventById,
  events,
  readDeliveries,
  readEvents,
  readWebhookEndpoints,
  webhookEndpoints,
} from './webhooks.ts'

/** All that a store holds. Those that others refer to come first. */
export const collections: { readonly [Name in CollectionName]: Collection<StoredRecords[Name]> } = {
  settings,
  organizations,
  clients,
  signingKeys,
  cooperatives,
  images,
  investors,
  sharePurchases,
  holdings,
  idempotencyRecords,
  webhookEndpoints,
  events,
  deliveries,
}

/** Each reader is made when asked for: most work needs two kinds of thirteen. */
export class Readers implements ReadableRecords {
  readonly #lookup: Lookup

  constructor(lookup: Lookup) {
    this.#lookup = lookup
  }

  get settings() {
    return readSettings(this.#lookup)
  }

  get organizations() {
    return readOrganizations(this.#lookup)
  }

  get clients() {
    return readClients(this.#lookup)
  }

  get signingKeys() {
    return readSigningKeys(this.#lookup)
  }

  get cooperatives() {
    return readCooperatives(this.#lookup)
  }

  get images() {
    return readImages(this.#lookup)
  }

  get investors() {
    return readInvestors(this.#lookup)
  }

  get sharePurchases() {
    return readSharePurchases(this.#lookup)
  }

  get holdings() {
    return readHoldings(this.#lookup)
  }

  get idempotencyRecords() {
    return readIdempotencyRecords(this.#lookup)
  }

  get webhookEndpoints() {
    return readWebhookEndpoints(this.#lookup)
  }

  get events() {
    return readEvents(this.#lookup)
  }

  get deliveries() {
    return readDeliveries(this.#lookup)
  }
}

/** What a write sees and changes. Each reader is new, so `put` and `remove` are put onto it. */
export class Writers extends Readers implements Records {
  readonly #transaction: Transaction

  constructor(transaction: Transaction) {
    super(transaction)
    this.#transaction = transaction
  }

  override get settings() {
    return this.#writable(super.settings, settings)
  }

  override get organizations() {
    return this.#writable(super.organizations, organizations)
  }

  override get clients() {
    return this.#writable(super.clients, clients)
  }

  override get signingKeys() {
    return Object.assign(this.#writable(super.signingKeys, signingKeys), {
      remove: (kid: string) => this.#remove(signingKeys, this.#transaction.get(signingKeys, [kid])),
    })
  }

  override get cooperatives() {
    return this.#writable(super.cooperatives, cooperatives)
  }

  override get images() {
    return Object.assign(this.#writable(super.images, images), {
      remove: (ownerId: string, kind: ImageKind) =>
        this.#remove(images, this.#transaction.get(images, [ownerId, kind])),
    })
  }

  override get investors() {
    return this.#writable(super.investors, investors)
  }

  override get sharePurchases() {
    return this.#writable(super.sharePurchases, sharePurchases)
  }

  override get holdings() {
    return this.#writable(super.holdings, holdings)
  }

  override get idempotencyRecords() {
    return Object.assign(this.#writable(super.idempotencyRecords, idempotencyRecords), {
      purgeExpired: (at: Timestamp, limit: number) => purgeExpired(this.#transaction, at, limit),
    })
  }

  override get webhookEndpoints() {
    return Object.assign(this.#writable(super.webhookEndpoints, webhookEndpoints), {
      remove: (id: string) =>
        this.#remove(
          webhookEndpoints,
          this.#transaction.find(webhookEndpoints, endpointById, [id]),
        ),
    })
  }

  override get events() {
    return Object.assign(this.#writable(super.events, events), {
      remove: (id: string) => this.#remove(events, this.#transaction.find(events, eventById, [id])),
    })
  }

  override get deliveries() {
    return Object.assign(this.#writable(super.deliveries, deliveries), {
      remove: (id: string) =>
        this.#remove(deliveries, this.#transaction.find(deliveries, deliveryById, [id])),
    })
  }

  #writable<Reader extends object, Stored extends object>(
    reader: Reader,
    collection: Collection<Stored>,
  ) {
    return Object.assign(reader, {
      put: (record: Stored) => this.#transaction.put(collection, record),
    })
  }

  async #remove<Stored extends object>(
    collection: Collection<Stored>,
    looked: Promise<Found<Stored> | undefined>,
  ): Promise<void> {
    const found = await looked
    if (found) this.#transaction.remove(collection, found)
  }
}
