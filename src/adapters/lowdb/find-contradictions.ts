import { countsAs } from '../../domain/holdings/change-holding.ts'
import type { Holding } from '../../domain/holdings/holding.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import { batchesInTurns } from './batches-of.ts'
import type { Collection } from './collection.ts'
import type { Collections } from './collections.ts'
import { findWrongCounts } from './find-wrong-counts.ts'
import { joinKey } from './join-key.ts'

/** What records say of each other that is not so. */
export async function* findContradictions(data: Collections): AsyncGenerator<string> {
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

async function* findDangling<Field extends string, Stored extends Readonly<Record<Field, string>>>(
  collection: Collection<Stored>,
  field: Field,
  target: { readonly name: string; get(key: string): unknown },
): AsyncGenerator<string> {
  for await (const records of batchesInTurns(collection.values())) {
    for (const record of records) {
      if (target.get(record[field])) continue
      const name = `${collection.name} ${collection.schema.keyOf(record)}`
      yield `${name}: its ${field} ${record[field]} is not among the ${target.name}.`
    }
  }
}

/** Orders and holdings of another organisation than their investor's. */
async function* findStrangers(data: Collections): AsyncGenerator<string> {
  for (const collection of [data.sharePurchases, data.holdings]) {
    for await (const records of batchesInTurns<SharePurchase | Holding>(collection.values())) {
      for (const { investorId, organizationId } of records) {
        const owner = data.investors.get(investorId)?.organizationId
        if (owner === undefined || owner === organizationId) continue
        yield `${collection.name}: a record of investor ${investorId} is of another organisation.`
      }
    }
  }
}

interface Position {
  shares: number
  pendingShares: number
}

/** Holdings that are not the sum of their orders. */
async function* findWrongHoldings({
  sharePurchases,
  holdings,
}: Collections): AsyncGenerator<string> {
  const positions = await sumPositions(sharePurchases.values())
  for await (const batch of batchesInTurns(holdings.values())) {
    for (const holding of batch) {
      const due = positions.get(positionKey(holding)) ?? { shares: 0, pendingShares: 0 }
      positions.delete(positionKey(holding))
      if (isSame(due, holding)) continue
      yield `holdings ${holding.id}: ${text(holding)}, but its orders make ${text(due)}.`
    }
  }
  for (const [key, position] of positions)
    yield `holdings: ${text(position)} of ${key} are missing.`
}

async function sumPositions(purchases: Iterable<SharePurchase>): Promise<Map<string, Position>> {
  const positions = new Map<string, Position>()
  for await (const batch of batchesInTurns(purchases)) {
    for (const purchase of batch) addTo(positions, purchase)
  }
  return positions
}

function addTo(positions: Map<string, Position>, purchase: SharePurchase): void {
  const field = countsAs[purchase.status]
  if (!field) return
  const position = positions.get(positionKey(purchase)) ?? { shares: 0, pendingShares: 0 }
  position[field] += purchase.shareCount
  positions.set(positionKey(purchase), position)
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
