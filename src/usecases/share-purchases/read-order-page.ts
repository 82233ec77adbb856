import { toMinorUnits } from '../../domain/money.ts'
import {
  type Counted,
  mostCounted,
  type OrderCounts,
  type OrderPlace,
  type OrderSort,
  totalOf,
} from '../../domain/share-purchases/order-list.ts'
import {
  type SharePurchase,
  type SharePurchaseStatus,
  settledAtOf,
  sharePurchaseStatuses,
} from '../../domain/share-purchases/share-purchase.ts'
import type { SharePurchaseFilter } from '../../ports/collections.ts'
import type { Service } from '../service.ts'
import {
  describeSharePurchases,
  type ListedSharePurchase,
  type OwnedOrder,
  rangeOf,
  readFilter,
  requireAnySharePurchase,
  type SharePurchaseSelection,
  selectOrders,
  withOwners,
} from './read-share-purchases.ts'

/** The maximum number of orders that are read, to sort them or to filter them by something that has no index. */
const mostRead = 1000

export interface AskedOrderPage {
  readonly selection: Omit<SharePurchaseSelection, 'after' | 'limit' | 'isNewestFirst'>
  readonly sort: OrderSort
  readonly place: OrderPlace
  readonly size: number
}

export interface OrderPage {
  readonly orders: readonly ListedSharePurchase[]
  /** The orders of each status that all other filters select. */
  readonly counts: OrderCounts
  /** The orders of the list. */
  readonly total: Counted
  /** The number of orders before the page; undefined if there are too many to be counted. */
  readonly skipped: number | undefined
  readonly hasPrevious: boolean
  readonly hasNext: boolean
  /** The list is sorted by time if it is too long to be sorted by another key. */
  readonly sort: OrderSort
  readonly isSortable: boolean
}

type Reading = Pick<Service, 'store' | 'vault'>

/** A page of the orders of all organizations, for operators. */
export async function readOrderPage(
  service: Reading,
  { selection, sort: askedSort, place, size }: AskedOrderPage,
): Promise<OrderPage> {
  const { store } = service
  const { status } = selection
  const named = place.after ?? place.before
  // This order may have left the list.
  if (named !== undefined) await store.read((records) => requireAnySharePurchase(records, named))
  const { counts, range, read } = await countOrders(service, selection)
  const total = totalOf(counts, status)
  const isSortable = total.count <= mostRead && !total.isMore
  const sort = isSortable ? askedSort : byTime(askedSort)
  const cut = { place, size, total, sort }
  const readWhole = async () => {
    const all = read ?? (await collect(selectOrders(service, { ...selection, ...newestFirst })))
    return all.filter((order) => status === undefined || order.status === status)
  }
  const readAsked = async (): Promise<Part> => {
    // The list of settled orders has no others.
    if (range.among === 'settled' && status !== undefined && status !== 'settled') return nothing
    if (isSortable && (read || sort.key !== 'created_at')) {
      return cutPart(service, await readWhole(), {
        ...cut,
        isBySettlement: range.among === 'settled',
      })
    }
    if (!read) return readPart(service, { ...range, status }, cut)
    return readNext(service, selection, cut)
  }
  const { found, ...part } = await readAsked()
  const orders = await store.read((records) => describeSharePurchases(records, service, found))
  return { ...part, orders, counts, total, sort, isSortable }
}

/** How many orders of each status the other filters select. */
export async function countOrders(
  service: Reading,
  { status: _, investor, paymentState, ...selection }: AskedOrderPage['selection'],
) {
  const filter = await service.store.read((records) => readFilter(records, selection))
  const range = rangeOf(filter)
  const { organizationId, cooperativeId, since, until } = filter
  const isWhole = [organizationId, cooperativeId, since, until].every((each) => each === undefined)
  const isIndexed = range.among === undefined || (range.among === 'settled' && isWhole)
  if (isIndexed && investor === undefined && paymentState === undefined) {
    const isAll = isWhole && range.among === undefined
    const counts = isAll ? await countAll(service) : await countByIndex(service, range)
    return { counts, range, read: undefined }
  }
  const asked = { ...selection, investor, paymentState, ...newestFirst, limit: mostRead + 1 }
  const read = await collect(selectOrders(service, asked))
  return { counts: countRead(read), range, read }
}

const newestFirst = { isNewestFirst: true } as const

function byTime({ key, isDescending }: OrderSort): OrderSort {
  return { key: 'created_at', isDescending: key !== 'created_at' || isDescending }
}

/** A part of a list, with its place. */
interface Part extends Pick<OrderPage, 'skipped' | 'hasPrevious' | 'hasNext'> {
  readonly found: readonly SharePurchase[]
}

const nothing: Part = { found: [], skipped: 0, hasPrevious: false, hasNext: false }

/** The store keeps these sums, so they are exact at no cost. */
async function countAll({ store }: Reading): Promise<OrderCounts> {
  const sums = await store.read(({ sharePurchases }) => sharePurchases.sumByStatus())
  return countsOf((status) => ({ count: sums[status].count, isMore: false }))
}

async function countByIndex({ store }: Reading, range: SharePurchaseFilter): Promise<OrderCounts> {
  const counts = await store.read(({ sharePurchases }) =>
    sharePurchases.countByStatus(mostCounted + 1, range),
  )
  return countsOf((status) => {
    const count = counts[status]
    return { count: Math.min(count, mostCounted), isMore: count > mostCounted }
  })
}

function countRead(read: readonly SharePurchase[]): OrderCounts {
  const isMore = read.length > mostRead
  return countsOf((status) => ({
    count: read.filter((order) => order.status === status).length,
    isMore,
  }))
}

function countsOf(count: (status: SharePurchaseStatus) => Counted): OrderCounts {
  const counts = sharePurchaseStatuses.map((status) => [status, count(status)] as const)
  return Object.fromEntries(counts) as OrderCounts
}

async function collect<Item>(batches: AsyncIterable<readonly Item[]>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const batch of batches) all.push(...batch)
  return all
}

interface Cut extends Pick<OrderPage, 'total' | 'sort'> {
  readonly place: OrderPlace
  readonly size: number
}

/** Reads on in a list that is too long to be counted. */
async function readNext(
  service: Reading,
  selection: AskedOrderPage['selection'],
  { place: { after }, size, sort }: Cut,
): Promise<Part> {
  const asked = { ...selection, after, isNewestFirst: sort.isDescending, limit: size + 1 }
  const found = await collect(selectOrders(service, asked))
  return {
    found: found.slice(0, size),
    skipped: after === undefined ? 0 : undefined,
    hasPrevious: after !== undefined,
    hasNext: found.length > size,
  }
}

/** Reads a part by an index. */
function readPart(
  { store }: Reading,
  range: SharePurchaseFilter,
  { place: { after, before, isLast }, size, total, sort }: Cut,
): Promise<Part> {
  const filter = { ...range, isNewestFirst: sort.isDescending }
  return store.read(async ({ sharePurchases }) => {
    const list = (from: string | undefined, limit = size) =>
      sharePurchases.list({ ...filter, after: from, limit })
    const listBackwards = async (from: string | undefined, limit: number) => {
      const isNewestFirst = !filter.isNewestFirst
      const found = await sharePurchases.list({ ...filter, isNewestFirst, after: from, limit })
      return found.toReversed()
    }
    const listLast = () => listBackwards(undefined, (!total.isMore && total.count % size) || size)
    const listAsked = async () => {
      if (isLast) return listLast()
      if (before === undefined) return list(after)
      const found = await listBackwards(before, size)
      return found.length < size ? list(undefined) : found
    }
    const asked = await listAsked()
    // All orders that followed may have left the list.
    const found = asked.length > 0 ? asked : await listLast()
    const [first, last] = [found.at(0), found.at(-1)]
    if (!first || !last) return nothing
    const isFirst = !isLast && (after ?? before) === undefined
    const countSkipped = async () => {
      if (isFirst && asked.length > 0) return 0
      const isEnd = isLast || asked.length === 0
      if (isEnd && !total.isMore) return Math.max(0, total.count - found.length)
      const limit = mostCounted + 1
      const count = await sharePurchases.countBefore(first.sharePurchaseId, { ...filter, limit })
      return count > mostCounted ? undefined : count
    }
    const [skipped, next] = await Promise.all([countSkipped(), list(last.sharePurchaseId, 1)])
    return { found, skipped, hasPrevious: skipped !== 0, hasNext: next.length > 0 }
  })
}

interface Sorting {
  readonly sort: OrderSort
  readonly isBySettlement: boolean
}

/** Cuts a part out of a list that was read. */
async function cutPart(
  service: Reading,
  list: readonly SharePurchase[],
  { place: { after, before, isLast }, size, ...sorting }: Cut & Sorting,
): Promise<Part> {
  const named = after ?? before
  const isListed = named === undefined || list.some((order) => order.sharePurchaseId === named)
  // An order that has left the list still has its place in it.
  const gone = isListed
    ? []
    : [await service.store.read((records) => requireAnySharePurchase(records, named))]
  const sorted = await sortOrders(service, [...list, ...gone], sorting)
  const at = sorted.findIndex((order) => order.sharePurchaseId === named)
  const left = sorted.filter((order) => !gone.includes(order))
  const startOfLast = Math.floor(Math.max(0, left.length - 1) / size) * size
  const asked = isLast ? startOfLast : after ? at + (isListed ? 1 : 0) : before ? at - size : 0
  const start = Math.max(0, Math.min(asked, asked >= left.length ? startOfLast : asked))
  const found = left.slice(start, start + size)
  const hasNext = start + size < left.length
  return { found, skipped: start, hasPrevious: start > 0, hasNext }
}

/** Only a list that is sorted by it needs the name of the investor. */
type Sortable = OwnedOrder & Partial<Pick<ListedSharePurchase, 'investorName'>>

type Compare = (left: Sortable, right: Sortable) => number

const { compare: compareTexts } = new Intl.Collator('de')

const byName =
  (nameOf: (order: Sortable) => string | null | undefined): Compare =>
  (left, right) =>
    compareTexts(nameOf(left) ?? '', nameOf(right) ?? '')

const byValue =
  (ofOrder: (order: SharePurchase) => string | number | bigint): Compare =>
  ({ sharePurchase: left }, { sharePurchase: right }) =>
    ofOrder(left) < ofOrder(right) ? -1 : Number(ofOrder(left) > ofOrder(right))

const byKey = {
  investor: byName(({ investorName }) => investorName),
  organization: byName(({ organization }) => organization?.name),
  cooperative: byName(({ cooperative }) => cooperative?.name),
  status: byValue(({ status }) => sharePurchaseStatuses.indexOf(status)),
  share_count: byValue(({ shareCount }) => shareCount),
  total: byValue(({ total }) => toMinorUnits(total)),
} as const satisfies Partial<Record<OrderSort['key'], Compare>>

/** Orders with the same value keep their order: newest first. */
async function sortOrders(
  { store, vault }: Reading,
  orders: readonly SharePurchase[],
  { sort: { key, isDescending }, isBySettlement }: Sorting,
): Promise<readonly SharePurchase[]> {
  const timeOf = (order: SharePurchase) => (isBySettlement && settledAtOf(order)) || order.createdAt
  const compare = key === 'created_at' ? byValue(timeOf) : byKey[key]
  const sortable: readonly Sortable[] = await store.read((records) =>
    key === 'investor'
      ? describeSharePurchases(records, { vault }, orders)
      : withOwners(records, orders),
  )
  const sign = isDescending ? -1 : 1
  return sortable
    .toSorted((left, right) => sign * compare(left, right))
    .map(({ sharePurchase }) => sharePurchase)
}
