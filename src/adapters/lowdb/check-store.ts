import { countsAs } from '../../domain/holdings/change-holding.ts'
import type { Holding } from '../../domain/holdings/holding.ts'
import { Problem } from '../../domain/problem.ts'
import type { SharePurchase } from '../../domain/share-purchases/share-purchase.ts'
import { countDeliveries } from '../../domain/webhooks/count-deliveries.ts'
import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { Event } from '../../domain/webhooks/event.ts'
import type { StoreMove } from '../../ports/store-copy.ts'
import type { StoreCheck } from '../../ports/store-upkeep.ts'
import type { Vault } from '../../ports/vault.ts'
import { SealedValues, sealedCollections } from '../sealed-values.ts'
import { joinKey } from '../store/collection.ts'
import { holdings, investors } from '../store/investors.ts'
import { sharePurchases } from '../store/share-purchases.ts'
import { deliveries, events } from '../store/webhooks.ts'
import { createVault } from '../vault.ts'
import type { FileRange } from './lines.ts'
import { loadStore } from './load.ts'
import { describeMissingEnd, readRecordedEnd } from './recorded-end.ts'
import { findStoreKey, type KeySource, requireManifest } from './store-directory.ts'
import { listFiles, selectStoreFiles } from './store-files.ts'
import { batchesInTurns, type Table } from './table.ts'
import type { Tables } from './tables.ts'

/** Reads all of a store that nobody has open, and writes nothing. */
export async function checkStore(source: KeySource): Promise<StoreCheck> {
  const { directory } = source
  const manifest = await requireManifest(directory)
  const key = await findStoreKey(source, manifest)
  const known = { vault: key && createVault(key), moved: manifest.moved ?? null }
  return checkFiles(directory, { ...known, list: () => listFiles(directory) })
}

interface StoreToCheck {
  readonly list: () => Promise<readonly FileRange[]>
  /** What is sealed is looked at where there is one. */
  readonly vault: Vault | undefined
  readonly moved: StoreMove | null
}

export async function checkFiles(
  directory: string,
  { list, vault, moved }: StoreToCheck,
): Promise<StoreCheck> {
  const sealed = vault && new SealedValues(vault)
  try {
    // Before the files are listed: what is recorded later may be more than what they have now.
    const recorded = await readRecordedEnd(directory)
    const { tables, end } = await loadStore(selectStoreFiles(await list()))
    if (sealed) await openAll(tables, sealed)
    const contradictions = await listAll(findContradictions(tables))
    const missing = [describeMissingEnd(recorded, end) ?? []].flat()
    return {
      records: tables.counts(),
      tornBytes: end.tornBytes,
      sealedValues: sealed?.opened ?? null,
      problems: [...missing, ...contradictions, ...(sealed?.problems ?? [])],
      moved,
      end: { journal: end.number, bytes: end.bytes },
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'STORE_NEWER') throw error
    const sealedValues = sealed?.opened ?? null
    return { records: {}, tornBytes: 0, sealedValues, problems: [error.message], moved }
  }
}

async function openAll(tables: Tables, sealed: SealedValues): Promise<void> {
  for (const name of sealedCollections) {
    for await (const records of batchesInTurns(tables.named(name)?.values() ?? [])) {
      sealed.open(name, records)
    }
  }
}

async function listAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** What records say of each other that is not so. */
export async function* findContradictions(tables: Tables): AsyncGenerator<string> {
  for (const table of tables.all()) yield* findDangling(tables, table)
  yield* findWrongCounts(tables)
  yield* findStrangers(tables)
  yield* findWrongHoldings(tables)
}

async function* findDangling(tables: Tables, table: Table<object>): AsyncGenerator<string> {
  for await (const records of batchesInTurns(table.values())) {
    for (const record of records) {
      for (const fault of danglingFaults(tables, table, record)) {
        yield `${table.collection.name} ${nameOf(table, record)}: ${fault}`
      }
    }
  }
}

/** A sentence for each record that is missing. */
export function danglingFaults(
  tables: Tables,
  { collection }: Table<object>,
  record: object,
): string[] {
  return Object.entries(collection.references ?? {}).flatMap(([field, to]) => {
    const key = (record as Readonly<Record<string, string | null>>)[field]
    if (key === null || key === undefined || tables.named(to)?.get(key)) return []
    return `its ${field} ${key} is not among the ${to}.`
  })
}

/** What people call a record by: its id. */
export function nameOf<Stored extends object>(table: Table<Stored>, record: Stored): string {
  const byId = table.collection.unique?.find(({ name }) => name === 'id')
  return byId ? byId.valuesOf(record).join('/') : table.keyOf(record)
}

/** Orders and holdings of another organisation than their investor's. */
async function* findStrangers(tables: Tables): AsyncGenerator<string> {
  for (const table of [tables.of(sharePurchases), tables.of(holdings)]) {
    for await (const records of batchesInTurns<SharePurchase | Holding>(table.values())) {
      for (const { investorId, organizationId } of records) {
        const owner = tables.of(investors).get(investorId)?.record.organizationId
        if (owner === undefined || owner === organizationId) continue
        yield `${table.collection.name}: a record of investor ${investorId} is of another organisation.`
      }
    }
  }
}

export interface Position {
  shares: number
  pendingShares: number
}

/** Holdings that are not the sum of their orders. */
async function* findWrongHoldings(tables: Tables): AsyncGenerator<string> {
  const positions = await sumPositions(tables.of(sharePurchases).values())
  for await (const batch of batchesInTurns(tables.of(holdings).values())) {
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
  return joinKey([record.investorId, record.cooperativeId])
}

function isSame(left: Position, right: Position): boolean {
  return left.shares === right.shares && left.pendingShares === right.pendingShares
}

function text({ shares, pendingShares }: Position): string {
  return `${shares} shares and ${pendingShares} pending`
}

/** Events that lack a delivery, or count them otherwise than they stand. */
async function* findWrongCounts(tables: Tables): AsyncGenerator<string> {
  for await (const batch of batchesInTurns(tables.of(events).values())) {
    for (const event of batch) {
      const wrong = countFault(tables, event)
      if (wrong) yield `events ${event.eventId}: ${wrong}`
    }
  }
}

function countFault(tables: Tables, event: Event): string | undefined {
  const found = deliveriesOf(tables, event)
  const missing = event.deliveryIds.length - found.length
  if (missing > 0) return `${missing} of its deliveries are missing.`
  return isCounted(event, found) ? undefined : 'its counts are not those of its deliveries.'
}

/** Those that there are. */
export function deliveriesOf(tables: Tables, { deliveryIds }: Event): Delivery[] {
  return deliveryIds.flatMap((id) => tables.of(deliveries).get(id)?.record ?? [])
}

export function isCounted(event: Event, found: readonly Delivery[]): boolean {
  const due = countDeliveries(found)
  const states = ['pending', 'delivered', 'dead'] as const
  return states.every((state) => due[state] === event.deliveries[state])
}
