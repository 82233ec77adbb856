import type { Page } from '../../domain/page.ts'
import {
  type SharePurchaseStatus,
  sharePurchaseStatuses,
} from '../../domain/share-purchases/share-purchase.ts'
import type {
  ClientReader,
  CooperativeReader,
  HoldingReader,
  IdempotencyRecordReader,
  ImageReader,
  InvestorReader,
  OrganizationReader,
  ReadableRecords,
  SharePurchaseReader,
} from '../../ports/store.ts'
import {
  type Collections,
  cooperativeByKey,
  holdingByCooperative,
  imageKey,
  investorByRef,
  investorsByOrganization,
  listedHoldingsByInvestor,
  organizationByName,
  settingsKey,
  sharePurchasesByInvestor,
  sharePurchasesByOrganization,
  sharePurchasesByOrganizationAndStatus,
  sharePurchasesByStatus,
} from './collections.ts'
import { joinKey } from './join-key.ts'
import { readDeliveries, readEvents, readWebhookEndpoints } from './readable-webhook-records.ts'
import type { SortedEntries } from './sorted-entries.ts'
import { take } from './take.ts'
import type { View } from './view.ts'

/** Each is made when asked for: most work needs two kinds of thirteen. Thirteen getters of an object would take longer. */
export class StoredRecords implements ReadableRecords {
  readonly #data: Collections
  readonly #view: View

  constructor(data: Collections, view: View) {
    this.#data = data
    this.#view = view
  }

  get settings() {
    return { get: async () => this.#view.get(this.#data.settings, settingsKey) }
  }

  get organizations() {
    return readOrganizations(this.#data, this.#view)
  }

  get clients() {
    return readClients(this.#data, this.#view)
  }

  get signingKeys() {
    return { list: async () => [...this.#view.all(this.#data.signingKeys)] }
  }

  get cooperatives() {
    return readCooperatives(this.#data, this.#view)
  }

  get images() {
    return readImages(this.#data, this.#view)
  }

  get investors() {
    return readInvestors(this.#data, this.#view)
  }

  get sharePurchases() {
    return readSharePurchases(this.#data, this.#view)
  }

  get holdings() {
    return readHoldings(this.#data, this.#view)
  }

  get idempotencyRecords() {
    return readIdempotencyRecords(this.#data, this.#view)
  }

  get webhookEndpoints() {
    return readWebhookEndpoints(this.#data, this.#view)
  }

  get events() {
    return readEvents(this.#data, this.#view)
  }

  get deliveries() {
    return readDeliveries(this.#data, this.#view)
  }
}

function readClients({ clients }: Collections, view: View): ClientReader {
  return {
    get: async (clientId) => view.get(clients, clientId),
    list: async () => [...view.all(clients)],
  }
}

function readOrganizations({ organizations }: Collections, view: View): OrganizationReader {
  return {
    get: async (organizationId) => view.get(organizations, organizationId),
    findByName: async (foldedName) => view.find(organizations, organizationByName, foldedName),
    list: async () => [...view.all(organizations)],
  }
}

function readCooperatives({ cooperatives }: Collections, view: View): CooperativeReader {
  return {
    get: async (id) => view.get(cooperatives, id),
    findByKey: async (key) => view.find(cooperatives, cooperativeByKey, key),
    list: async () => [...view.all(cooperatives)],
    version: async () => view.revision(cooperatives),
  }
}

function readImages({ images }: Collections, view: View): ImageReader {
  return { get: async (ownerId, kind) => view.get(images, imageKey(ownerId, kind)) }
}

function readInvestors({ investors }: Collections, view: View): InvestorReader {
  return {
    get: async (organizationId, id) => ownedBy(organizationId, view.get(investors, id)),
    findByPartnerCustomerRef: async (organizationId, ref) =>
      view.find(investors, investorByRef, joinKey(organizationId, ref)),
    listByOrganization: async (organizationId) => [
      ...(view.group(investors, investorsByOrganization, organizationId) ?? []),
    ],
  }
}

function readSharePurchases({ sharePurchases }: Collections, view: View): SharePurchaseReader {
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

function readHoldings({ holdings }: Collections, view: View): HoldingReader {
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

function readIdempotencyRecords(
  { idempotencyRecords }: Collections,
  view: View,
): IdempotencyRecordReader {
  return {
    get: async (organizationId, clientId, key) =>
      ownedBy(organizationId, await view.get(idempotencyRecords, joinKey(clientId, key))),
  }
}

// Ids are unguessable, but it is the owner that makes a record visible.
function ownedBy<Owned extends { readonly organizationId: string }>(
  organizationId: string,
  record: Owned | undefined,
): Owned | undefined {
  return record?.organizationId === organizationId ? record : undefined
}

function pageOf<Item>(
  group: SortedEntries<Item> | undefined,
  select: (group: SortedEntries<Item>) => Item[],
): Page<Item> {
  return group ? { items: select(group), totalItems: group.size } : { items: [], totalItems: 0 }
}
