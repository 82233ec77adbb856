import type { AuditEntry, AuditSeal } from '../domain/audit/audit-entry.ts'
import type { Cooperative } from '../domain/cooperatives/cooperative.ts'
import type { Image, ImageKind } from '../domain/cooperatives/image.ts'
import type { Holding } from '../domain/holdings/holding.ts'
import type { StoredInvestor } from '../domain/investors/investor.ts'
import type { Client } from '../domain/oauth/client.ts'
import type { SigningKey } from '../domain/oauth/signing-key.ts'
import type { Operator } from '../domain/operators/operator.ts'
import type { Organization } from '../domain/organizations/organization.ts'
import type { CursorPage, Page, PageOfPeriod, PageRequest } from '../domain/page.ts'
import type { DebitCollection, DirectDebit } from '../domain/payments/debit-collection.ts'
import type { Payment } from '../domain/payments/payment.ts'
import type { Statement, StatementEntry } from '../domain/payments/statement.ts'
import type {
  IdempotencyRecord,
  OrderSum,
  SecondedAction,
  SharePurchase,
  SharePurchaseStatus,
} from '../domain/share-purchases/share-purchase.ts'
import type { Encrypted } from '../domain/text.ts'
import type { Timestamp } from '../domain/timestamp.ts'
import type { Delivery } from '../domain/webhooks/delivery.ts'
import type { Event } from '../domain/webhooks/event.ts'
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts'
import type {
  DebitCollectionReader,
  DirectDebitReader,
  PaymentReader,
  StatementEntryReader,
  StatementReader,
} from './payment-records.ts'
import type { DeliveryReader, EventReader, WebhookEndpointReader } from './webhook-records.ts'

/** The record of a collection, how it is read, and what a write can do apart from `put`. */
interface Kind<Stored extends object, Reader extends object, Changes extends object = object> {
  readonly stored: Stored
  readonly reader: Reader
  readonly changes: Changes
}

/** All collections of a store. docs/project/new-collection.md says how to add one. */
export interface Collections {
  readonly settings: Kind<Settings, SettingsReader>
  readonly organizations: Kind<Organization, OrganizationReader, Removable>
  readonly clients: Kind<Client, ClientReader, Removable>
  readonly operators: Kind<Operator, OperatorReader>
  readonly signingKeys: Kind<SigningKey, SigningKeyReader, Removable>
  readonly cooperatives: Kind<Cooperative, CooperativeReader>
  readonly images: Kind<Image, ImageReader, RemovableImage>
  readonly investors: Kind<StoredInvestor, InvestorReader>
  readonly sharePurchases: Kind<SharePurchase, SharePurchaseReader>
  readonly holdings: Kind<Holding, HoldingReader>
  readonly idempotencyRecords: Kind<IdempotencyRecord, IdempotencyRecordReader, Purgeable>
  readonly payments: Kind<Payment, PaymentReader>
  readonly debitCollections: Kind<DebitCollection, DebitCollectionReader>
  readonly directDebits: Kind<DirectDebit, DirectDebitReader>
  readonly statements: Kind<Statement, StatementReader>
  readonly statementEntries: Kind<StatementEntry, StatementEntryReader>
  /** Unique: a URL, within the organization. */
  readonly webhookEndpoints: Kind<WebhookEndpoint, WebhookEndpointReader, Removable>
  readonly events: Kind<Event, EventReader, Removable>
  readonly deliveries: Kind<Delivery, DeliveryReader, Removable>
  readonly auditEntries: Kind<AuditEntry, AuditEntryReader>
  readonly auditSeals: Kind<AuditSeal, AuditSealReader>
}

interface Removable {
  remove(id: string): Promise<void>
}

interface RemovableImage {
  remove(ownerId: string, kind: ImageKind): Promise<void>
}

interface Purgeable {
  /**
   * Removes up to `limit` records that expired at or before `at`, oldest first, and returns their
   * number.
   */
  purgeExpired(at: Timestamp, limit: number): Promise<number>
}

export type CollectionName = keyof Collections

export type StoredRecords = { readonly [Name in CollectionName]: Collections[Name]['stored'] }

/**
 * Referenced collections come first. Engines need not keep the order of creation where the value is
 * `none`.
 */
const orders: Readonly<Record<CollectionName, 'of creation' | 'none'>> = {
  settings: 'none',
  organizations: 'of creation',
  clients: 'of creation',
  operators: 'of creation',
  signingKeys: 'of creation',
  cooperatives: 'of creation',
  images: 'none',
  investors: 'of creation',
  sharePurchases: 'of creation',
  holdings: 'of creation',
  idempotencyRecords: 'none',
  payments: 'of creation',
  debitCollections: 'of creation',
  directDebits: 'of creation',
  statements: 'of creation',
  statementEntries: 'of creation',
  webhookEndpoints: 'of creation',
  events: 'of creation',
  deliveries: 'of creation',
  auditEntries: 'of creation',
  auditSeals: 'of creation',
}

export const collectionNames = Object.keys(orders) as readonly CollectionName[]

export const unorderedCollections: ReadonlySet<CollectionName> = new Set(
  collectionNames.filter((name) => orders[name] === 'none'),
)
/**
 * The steps of a change of the keys of persons. First each investor gets a new key beside the former one. Then the values
 * of orders and of Idempotency-Keys are encrypted with the new keys. At last the former keys are removed.
 */
export type KeyRenewalStep = 'investors' | 'orders' | 'former keys'
export const environments = ['staging', 'production'] as const
export type Environment = (typeof environments)[number]

/** The environment is stored, so that a store is never used by the wrong one. */
export interface Settings {
  readonly environment: Environment
  readonly createdAt: Timestamp
  /** The key of the digests by which operators find persons. */
  readonly encryptedSearchKey: Encrypted
  /** The search key before, while records may still have its digests. */
  readonly encryptedFormerSearchKey?: Encrypted
  /** The version of the digests that all investors have. Absent in a store of the first version. */
  readonly searchVersion?: number
  /** The change of the keys that made the search key. */
  readonly keyChange: string
  /** What the change of the keys does now; absent when it is finished. */
  readonly keyRenewal?: KeyRenewalStep
  /**
   * Decisions that a second operator confirms, as set at the last start of a service. Commands that
   * open the store themselves do not know the flags of services. Absent if there are none.
   */
  readonly fourEyes?: readonly SecondedAction[]
}
export interface SettingsReader {
  get(): Promise<Settings | undefined>
}
export interface OrganizationReader {
  get(organizationId: string): Promise<Organization | undefined>
  /** Unique. @param foldedName as returned by foldName */
  findByName(foldedName: string): Promise<Organization | undefined>
  list(): Promise<readonly Organization[]>
}
export interface ClientReader {
  get(clientId: string): Promise<Client | undefined>
  list(): Promise<readonly Client[]>
}
export interface OperatorReader {
  get(operatorId: string): Promise<Operator | undefined>
  /** Unique. @param foldedName as returned by foldOperatorName */
  findByName(foldedName: string): Promise<Operator | undefined>
  list(): Promise<readonly Operator[]>
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
  /** Changes whenever a cooperative changes, so it can be used as the key of caches. */
  version(): Promise<number>
}
export interface ImageReader {
  get(ownerId: string, kind: ImageKind): Promise<Image | undefined>
}
/** The result of a search. */
export interface SearchResult<Record> {
  readonly records: readonly Record[]
  /** The number of all matching records, at most `maximumCounted`. */
  readonly count: number
}

interface Searchable<Record> {
  /** Records that have all these search terms, in no particular order. */
  search(terms: readonly string[], limit: number): Promise<SearchResult<Record>>
  listByIdPrefix(prefix: string, limit: number): Promise<readonly Record[]>
  /** @param end the last characters of an id, in the length of a short id */
  listByIdEnd(end: string, limit: number): Promise<readonly Record[]>
}
interface InvestorFilter extends PageOfPeriod {
  readonly organizationId?: string | undefined
  readonly isOldestFirst?: boolean | undefined
}
export interface InvestorReader extends Searchable<StoredInvestor> {
  get(organizationId: string, investorId: string): Promise<StoredInvestor | undefined>
  /** Operators call this: they see investors of every organization. */
  find(investorId: string): Promise<StoredInvestor | undefined>
  /** The investors that operators list, by the time of creation, newest first. */
  list(filter: InvestorFilter): Promise<readonly StoredInvestor[]>
  /** By the time of erasing, newest first. */
  listErased(page: CursorPage): Promise<readonly StoredInvestor[]>
  /** Unique within the organization. */
  findByPartnerCustomerRef(
    organizationId: string,
    partnerCustomerRef: string,
  ): Promise<StoredInvestor | undefined>
  /** Oldest first. */
  listByOrganization(organizationId: string, page?: CursorPage): Promise<readonly StoredInvestor[]>
}
export type PositionKey = Pick<SharePurchase, 'organizationId' | 'investorId' | 'cooperativeId'>
export interface SharePurchaseFilter extends PageOfPeriod {
  readonly status?: SharePurchaseStatus | undefined
  readonly organizationId?: string | undefined
  readonly cooperativeId?: string | undefined
  readonly isNewestFirst?: boolean | undefined
  /**
   * Orders with a proposed decision, regardless of owner, cooperative and status, or settled orders. `since` and `until`
   * then limit the time of the order or of its settlement, by which the orders are sorted.
   */
  readonly among?: 'proposed' | 'settled' | undefined
}
export interface SharePurchaseReader extends Searchable<SharePurchase> {
  get(organizationId: string, sharePurchaseId: string): Promise<SharePurchase | undefined>
  /** Operators call this: they see orders of every organization. */
  find(sharePurchaseId: string): Promise<SharePurchase | undefined>
  /** Newest first. */
  pageByInvestor(
    organizationId: string,
    investorId: string,
    page: PageRequest,
  ): Promise<Page<SharePurchase>>
  /**
   * The oldest order with a reference that the partner chose, regardless of case. Issued
   * references are not searched.
   */
  findByMandateReference(
    organizationId: string,
    reference: string,
  ): Promise<SharePurchase | undefined>
  /**
   * The latest order with a reference that the partner chose and whose payment was collected, or still
   * may be. Issued references are not searched.
   */
  findLastUseOfMandate(
    organizationId: string,
    reference: string,
  ): Promise<SharePurchase | undefined>
  /**
   * The orders of a position on which a new order may depend, oldest first, up to
   * `maximumDependencies`.
   */
  listOldestPossibleDependencies(position: PositionKey): Promise<readonly SharePurchase[]>
  /** The pending orders of a position that depend on others, oldest first. */
  listPendingDependents(
    position: PositionKey,
    part?: { readonly offset: number; readonly limit: number },
  ): Promise<readonly SharePurchase[]>
  /**
   * For operators; ordered by `createdAt`, then by creation. The cost is proportional to the
   * result, not to the store.
   */
  list(filter: SharePurchaseFilter): Promise<readonly SharePurchase[]>
  /** All orders of these investors at one moment, each investor's oldest first. */
  listByInvestors(
    organizationId: string,
    investorIds: readonly string[],
  ): Promise<readonly SharePurchase[]>
  /**
   * The orders whose fate has a step at or before `until`, earliest first; without `until`, at any
   * time.
   */
  listByFate(range: {
    readonly until?: Timestamp | undefined
    readonly limit: number
  }): Promise<readonly SharePurchase[]>
  /**
   * The orders of each status that the filter selects, up to `limit`. Without a limit, the cost is proportional to the
   * number of orders.
   */
  countByStatus(
    limit?: number,
    filter?: Omit<SharePurchaseFilter, 'status' | 'after' | 'limit'>,
  ): Promise<Readonly<Record<SharePurchaseStatus, number>>>
  /** The number of orders that come before the order `before` in a list, up to the limit of the filter. */
  countBefore(
    before: string,
    filter: Omit<SharePurchaseFilter, 'after'> & { readonly limit: number },
  ): Promise<number>
  /** The cost does not depend on the number of orders. Not allowed in writes. */
  sumByStatus(): Promise<Readonly<Record<SharePurchaseStatus, OrderSum>>>
  /**
   * The orders that were placed, or settled, on each day of the platform, `yyyy-MM-dd`, from one day until before
   * another. Days without orders are missing. Not allowed in writes.
   */
  sumByDay(
    when: 'placed' | 'settled',
    days: { readonly from: string; readonly until: string },
  ): Promise<ReadonlyMap<string, OrderSum>>
}
export interface HoldingReader {
  /** There is one per investor and cooperative. */
  find(
    organizationId: string,
    investorId: string,
    cooperativeId: string,
  ): Promise<Holding | undefined>
  /** Holdings with shares or pending shares, oldest first. */
  pageByInvestor(
    organizationId: string,
    investorId: string,
    page: PageRequest,
  ): Promise<Page<Holding>>
}
export interface IdempotencyRecordReader {
  /** Unique. Also returns an expired record that has not been purged. */
  get(organizationId: string, key: string): Promise<IdempotencyRecord | undefined>
}
export interface AuditEntryFilter {
  readonly sharePurchaseId?: string | undefined
  /** The id of an operator. */
  readonly actorId?: string | undefined
  readonly actorKind?: AuditEntry['actorKind'] | undefined
  readonly outcome?: 'refused' | undefined
}

export interface AuditEntryReader {
  get(entryId: string): Promise<AuditEntry | undefined>
  /** Newest first, unless asked otherwise. The cost is proportional to the result, not to the store. */
  list(
    filter: AuditEntryFilter & PageOfPeriod & { readonly isOldestFirst?: boolean | undefined },
  ): Promise<readonly AuditEntry[]>
  /**
   * In the order of the seals. It leaves out entries before which a running write may still insert others, unless
   * `withHidden` is set.
   */
  listInOrder(page: CursorPage & { readonly withHidden?: boolean }): Promise<readonly AuditEntry[]>
  count(): Promise<number>
  /** The number of entries up to this one, in the order of the seals. */
  countUpTo(entryId: string): Promise<number>
}
export interface AuditSealReader {
  get(number: string): Promise<AuditSeal | undefined>
  last(): Promise<AuditSeal | undefined>
  count(): Promise<number>
}
