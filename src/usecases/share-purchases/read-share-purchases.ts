import { isUuid } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/page.ts'
import { Problem } from '../../domain/problem.ts'
import {
  isOfErasedPerson,
  type SharePurchase,
  type SharePurchaseStatus,
} from '../../domain/share-purchases/share-purchase.ts'
import type { ReadableRecords } from '../../ports/store.ts'
import { requireInvestor } from '../investors/investors.ts'
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
export function readAnySharePurchase(
  { store }: Service,
  sharePurchaseId: string,
): Promise<SharePurchase> {
  return store.read((records) => requireAnySharePurchase(records, sharePurchaseId))
}

export interface SharePurchaseSelection {
  readonly status?: SharePurchaseStatus | undefined
  /** An id or an exact name. */
  readonly organization?: string | undefined
  readonly limit?: number | undefined
}

/** For operators, who see all organizations; oldest first, in batches. */
export async function* selectSharePurchases(
  { store }: Pick<Service, 'store'>,
  { status, organization, limit }: SharePurchaseSelection,
): AsyncGenerator<readonly SharePurchase[]> {
  const owner =
    organization === undefined
      ? undefined
      : await store.read((records) => requireOrganization(records, organization))
  const filter = { status, organizationId: owner?.organizationId }
  yield* readInBatches(store, {
    list: ({ sharePurchases }, page) => sharePurchases.list({ ...filter, ...page }),
    idOf: ({ sharePurchaseId }) => sharePurchaseId,
    limit,
  })
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

/** For operators, who see all organizations. */
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
