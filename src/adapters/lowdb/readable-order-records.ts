import type { Page } from '../../domain/page.ts'
import {
  type SharePurchaseStatus,
  sharePurchaseStatuses,
} from '../../domain/share-purchases/share-purchase.ts'
import type {
  HoldingReader,
  IdempotencyRecordReader,
  SharePurchaseReader,
} from '../../ports/store.ts'
import {
  type Collections,
  holdingByCooperative,
  listedHoldingsByInvestor,
  sharePurchasesByInvestor,
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
    list: async ({ limit = Number.POSITIVE_INFINITY, ...filter }) =>
      take(selectSharePurchases({ sharePurchases }, view, filter), limit),
    countByStatus: async () => {
      const count = (status: SharePurchaseStatus) =>
        view.group(sharePurchases, sharePurchasesByStatus, status)?.size ?? 0
      return Object.fromEntries(
        sharePurchaseStatuses.map((status) => [status, count(status)]),
      ) as Record<SharePurchaseStatus, number>
    },
  }
}

function selectSharePurchases(
  { sharePurchases }: Pick<Collections, 'sharePurchases'>,
  view: View,
  { status, organizationId }: Omit<Parameters<SharePurchaseReader['list']>[0], 'limit'>,
) {
  if (status && organizationId) {
    const value = joinKey(organizationId, status)
    return view.group(sharePurchases, sharePurchasesByOrganizationAndStatus, value)
  }
  if (status) return view.group(sharePurchases, sharePurchasesByStatus, status)
  if (organizationId)
    return view.group(sharePurchases, sharePurchasesByOrganization, organizationId)
  return view.all(sharePurchases)
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
      ownedBy(organizationId, await view.get(idempotencyRecords, joinKey(clientId, key))),
  }
}

function pageOf<Item>(
  group: SortedEntries<Item> | undefined,
  select: (group: SortedEntries<Item>) => Item[],
): Page<Item> {
  return group ? { items: select(group), totalItems: group.size } : { items: [], totalItems: 0 }
}
