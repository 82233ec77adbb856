import type { Cooperative } from '../domain/cooperatives/cooperative.ts'
import type { Image, ImageKind } from '../domain/cooperatives/image.ts'
import type { Holding } from '../domain/holdings/holding.ts'
import type { StoredInvestor } from '../domain/investors/investor.ts'
import type { Client } from '../domain/oauth/client.ts'
import type { SigningKey } from '../domain/oauth/signing-key.ts'
import type { Organization } from '../domain/organizations/organization.ts'
import type { Page, PageRequest } from '../domain/page.ts'
import { Problem } from '../domain/problem.ts'
import type {
  IdempotencyRecord,
  SharePurchase,
  SharePurchaseStatus,
} from '../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../domain/timestamp.ts'
import type { Delivery } from '../domain/webhooks/delivery.ts'
import type { Event } from '../domain/webhooks/event.ts'
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts'
import type { ReceiverLeases } from './receiver-leases.ts'
import type { DeliveryReader, EventReader, WebhookEndpointReader } from './webhook-records.ts'

/**
 * Where the service keeps everything. Two engines keep the same promises, and one suite proves them
 * (test/adapters/store-contract.ts).
 */
export interface Store {
  read<Result>(work: (records: ReadableRecords) => Promise<Result>): Promise<Result>
  /**
   * All or nothing: when it resolves, everything that `work` has put is durable; when `work` throws, nothing of it is
   * there, and the error comes back as it was. A write is committed only while everything that it has read is still so,
   * so each runs as if alone; otherwise `work` runs again, so it does nothing but read and put. It sees what it has put.
   *
   * `subject` names what the work is about, such as an investor: works with the same subject would be in each other's
   * way, so they follow one another.
   *
   * Throws a Problem with SERVICE_UNAVAILABLE when the engine cannot keep its promise (disk full, database away).
   */
  write<Result>(subject: string, work: (records: Records) => Promise<Result>): Promise<Result>
  readonly receiverLeases: ReceiverLeases
  /** Calls `listener` when deliveries were put, whoever did, and now and then for nothing; returns what ends that. */
  watchDeliveries(listener: () => void): () => void
  /** Whether writes are taken at the moment; the reason when not. */
  health(): Promise<StoreHealth>
  close(): Promise<void>
}

export type StoreHealth =
  | { readonly ready: true }
  /** The cause is the same object as long as the reason is. */
  | {
      readonly ready: false
      readonly reason: string
      readonly cause: unknown
      /** It takes no writes again, whatever is mended, until it is opened anew. */
      readonly isFinal: boolean
    }

/** Kept once per store, so that a directory or database is never used by the wrong environment. */
export interface Settings {
  readonly environment: 'staging' | 'production'
  readonly createdAt: Timestamp
}

/** `put` inserts, or replaces the record of the same key. A broken uniqueness promise throws UniquenessError. */
interface Writable<Stored> {
  put(record: Stored): Promise<void>
}

/** Nothing is stored any more. Why is in the cause: it is for the operator, and not for partners. */
export class StoreFailedProblem extends Problem {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', 'The service can store nothing at the moment. Try again later.', {
      cause,
    })
  }
}

/** Another record already has this value of `index`. Use cases turn it into the Problem that fits. */
export class UniquenessError extends Error {
  readonly index: string

  constructor(index: string) {
    super(`Another record already has this ${index}.`)
    this.name = 'UniquenessError'
    this.index = index
  }
}

export interface SettingsReader {
  get(): Promise<Settings | undefined>
}

export interface OrganizationReader {
  get(organizationId: string): Promise<Organization | undefined>
  /** `foldedName` as foldName makes it; unique. */
  findByName(foldedName: string): Promise<Organization | undefined>
  list(): Promise<readonly Organization[]>
}

export interface ClientReader {
  get(clientId: string): Promise<Client | undefined>
  list(): Promise<readonly Client[]>
}

export interface SigningKeyReader {
  /** Oldest first. */
  list(): Promise<readonly SigningKey[]>
}

export interface CooperativeReader {
  get(id: string): Promise<Cooperative | undefined>
  /** Unique. */
  findByKey(key: string): Promise<Cooperative | undefined>
  list(): Promise<readonly Cooperative[]>
  /** Changes whenever a cooperative does: what was made from the catalogue is good while this stays the same. */
  version(): Promise<number>
}

export interface ImageReader {
  get(ownerId: string, kind: ImageKind): Promise<Image | undefined>
}

/** A part of a list that is read in parts. */
export interface ListPage {
  /** Id of the record that it begins after. */
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

export interface InvestorReader {
  get(organizationId: string, investorId: string): Promise<StoredInvestor | undefined>
  /** Unique within the organisation. */
  findByPartnerCustomerRef(
    organizationId: string,
    partnerCustomerRef: string,
  ): Promise<StoredInvestor | undefined>
  /** Oldest first. */
  listByOrganization(organizationId: string, page?: ListPage): Promise<readonly StoredInvestor[]>
}

type PositionKey = Pick<SharePurchase, 'organizationId' | 'investorId' | 'cooperativeId'>
type SharePurchaseKey = Pick<SharePurchase, 'sharePurchaseId'>

export interface SharePurchaseReader {
  get(organizationId: string, sharePurchaseId: string): Promise<SharePurchase | undefined>
  /** For operators, who see every organisation's. */
  find(sharePurchaseId: string): Promise<SharePurchase | undefined>
  /** Newest first. */
  pageByInvestor(
    organizationId: string,
    investorId: string,
    page: PageRequest,
  ): Promise<Page<SharePurchase>>
  /** The oldest order with a reference that the partner chose, in upper or lower case; references that were issued are not looked at. */
  findByMandateReference(
    organizationId: string,
    reference: string,
  ): Promise<SharePurchase | undefined>
  /** The submitted and approved orders of an investor for a cooperative; oldest first, as many as can carry another one. */
  listOldestPending(position: PositionKey): Promise<readonly SharePurchase[]>
  /** The submitted and approved orders that rest on this one; oldest first. */
  listPendingOn(carrier: PositionKey & SharePurchaseKey): Promise<readonly SharePurchase[]>
  /** For operators; oldest first. Costs what it returns, not what is stored. */
  list(filter: {
    readonly status?: SharePurchaseStatus | undefined
    readonly organizationId?: string | undefined
    readonly after?: string | undefined
    readonly limit?: number | undefined
  }): Promise<readonly SharePurchase[]>
  /** All orders of these, of one moment; of each investor oldest first. */
  listByInvestors(
    organizationId: string,
    investorIds: readonly string[],
  ): Promise<readonly SharePurchase[]>
  countByStatus(): Promise<Readonly<Record<SharePurchaseStatus, number>>>
}

export interface HoldingReader {
  /** Unique: one per investor and cooperative. */
  find(
    organizationId: string,
    investorId: string,
    cooperativeId: string,
  ): Promise<Holding | undefined>
  /** Only those that are listed (shares + pendingShares > 0), oldest first. */
  pageByInvestor(
    organizationId: string,
    investorId: string,
    page: PageRequest,
  ): Promise<Page<Holding>>
}

export interface IdempotencyRecordReader {
  /** Unique. Also returns an expired one that is not yet purged. */
  get(
    organizationId: string,
    clientId: IdempotencyRecord['clientId'],
    key: string,
  ): Promise<IdempotencyRecord | undefined>
}

export interface ReadableRecords {
  readonly settings: SettingsReader
  readonly organizations: OrganizationReader
  readonly clients: ClientReader
  readonly signingKeys: SigningKeyReader
  readonly cooperatives: CooperativeReader
  readonly images: ImageReader
  readonly investors: InvestorReader
  readonly sharePurchases: SharePurchaseReader
  readonly holdings: HoldingReader
  readonly idempotencyRecords: IdempotencyRecordReader
  readonly webhookEndpoints: WebhookEndpointReader
  readonly events: EventReader
  readonly deliveries: DeliveryReader
}

export interface Records extends ReadableRecords {
  readonly settings: SettingsReader & Writable<Settings>
  readonly organizations: OrganizationReader & Writable<Organization>
  readonly clients: ClientReader & Writable<Client>
  readonly signingKeys: SigningKeyReader &
    Writable<SigningKey> & { remove(kid: string): Promise<void> }
  readonly cooperatives: CooperativeReader & Writable<Cooperative>
  readonly images: ImageReader &
    Writable<Image> & { remove(ownerId: string, kind: ImageKind): Promise<void> }
  readonly investors: InvestorReader & Writable<StoredInvestor>
  readonly sharePurchases: SharePurchaseReader & Writable<SharePurchase>
  readonly holdings: HoldingReader & Writable<Holding>
  readonly idempotencyRecords: IdempotencyRecordReader &
    Writable<IdempotencyRecord> & {
      /** Removes at most `limit` of the records that expired at or before `at`, oldest first, and returns how many. */
      purgeExpired(at: Timestamp, limit: number): Promise<number>
    }
  /** Unique: a URL, within the organisation. */
  readonly webhookEndpoints: WebhookEndpointReader &
    Writable<WebhookEndpoint> & { remove(webhookEndpointId: string): Promise<void> }
  readonly events: EventReader & Writable<Event> & { remove(eventId: string): Promise<void> }
  readonly deliveries: DeliveryReader &
    Writable<Delivery> & { remove(deliveryId: string): Promise<void> }
}
