import type { Cooperative } from '../../domain/cooperatives/cooperative.ts'
import { isUuid } from '../../domain/ids.ts'
import type { StoredInvestor } from '../../domain/investors/investor.ts'
import { personName } from '../../domain/investors/profile.ts'
import type { Organization } from '../../domain/organizations/organization.ts'
import type { CursorPage, Page, PageRequest } from '../../domain/page.ts'
import type { Payment, PaymentState } from '../../domain/payments/payment.ts'
import { Problem } from '../../domain/problem.ts'
import {
  isOfErasedPerson,
  type SharePurchase,
  settledAtOf,
} from '../../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../../domain/timestamp.ts'
import type { SharePurchaseFilter } from '../../ports/collections.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import type { Vault } from '../../ports/vault.ts'
import { requireCooperative } from '../cooperatives/cooperatives.ts'
import { requireInvestor, tryOpen } from '../investors/investors.ts'
import { requireOrganization } from '../organizations/organizations.ts'
import { readInBatches } from '../read-in-batches.ts'
import type { Service } from '../service.ts'

export function readSharePurchase(
  { store }: Service,
  owned: OwnedSharePurchase,
): Promise<SharePurchase> {
  return store.read((records) => requireSharePurchase(records, owned))
}

export interface ListSharePurchases {
  readonly organizationId: string
  readonly investorId: string
  readonly page: PageRequest
}

/** Newest first. */
export function listSharePurchases(
  { store }: Service,
  { organizationId, investorId: id, page }: ListSharePurchases,
): Promise<Page<SharePurchase>> {
  return store.read(async (records) => {
    const { investorId } = await requireInvestor(records, organizationId, id)
    return records.sharePurchases.pageByInvestor(organizationId, investorId, page)
  })
}

/** For operators. */
function readAnySharePurchase(
  { store }: Pick<Service, 'store'>,
  sharePurchaseId: string,
): Promise<SharePurchase> {
  return store.read((records) => requireAnySharePurchase(records, sharePurchaseId))
}

/** For operators. */
export async function readListedSharePurchase(
  service: Service,
  sharePurchaseId: string,
): Promise<ListedSharePurchase> {
  const sharePurchase = await readAnySharePurchase(service, sharePurchaseId)
  const [listed] = await service.store.read((records) =>
    describeSharePurchases(records, service, [sharePurchase]),
  )
  return listed as ListedSharePurchase
}

/** For operators. Leaves out ids that no order has. */
export function readSharePurchases(
  service: Pick<Service, 'store' | 'vault'>,
  ids: readonly string[],
): Promise<readonly ListedSharePurchase[]> {
  return service.store.read(async (records) => {
    const found = await Promise.all(ids.map((id) => records.sharePurchases.find(id.toLowerCase())))
    const orders = found.filter((order) => order !== undefined)
    return describeSharePurchases(records, service, orders)
  })
}

export interface SharePurchaseSelection
  extends Omit<SharePurchaseFilter, 'organizationId' | 'cooperativeId' | 'among'> {
  /** An id or an exact name. */
  readonly organization?: string | undefined
  /** An id or a key. */
  readonly cooperative?: string | undefined
  /** An id or the reference of the partner. */
  readonly investor?: string | undefined
  /** Only orders with a decision that another operator has to confirm. */
  readonly isProposed?: boolean | undefined
  /** Inclusive lower bound of the time of settlement, by which the orders are then sorted. */
  readonly settledSince?: Timestamp | undefined
  /** Exclusive upper bound. */
  readonly settledUntil?: Timestamp | undefined
  /** Only orders whose payment is in this state, in the order of their approval. */
  readonly paymentState?: PaymentState | undefined
}

/** An order with the names of the records to which it refers. */
export interface ListedSharePurchase {
  readonly sharePurchase: SharePurchase
  readonly organization: Organization | undefined
  readonly cooperative: Cooperative | undefined
  readonly investor: StoredInvestor | undefined
  /** The person or the company that buys the shares; null if unknown, or once the person has been erased. */
  readonly investorName: string | null
  /** undefined if the cooperative does not collect payments, or if the order was never approved. */
  readonly payment: Payment | undefined
}

/** An order with the partner and the cooperative. */
export type OwnedOrder = Omit<ListedSharePurchase, 'investor' | 'investorName' | 'payment'>

/** Yields orders in batches, for operators, who see all organizations. */
export async function* selectSharePurchases(
  service: Pick<Service, 'store' | 'vault'>,
  selection: SharePurchaseSelection,
): AsyncGenerator<readonly ListedSharePurchase[]> {
  for await (const found of selectOrders(service, selection)) {
    yield await service.store.read((records) => describeSharePurchases(records, service, found))
  }
}

/** Selects orders without the names of partners and investors, for the preview of a decision on many orders. */
export async function* selectWithCooperatives(
  { store }: Pick<Service, 'store'>,
  selection: SharePurchaseSelection,
): AsyncGenerator<readonly Pick<ListedSharePurchase, 'sharePurchase' | 'cooperative'>[]> {
  for await (const found of selectOrders({ store }, selection)) {
    yield await store.read(({ cooperatives }) =>
      Promise.all(
        found.map(async (sharePurchase) => ({
          sharePurchase,
          cooperative: await cooperatives.get(sharePurchase.cooperativeId),
        })),
      ),
    )
  }
}

/**
 * Yields orders in batches, without the records to which they refer. The state of a payment is not in the order, so the
 * orders of all payments in the state are read.
 */
export async function* selectOrders(
  { store }: Pick<Service, 'store'>,
  { paymentState, ...selection }: SharePurchaseSelection,
): AsyncGenerator<readonly SharePurchase[]> {
  if (paymentState === undefined) return yield* selectFromLists({ store }, selection)
  if (selection.investor !== undefined)
    return yield* selectOfInvestor(store, selection, paymentState)
  const { after, limit } = selection
  const filter = await store.read((records) => readFilter(records, selection))
  const start = after && (await readAnySharePurchase({ store }, after)).sharePurchaseId
  const { cooperativeId, isNewestFirst } = filter
  const paid = readInBatches(store, {
    list: ({ payments }: ReadableRecords, page: CursorPage) =>
      payments.list({ cooperativeId, state: paymentState, isNewestFirst, ...page }),
    idOf: ({ sharePurchaseId }: Payment) => sharePurchaseId,
    after: start,
  })
  yield* chosenOf(ordersOf(store, paid), filter, limit)
}

async function* ordersOf(
  store: Service['store'],
  batches: AsyncIterable<readonly Payment[]>,
): AsyncGenerator<readonly SharePurchase[]> {
  for await (const payments of batches) {
    const orders = await store.read(({ sharePurchases }) =>
      Promise.all(
        payments.map(({ organizationId, sharePurchaseId }) =>
          sharePurchases.get(organizationId, sharePurchaseId),
        ),
      ),
    )
    yield orders.filter((order) => order !== undefined)
  }
}

/** An investor has few orders. */
async function* selectOfInvestor(
  store: Service['store'],
  selection: Omit<SharePurchaseSelection, 'paymentState'>,
  paymentState: PaymentState,
): AsyncGenerator<readonly SharePurchase[]> {
  let left = selection.limit ?? Number.POSITIVE_INFINITY
  for await (const orders of selectFromLists({ store }, { ...selection, limit: undefined })) {
    const payments = await store.read((records) =>
      Promise.all(orders.map(({ sharePurchaseId }) => records.payments.get(sharePurchaseId))),
    )
    const chosen = orders
      .filter((_, index) => payments[index]?.state === paymentState)
      .slice(0, left)
    if (chosen.length > 0) yield chosen
    left -= chosen.length
    if (left <= 0) return
  }
}

async function* selectFromLists(
  { store }: Pick<Service, 'store'>,
  { investor, after, limit, ...selection }: Omit<SharePurchaseSelection, 'paymentState'>,
): AsyncGenerator<readonly SharePurchase[]> {
  const filter = await store.read((records) => readFilter(records, selection))
  const range = rangeOf(filter)
  const list =
    investor === undefined
      ? ({ sharePurchases }: ReadableRecords, page: CursorPage) =>
          sharePurchases.list({ ...range, ...page })
      : await store.read((records) => listOfInvestor(records, investor, filter))
  const start = after && (await readAnySharePurchase({ store }, after)).sharePurchaseId
  const idOf = ({ sharePurchaseId }: SharePurchase) => sharePurchaseId
  const asked = { list, idOf, after: start }
  if (range.among === undefined) return yield* readInBatches(store, { ...asked, limit })
  yield* chosenOf(readInBatches(store, asked), filter, limit)
}

/** Finds the records that a selection names. */
export async function readFilter(
  records: ReadableRecords,
  { organization, cooperative, ...selection }: Omit<SharePurchaseSelection, 'investor'>,
): Promise<Filter> {
  return {
    ...selection,
    organizationId:
      organization && (await requireOrganization(records, organization)).organizationId,
    cooperativeId: cooperative && (await requireCooperative(records, cooperative)).id,
  }
}

type Filter = Omit<SharePurchaseFilter, 'among'> &
  Pick<SharePurchaseSelection, 'isProposed' | 'settledSince' | 'settledUntil'>

/** The index that reads the orders, and the bounds of the part to read. */
export function rangeOf({
  isProposed,
  settledSince,
  settledUntil,
  ...filter
}: Filter): SharePurchaseFilter {
  if (isProposed) return { ...filter, among: 'proposed' }
  if (settledSince === undefined && settledUntil === undefined) return filter
  return { ...filter, since: settledSince, until: settledUntil, among: 'settled' }
}

/** Looks at each order that is proposed, or that was settled within some period, because no index has the other bounds. */
async function* chosenOf(
  batches: AsyncIterable<readonly SharePurchase[]>,
  filter: Filter,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly SharePurchase[]> {
  let left = limit
  for await (const batch of batches) {
    const chosen = batch.filter((order) => isSelected(order, filter)).slice(0, left)
    if (chosen.length > 0) yield chosen
    left -= chosen.length
    if (left <= 0) return
  }
}

function isSelected(order: SharePurchase, filter: Filter): boolean {
  const { status, organizationId, cooperativeId, since, until, isProposed } = filter
  const { settledSince, settledUntil } = filter
  const settledAt = settledAtOf(order)
  return (
    (status === undefined || order.status === status) &&
    (organizationId === undefined || order.organizationId === organizationId) &&
    (cooperativeId === undefined || order.cooperativeId === cooperativeId) &&
    (since === undefined || order.createdAt >= since) &&
    (until === undefined || order.createdAt < until) &&
    (!isProposed || order.proposal !== undefined) &&
    (settledSince === undefined || (settledAt !== null && settledAt >= settledSince)) &&
    (settledUntil === undefined || (settledAt !== null && settledAt < settledUntil))
  )
}

/** An investor has few orders, so all of them are read once. */
async function listOfInvestor(records: ReadableRecords, investor: string, filter: Filter) {
  const found = await requireInvestorByIdOrReference(records, investor, filter.organizationId)
  const { listByInvestors } = records.sharePurchases
  const all = await listByInvestors(found.organizationId, [found.investorId])
  const timeOf = (order: SharePurchase) =>
    rangeOf(filter).among === 'settled' ? order.updatedAt : order.createdAt
  const sorted = [...all].sort((left, right) =>
    timeOf(left) < timeOf(right) ? -1 : Number(timeOf(left) > timeOf(right)),
  )
  if (filter.isNewestFirst) sorted.reverse()
  return async (_: ReadableRecords, { after, limit }: CursorPage) => {
    // The order before the page may have changed, so that the filter no longer selects it.
    const last = sorted.findIndex(({ sharePurchaseId }) => sharePurchaseId === after)
    if (after !== undefined && last < 0) return []
    return sorted
      .slice(last + 1)
      .filter((order) => isSelected(order, filter))
      .slice(0, limit)
  }
}

/** If no organization is given, looks in each one, because a reference is unique only within an organization. */
async function requireInvestorByIdOrReference(
  { organizations, investors }: ReadableRecords,
  investor: string,
  organizationId: string | undefined,
): Promise<StoredInvestor> {
  const owners = (await organizations.list()).map((owner) => owner.organizationId)
  const asked = organizationId === undefined ? owners : [organizationId]
  const byId = await investors.find(investor.toLowerCase())
  const byReference = await Promise.all(
    asked.map((owner) => investors.findByPartnerCustomerRef(owner, investor)),
  )
  const found = [byId, ...byReference].filter((each) => each !== undefined)
  const [one, another] = found.filter((each) => asked.includes(each.organizationId))
  if (one && another) {
    throw new Problem(
      'VALIDATION_ERROR',
      'Several investors have this reference. Also give the organization.',
    )
  }
  if (one) return one
  throw new Problem(
    'INVESTOR_NOT_FOUND',
    'No investor has this id or reference. "coopshare find" also finds a name, an e-mail address or an IBAN.',
  )
}

export async function describeSharePurchases(
  records: ReadableRecords,
  { vault }: Pick<Service, 'vault'>,
  sharePurchases: readonly SharePurchase[],
): Promise<readonly ListedSharePurchase[]> {
  const { organizations, cooperatives } = ownersOf(records, sharePurchases)
  const investors = readEach(sharePurchases, 'investorId', (id, { organizationId }) =>
    records.investors.get(organizationId, id),
  )
  // An order that was never approved has none.
  const payments = sharePurchases.map(({ transitions, sharePurchaseId }) =>
    transitions.some(({ to }) => to === 'approved')
      ? records.payments.get(sharePurchaseId)
      : undefined,
  )
  return Promise.all(
    sharePurchases.map(async (sharePurchase, index) => {
      const investor = await investors.get(sharePurchase.investorId)
      return {
        sharePurchase,
        organization: await organizations.get(sharePurchase.organizationId),
        cooperative: await cooperatives.get(sharePurchase.cooperativeId),
        investor,
        payment: await payments[index],
        investorName: investor ? nameOfBuyer(vault, investor, sharePurchase) : null,
      }
    }),
  )
}

/** Reads no investors, because decrypting the names of many takes long. */
export async function withOwners(
  records: ReadableRecords,
  sharePurchases: readonly SharePurchase[],
): Promise<readonly OwnedOrder[]> {
  const { organizations, cooperatives } = ownersOf(records, sharePurchases)
  return Promise.all(
    sharePurchases.map(async (sharePurchase) => ({
      sharePurchase,
      organization: await organizations.get(sharePurchase.organizationId),
      cooperative: await cooperatives.get(sharePurchase.cooperativeId),
    })),
  )
}

function ownersOf(records: ReadableRecords, sharePurchases: readonly SharePurchase[]) {
  return {
    organizations: readEach(sharePurchases, 'organizationId', (id) =>
      records.organizations.get(id),
    ),
    cooperatives: readEach(sharePurchases, 'cooperativeId', (id) => records.cooperatives.get(id)),
  }
}

function nameOfBuyer(
  vault: Vault,
  investor: StoredInvestor,
  { applicantType }: SharePurchase,
): string | null {
  const profile = tryOpen(vault, investor)?.profile
  if (!profile) return null
  const [person, company] = [personName(profile), profile.company?.name ?? null]
  return applicantType === 'company' ? (company ?? person) : (person ?? company)
}

/** Reads each record once, even if several orders refer to it. */
function readEach<Found>(
  sharePurchases: readonly SharePurchase[],
  field: 'organizationId' | 'cooperativeId' | 'investorId',
  read: (id: string, sharePurchase: SharePurchase) => Promise<Found>,
): ReadonlyMap<string, Promise<Found>> {
  const reading = new Map<string, Promise<Found>>()
  for (const sharePurchase of sharePurchases) {
    const id = sharePurchase[field]
    if (!reading.has(id)) reading.set(id, read(id, sharePurchase))
  }
  return reading
}

export interface OwnedSharePurchase {
  readonly organizationId: string
  readonly investorId: string
  readonly sharePurchaseId: string
}

/** Throws SHARE_PURCHASE_NOT_FOUND for unknown ids, malformed ids and orders of others alike. */
export async function requireSharePurchase(
  { sharePurchases }: ReadableRecords,
  { organizationId, investorId, sharePurchaseId }: OwnedSharePurchase,
): Promise<SharePurchase> {
  // UUIDs are compared regardless of case (RFC 9562 4).
  const id = sharePurchaseId.toLowerCase()
  const found = isUuid(id) ? await sharePurchases.get(organizationId, id) : undefined
  const isOwn = found?.investorId === investorId.toLowerCase()
  if (isOwn && !isOfErasedPerson(found)) return found
  throw new Problem('SHARE_PURCHASE_NOT_FOUND', 'The investor has no share purchase with this id.')
}

/** An order of any investor of an organization. */
export interface OrganizationSharePurchase {
  readonly organizationId: string
  readonly sharePurchaseId: string
}

export function readOrganizationSharePurchase(
  { store }: Service,
  order: OrganizationSharePurchase,
): Promise<SharePurchase> {
  return store.read((records) => requireOrganizationSharePurchase(records, order))
}

/** Throws SHARE_PURCHASE_NOT_FOUND for unknown ids, malformed ids and orders of others alike. */
export async function requireOrganizationSharePurchase(
  { sharePurchases }: ReadableRecords,
  { organizationId, sharePurchaseId }: OrganizationSharePurchase,
): Promise<SharePurchase> {
  const id = sharePurchaseId.toLowerCase()
  const found = isUuid(id) ? await sharePurchases.get(organizationId, id) : undefined
  if (found && !isOfErasedPerson(found)) return found
  throw new Problem('SHARE_PURCHASE_NOT_FOUND', 'None of your share purchases has this id.')
}

/** Operators see orders of all organizations. */
export async function requireAnySharePurchase(
  { sharePurchases }: ReadableRecords,
  sharePurchaseId: string,
): Promise<SharePurchase> {
  const found = await sharePurchases.find(sharePurchaseId.toLowerCase())
  if (found) return found
  throw new Problem(
    'SHARE_PURCHASE_NOT_FOUND',
    `No share purchase has the id ${sharePurchaseId}. "coopshare purchase list" lists all share purchases.`,
  )
}
