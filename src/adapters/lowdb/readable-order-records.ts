import type { Page } from '../../domain/page.ts'
import { maximumCarriers } from '../../domain/share-purchases/carriers.ts'
import { foldMandateReference } from '../../domain/share-purchases/mandate-reference.ts'
import {
  type SharePurchase,
  type SharePurchaseStatus,
  sharePurchaseStatuses,
} from '../../domain/share-purchases/share-purchase.ts'
import type {
  HoldingReader,
  IdempotencyRecordReader,
  SharePurchaseReader,
} from '../../ports/store.ts'
import type { GroupIndex } from './collection.ts'
import {
  allSharePurchases,
  type Collections,
  everything,
  holdingByCooperative,
  idempotencyKeyOf,
  listedHoldingsByInvestor,
  pendingSharePurchases,
  sharePurchasesByInvestor,
  sharePurchasesByMandate,
  sharePurchasesByOrganization,
  sharePurchasesByOrganizationAndStatus,
  sharePurchasesByStatus,
} from './collections.ts'
import { joinKey } from './join-key.ts'
import { ownedBy } from './owned-by.ts'
import type { SortedEntries } from './sorted-entries.ts'
import { take } from './take.ts'
import type { View } from './view.ts'

export function readSharePurchases(
  { sharePurchases }: Collections,
  view: View,
): SharePurchaseReader {
  return {
    get: async (organizationId, id) => ownedBy(organizationId, view.get(sharePurchases, id)),
    find: async (id) => view.get(sharePurchases, id),
    pageByInvestor: async (organizationId, investorId, { page, size }) => {
      const investor = joinKey(organizationId, investorId)
      const group = view.group(sharePurchases, sharePurchasesByInvestor, investor)
      return pageOf(group, (all) => all.sliceFromEnd((page - 1) * size, size))
    },
    findByMandateReference: async (organizationId, reference) => {
      const mandate = joinKey(organizationId, foldMandateReference(reference))
      return view.list(sharePurchases, sharePurchasesByMandate, mandate)[0]
    },
    listOldestPending: async (position) =>
      listPending({ sharePurchases }, view, position).slice(0, maximumCarriers),
    listPendingOn: async ({ sharePurchaseId, ...position }) =>
      listPending({ sharePurchases }, view, position).filter(({ restsOn }) =>
        restsOn?.includes(sharePurchaseId),
      ),
    list: async ({ limit = Number.POSITIVE_INFINITY, after: key, ...filter }) => {
      const [index, value] = sharePurchaseGroup(filter)
      if (key === undefined) return take(view.group(sharePurchases, index, value), limit)
      return take(view.after(sharePurchases, index, { value, key }), limit)
    },
    listByInvestors: async (organizationId, investorIds) =>
      investorIds.flatMap((investorId) => [
        ...(view.group(
          sharePurchases,
          sharePurchasesByInvestor,
          joinKey(organizationId, investorId),
        ) ?? []),
      ]),
    countByStatus: async () => {
      const count = (status: SharePurchaseStatus) =>
        view.group(sharePurchases, sharePurchasesByStatus, status)?.size ?? 0
      return Object.fromEntries(
        sharePurchaseStatuses.map((status) => [status, count(status)]),
      ) as Record<SharePurchaseStatus, number>
    },
  }
}

function listPending(
  { sharePurchases }: Pick<Collections, 'sharePurchases'>,
  view: View,
  {
    organizationId,
    investorId,
    cooperativeId,
  }: Parameters<SharePurchaseReader['listOldestPending']>[0],
): readonly SharePurchase[] {
  const position = joinKey(organizationId, investorId, cooperativeId)
  return view.list(sharePurchases, pendingSharePurchases, position)
}

type Filter = Pick<Parameters<SharePurchaseReader['list']>[0], 'status' | 'organizationId'>

function sharePurchaseGroup({
  status,
  organizationId,
}: Filter): [GroupIndex<SharePurchase>, string] {
  if (organizationId === undefined)
    return status ? [sharePurchasesByStatus, status] : [allSharePurchases, everything]
  if (!status) return [sharePurchasesByOrganization, organizationId]
  return [sharePurchasesByOrganizationAndStatus, joinKey(organizationId, status)]
}

export function readHoldings({ holdings }: Collections, view: View): HoldingReader {
  return {
    find: async (organizationId, investorId, cooperativeId) =>
      view.find(holdings, holdingByCooperative, joinKey(organizationId, investorId, cooperativeId)),
    pageByInvestor: async (organizationId, investorId, { page, size }) => {
      const investor = joinKey(organizationId, investorId)
      const group = view.group(holdings, listedHoldingsByInvestor, investor)
      return pageOf(group, (all) => all.slice((page - 1) * size, size))
    },
  }
}

export function readIdempotencyRecords(
  { idempotencyRecords }: Collections,
  view: View,
): IdempotencyRecordReader {
  return {
    get: async (organizationId, clientId, key) =>
      ownedBy(
        organizationId,
        view.get(idempotencyRecords, idempotencyKeyOf({ organizationId, clientId, key })),
      ),
  }
}

function pageOf<Item>(
  group: SortedEntries<Item> | undefined,
  select: (group: SortedEntries<Item>) => Item[],
): Page<Item> {
  return group ? { items: select(group), totalItems: group.size } : { items: [], totalItems: 0 }
}
