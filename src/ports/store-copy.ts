import type { Cooperative } from '../domain/cooperatives/cooperative.ts'
import type { Image } from '../domain/cooperatives/image.ts'
import type { Holding } from '../domain/holdings/holding.ts'
import type { StoredInvestor } from '../domain/investors/investor.ts'
import type { Client } from '../domain/oauth/client.ts'
import type { SigningKey } from '../domain/oauth/signing-key.ts'
import type { Organization } from '../domain/organizations/organization.ts'
import type { Sealed } from '../domain/sealed.ts'
import type { IdempotencyRecord, SharePurchase } from '../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../domain/timestamp.ts'
import type { Delivery } from '../domain/webhooks/delivery.ts'
import type { Event } from '../domain/webhooks/event.ts'
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts'
import type { Settings } from './store.ts'

/** What a store holds of each kind, by the names of its collections. */
export interface StoredRecords {
  readonly settings: Settings
  readonly organizations: Organization
  readonly clients: Client
  readonly signingKeys: SigningKey
  readonly cooperatives: Cooperative
  readonly images: Image
  readonly investors: StoredInvestor
  readonly sharePurchases: SharePurchase
  readonly holdings: Holding
  readonly idempotencyRecords: IdempotencyRecord
  readonly webhookEndpoints: WebhookEndpoint
  readonly events: Event
  readonly deliveries: Delivery
}

export type CollectionName = keyof StoredRecords

/** Those that others refer to come first. */
export const collectionNames: readonly CollectionName[] = [
  'settings',
  'organizations',
  'clients',
  'signingKeys',
  'cooperatives',
  'images',
  'investors',
  'sharePurchases',
  'holdings',
  'idempotencyRecords',
  'webhookEndpoints',
  'events',
  'deliveries',
]

/** Those whose order nobody asks for, so that engines need not keep it. */
export const unorderedCollections: ReadonlySet<CollectionName> = new Set([
  'settings',
  'images',
  'idempotencyRecords',
])

export interface RecordBatch {
  readonly collection: CollectionName
  readonly records: readonly object[]
}

/** Where a store was copied to, and when: from then on the copy is the store that lives. */
export interface StoreMove {
  /** A directory, or the address of a database without user and password. */
  readonly to: string
  readonly at: Timestamp
}

/** A whole store of one moment. Only `markMoved` changes anything in it. */
export interface CopySource {
  /** What the store knows its key by. */
  readonly keyCheck: Sealed
  /** Of all collections together. */
  readonly count: number
  /** Where the store keeps its key, if it made that itself. */
  readonly keyFile: string | undefined
  /** In the order of `collectionNames`; of each, the oldest come first. */
  read(onBatch: (batch: RecordBatch) => Promise<void>): Promise<void>
  /** Durable when it resolves. From then on the store takes no writes. */
  markMoved(move: StoreMove): Promise<void>
  close(): Promise<void>
}

/** Becomes a store with `keep`, and not before: whatever ends it earlier leaves none. */
export interface CopyTarget {
  put(batch: RecordBatch): Promise<void>
  /** What was put, read from where it is kept. Nothing can be put afterwards. */
  readBack(onBatch: (batch: RecordBatch) => void): Promise<void>
  keep(): Promise<void>
  discard(): Promise<void>
}
