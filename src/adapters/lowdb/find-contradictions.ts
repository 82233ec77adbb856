import { countsAs } from '../../domain/holdings/change-holding.ts'
import type { Holding } from '../../domain/holdings/holding.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import type { CollectionName } from '../../ports/store-copy.ts'
import { batchesInTurns } from './batches-of.ts'
import type { Collection } from './collection.ts'
import type { Collections } from './collections.ts'
import { findWrongCounts } from './find-wrong-counts.ts'
import { joinKey } from './join-key.ts'

interface Reference {
  readonly from: CollectionName
  readonly field: string
  readonly to: CollectionName
}

/** Which records have to be there for others. A reference may be null. */
export const references: readonly Reference[] = [
  { from: 'clients', field: 'organizationId', to: 'organizations' },
  { from: 'investors', field: 'organizationId', to: 'organizations' },
  { from: 'sharePurchases', field: 'investorId', to: 'investors' },
  { from: 'sharePurchases', field: 'cooperativeId', to: 'cooperatives' },
  { from: 'holdings', field: 'investorId', to: 'investors' },
  { from: 'holdings', field: 'cooperativeId', to: 'cooperatives' },
  { from: 'idempotencyRecords', field: 'clientId', to: 'clients' },
  { from: 'idempotencyRecords', field: 'sharePurchaseId', to: 'sharePurchases' },
  { from: 'webhookEndpoints', field: 'organizationId', to: 'organizations' },
  { from: 'events', field: 'sharePurchaseId', to: 'sharePurchases' },
  { from: 'deliveries', field: 'eventId', to: 'events' },
]

/** The sentence that says what is missing; undefined when nothing is. */
export function danglingFault(
  data: Collections,
  { field, to }: Reference,
  record: object,
): string | undefined {
  const key = (record as Readonly<Record<string, string | null>>)[field]
  if (key === null || key === undefined || data[to].get(key)) return undefined
  return `its ${field} ${key} is not among the ${to}.`
}

/** What records say of each other that is not so. */
export async function* findContradictions(data: Collections): AsyncGenerator<string> {
  for (const reference of references) yield* findDangling(data, reference)
  yield* findWrongCounts(data)
  yield* findStrangers(data)
  yield* findWrongHoldings(data)
}

async function* findDangling(data: Collections, reference: Reference): AsyncGenerator<string> {
  const collection = data[reference.from] as unknown as Collection<object>
  for await (const records of batchesInTurns(collection.values())) {
    for (const record of records) {
      const fault = danglingFault(data, reference, record)
      if (!fault) continue
      yield `${collection.name} ${collection.schema.keyOf(record)}: ${fault}`
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

export interface Position {
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

export async function sumPositions(
  purchases: Iterable<SharePurchase>,
): Promise<Map<string, Position>> {
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

export function positionKey(record: SharePurchase | Holding): string {
  return joinKey(record.investorId, record.cooperativeId)
}

function isSame(left: Position, right: Position): boolean {
  return left.shares === right.shares && left.pendingShares === right.pendingShares
}

function text({ shares, pendingShares }: Position): string {
  return `${shares} shares and ${pendingShares} pending`
}
