import type { Holding } from '../../domain/holdings/holding.ts'
import type {
  SharePurchase,
  SharePurchaseStatus,
} from '../../domain/share-purchases/share-purchase.ts'
import type { Collection } from './collection.ts'
import type { Collections } from './collections.ts'
import { findWrongCounts } from './find-wrong-counts.ts'
import { joinKey } from './join-key.ts'

/** What records say of each other that is not so. */
export function* findContradictions(data: Collections): Generator<string> {
  yield* findDangling(data.clients, 'organizationId', data.organizations)
  yield* findDangling(data.investors, 'organizationId', data.organizations)
  yield* findDangling(data.sharePurchases, 'investorId', data.investors)
  yield* findDangling(data.sharePurchases, 'cooperativeId', data.cooperatives)
  yield* findDangling(data.holdings, 'investorId', data.investors)
  yield* findDangling(data.holdings, 'cooperativeId', data.cooperatives)
  yield* findDangling(data.idempotencyRecords, 'clientId', data.clients)
  yield* findDangling(data.idempotencyRecords, 'sharePurchaseId', data.sharePurchases)
  yield* findDangling(data.webhookEndpoints, 'organizationId', data.organizations)
  yield* findDangling(data.events, 'sharePurchaseId', data.sharePurchases)
  yield* findDangling(data.deliveries, 'eventId', data.events)
  yield* findWrongCounts(data)
  yield* findStrangers(data)
  yield* findWrongHoldings(data)
}

function* findDangling<Field extends string, Stored extends Readonly<Record<Field, string>>>(
  collection: Collection<Stored>,
  field: Field,
  target: { readonly name: string; get(key: string): unknown },
): Generator<string> {
  for (const record of collection.values()) {
    if (target.get(record[field])) continue
    const name = `${collection.name} ${collection.schema.keyOf(record)}`
    yield `${name}: its ${field} ${record[field]} is not among the ${target.name}.`
  }
}

/** Orders and holdings of another organisation than their investor's. */
function* findStrangers({ sharePurchases, holdings, investors }: Collections): Generator<string> {
  for (const collection of [sharePurchases, holdings]) {
    for (const record of collection.values()) {
      const owner = investors.get(record.investorId)?.organizationId
      if (owner === undefined || owner === record.organizationId) continue
      yield `${collection.name}: a record of investor ${record.investorId} is of another organisation.`
    }
  }
}

interface Position {
  shares: number
  pendingShares: number
}

const countsAs: Readonly<Record<SharePurchaseStatus, keyof Position | undefined>> = {
  draft: 'pendingShares',
  submitted: 'pendingShares',
  approved: 'pendingShares',
  settled: 'shares',
  rejected: undefined,
  cancelled: undefined,
}

/** Holdings that are not the sum of their orders. */
function* findWrongHoldings({ sharePurchases, holdings }: Collections): Generator<string> {
  const positions = sumPositions(sharePurchases.values())
  for (const holding of holdings.values()) {
    const due = positions.get(positionKey(holding)) ?? { shares: 0, pendingShares: 0 }
    positions.delete(positionKey(holding))
    if (isSame(due, holding)) continue
    yield `holdings ${holding.id}: ${text(holding)}, but its orders make ${text(due)}.`
  }
  for (const [key, position] of positions)
    yield `holdings: ${text(position)} of ${key} are missing.`
}

function sumPositions(purchases: Iterable<SharePurchase>): Map<string, Position> {
  const positions = new Map<string, Position>()
  for (const purchase of purchases) {
    const field = countsAs[purchase.status]
    if (!field) continue
    const position = positions.get(positionKey(purchase)) ?? { shares: 0, pendingShares: 0 }
    position[field] += purchase.shareCount
    positions.set(positionKey(purchase), position)
  }
  return positions
}

function positionKey(record: SharePurchase | Holding): string {
  return joinKey(record.investorId, record.cooperativeId)
}

function isSame(left: Position, right: Position): boolean {
  return left.shares === right.shares && left.pendingShares === right.pendingShares
}

function text({ shares, pendingShares }: Position): string {
  return `${shares} shares and ${pendingShares} pending`
}
