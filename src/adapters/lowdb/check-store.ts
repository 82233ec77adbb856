import { type Holding, openHolding, sharesFieldByStatus } from '../../domain/holdings/holding.ts'
import { deriveId } from '../../domain/ids.ts'
import { Problem } from '../../domain/problem.ts'
import { type SharePurchase, settledAtOf } from '../../domain/share-purchases/share-purchase.ts'
import { deliveryStates } from '../../domain/webhooks/delivery.ts'
import { countDeliveries } from '../../domain/webhooks/event.ts'
import type { StoreCheck, StoreMove } from '../../ports/store-admin.ts'
import type { Vault } from '../../ports/vault.ts'
import { EncryptedFields, encryptedCollections } from '../encrypted-fields.ts'
import { joinKey } from '../store/collection.ts'
import { deliveries } from '../store/deliveries.ts'
import { events } from '../store/events.ts'
import { settings } from '../store/identity.ts'
import { holdings } from '../store/investors.ts'
import { collections } from '../store/records.ts'
import { sharePurchases } from '../store/share-purchases.ts'
import { loadStore } from './load-store.ts'
import { describeMissingEnd, readRecordedEnd } from './recorded-end.ts'
import { findVault, type KeySource, type Manifest, requireManifest } from './store-directory.ts'
import { listFiles, type NumberedFile, selectStoreFiles } from './store-files.ts'
import { type Table, yieldingBatches, yieldingItems } from './table.ts'
import type { Tables } from './tables.ts'

/** Checks a store that no process has open, without writing. */
export async function checkStore(source: KeySource): Promise<StoreCheck> {
  const { directory } = source
  const manifest = await requireManifest(directory)
  const vault = await findVault(source, manifest)
  const moved = manifest.moved ?? null
  return checkFiles(directory, { vault, moved, manifest, list: () => listFiles(directory) })
}

interface StoreToCheck {
  readonly list: () => Promise<readonly NumberedFile[]>
  /** The records of the service that has the store open. */
  readonly running?: Tables
  /** If there is no vault, encrypted values are not opened. */
  readonly vault: Vault | undefined
  readonly moved: StoreMove | null
  readonly manifest: Pick<Manifest, 'rotation'> | undefined
}

export async function checkFiles(
  directory: string,
  { list, running, vault, moved, manifest }: StoreToCheck,
): Promise<StoreCheck> {
  const isRotating = manifest?.rotation !== undefined
  const encrypted = vault && new EncryptedFields(vault)
  try {
    // The recorded end is read before the files are listed: an end that is recorded later may be after the end of the
    // listed files.
    const recorded = await readRecordedEnd(directory)
    const { tables, end, tornBytes } = await loadStore(
      selectStoreFiles(await list()),
      undefined,
      running,
    )
    for (const name of encrypted ? encryptedCollections : []) {
      const batches = yieldingBatches(tables.of<object>(collections[name]).values())
      for await (const records of batches) encrypted?.open(name, records)
    }
    const problems = [describeMissingEnd(recorded, end) ?? []].flat()
    for await (const fault of findFaults(tables)) problems.push(describeFault(fault))
    return {
      records: tables.counts(),
      tornBytes,
      encryptedValues: encrypted?.opened ?? null,
      problems: [...problems, ...(encrypted?.problems ?? [])],
      moved,
      isRekeying:
        isRotating || tables.of(settings).get('settings')?.record.keyRenewal !== undefined,
      end: { journal: end.number, bytes: end.bytes },
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'STORE_NEWER') throw error
    const encryptedValues = encrypted?.opened ?? null
    const problems = [error.message]
    return { records: {}, tornBytes: 0, encryptedValues, problems, moved, isRekeying: isRotating }
  }
}

/** A record that contradicts others. A check reports it, and salvage corrects it. */
export interface Fault {
  readonly table: Table<object>
  readonly record: object
  readonly reason: string
  /** The record with values that agree with the other records; undefined if it cannot be corrected. */
  readonly fixed?: object
}

export function describeFault({ table, record, reason }: Fault): string {
  return `${table.nameOf(record)}: ${reason}`
}

export async function* findFaults(tables: Tables): AsyncGenerator<Fault> {
  yield* findDangling(tables)
  yield* findMiscounted(tables)
}

/** Finds records that refer to a missing record, or to a record of another organization. */
export async function* findDangling(tables: Tables): AsyncGenerator<Fault> {
  for (const table of tables.all()) {
    for await (const record of yieldingItems(table.values())) {
      const reason = danglingReason(tables, table, record)
      if (reason) yield { table, record, reason }
    }
  }
}

function danglingReason(
  tables: Tables,
  { collection: { references = {}, ownerOf } }: Table<object>,
  record: object,
): string | undefined {
  for (const [field, reference] of Object.entries(references)) {
    const to = typeof reference === 'string' ? reference : reference.of(record)
    const key = (record as Readonly<Record<string, string | null>>)[field]
    if (key === null || key === undefined) continue
    const table = tables.named(to)
    const found = table?.get(key)?.record
    if (!found) return `its ${field} ${key} is not among the ${to}.`
    const owner = table?.collection.ownerOf?.(found)
    if (ownerOf && owner !== undefined && owner !== ownerOf(record)) {
      return `its ${field} ${key} belongs to another organization.`
    }
  }
  return undefined
}

/** Finds records whose numbers differ from the sum of the records that they count. */
export async function* findMiscounted(tables: Tables): AsyncGenerator<Fault> {
  yield* findWrongHoldings(tables)
  yield* findWrongEvents(tables)
}

async function* findWrongHoldings(tables: Tables): AsyncGenerator<Fault> {
  const table = tables.named(holdings.name) as Table<object>
  const due = await sumOrders(tables.of(sharePurchases))
  for await (const record of yieldingItems(tables.of(holdings).values())) {
    const sum = due.get(placeOf(record))
    due.delete(placeOf(record))
    const { shares = 0, pendingShares = 0 } = sum ?? {}
    if (record.shares === shares && record.pendingShares === pendingShares) continue
    const reason = `${sharesOf(record)}, but its orders add up to ${sharesOf({ shares, pendingShares })}.`
    const firstAcquiredAt = record.firstAcquiredAt ?? sum?.firstAcquiredAt ?? null
    yield { table, record, reason, fixed: { ...record, shares, pendingShares, firstAcquiredAt } }
  }
  for (const [place, fixed] of due) {
    yield { table, record: fixed, reason: `${sharesOf(fixed)} of ${place} are missing.`, fixed }
  }
}

/** Computes the holdings from the orders. */
async function sumOrders(orders: Table<SharePurchase>): Promise<Map<string, Holding>> {
  const sums = new Map<string, Holding>()
  for await (const order of yieldingItems(orders.values())) {
    const field = sharesFieldByStatus[order.status]
    if (!field) continue
    const sum = sums.get(placeOf(order)) ?? newHolding(order)
    const settledAt = [sum.firstAcquiredAt, settledAtOf(order)].filter((at) => at !== null)
    const firstAcquiredAt = settledAt.sort()[0] ?? null
    sums.set(placeOf(order), { ...sum, [field]: sum[field] + order.shareCount, firstAcquiredAt })
  }
  return sums
}

function newHolding(order: SharePurchase): Holding {
  const { organizationId, investorId, cooperativeId, createdAt } = order
  const id = deriveId('holding', organizationId, investorId, cooperativeId)
  return openHolding({ id, organizationId, investorId, cooperativeId }, createdAt)
}

function placeOf({ investorId, cooperativeId }: SharePurchase | Holding): string {
  return joinKey([investorId, cooperativeId])
}

function sharesOf({ shares, pendingShares }: Pick<Holding, 'shares' | 'pendingShares'>): string {
  return `${shares} shares and ${pendingShares} pending`
}

/** Finds events that lack a delivery, or whose counts differ from their deliveries. */
async function* findWrongEvents(tables: Tables): AsyncGenerator<Fault> {
  const table = tables.named(events.name) as Table<object>
  for await (const record of yieldingItems(tables.of(events).values())) {
    const found = record.deliveryIds.flatMap((id) => tables.of(deliveries).get(id)?.record ?? [])
    const deliveryIds = found.map(({ deliveryId }) => deliveryId)
    const counts = countDeliveries(found)
    const fixed = { ...record, deliveryIds, deliveries: counts }
    const missing = record.deliveryIds.length - fixed.deliveryIds.length
    if (missing > 0) {
      yield { table, record, reason: `${missing} of its deliveries are missing.`, fixed }
    } else if (deliveryStates.some((state) => record.deliveries[state] !== counts[state])) {
      yield { table, record, reason: 'its counts differ from the states of its deliveries.', fixed }
    }
  }
}
