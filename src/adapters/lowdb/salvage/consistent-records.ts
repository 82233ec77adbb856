import { hasLostDependencies } from '../../../domain/share-purchases/dependencies.ts'
import type { SharePurchase } from '../../../domain/share-purchases/share-purchase.ts'
import type { Vault } from '../../../ports/vault.ts'
import { SealedValues, sealedCollections } from '../../sealed-values.ts'
import { joinKey } from '../../store/collection.ts'
import { collections } from '../../store/records.ts'
import { sharePurchases } from '../../store/share-purchases.ts'
import {
  describeFault,
  type Fault,
  findDangling,
  findFaults,
  findMiscounted,
} from '../check-store.ts'
import type { Table } from '../table.ts'
import type { Tables } from '../tables.ts'
import type { VerifiedLines } from './verified-lines.ts'

export interface RecordNote {
  /** The collection and the key, such as `sharePurchases` and an id. */
  readonly record: string
  readonly reason: string
}

/**
 * Keeps the verified records that are consistent with each other, and corrects numbers that are computed from others.
 * @param vault if given, records with a value that it cannot open are left out
 */
export async function keepConsistentRecords(lines: VerifiedLines, vault: Vault | undefined) {
  const { tables } = lines
  const leftOut = [
    ...(vault ? resolveFaults(findUnsealable(tables, vault)) : []),
    ...resolveFaults(findDuplicates(lines)),
  ]
  // A record that refers to one that was left out is left out, too.
  for (let found = -1; found !== 0; ) {
    const dangling = resolveFaults(await listAll(findDangling(tables)))
    found = dangling.length
    leftOut.push(...dangling)
  }
  const corrected = resolveFaults(await listAll(findMiscounted(tables)))
  for await (const fault of findFaults(tables)) {
    throw new Error(`The salvaged records contradict each other: ${describeFault(fault)}`)
  }
  return { leftOut, corrected, unsettleable: listUnsettleable(tables.of(sharePurchases)) }
}

function resolveFaults(faults: readonly Fault[]): RecordNote[] {
  return faults.map(({ table, record, reason, fixed }) => {
    if (fixed) table.load(fixed)
    else table.unload(table.keyOf(record))
    return { record: table.nameOf(record), reason }
  })
}

async function listAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

function findUnsealable(tables: Tables, vault: Vault): Fault[] {
  const sealed = new SealedValues(vault)
  const reason = 'an encrypted value in it cannot be decrypted.'
  return sealedCollections.flatMap((name) => {
    const table = tables.of<object>(collections[name])
    return [...table.values()].flatMap((record) =>
      sealed.openOne(name, record).length === 0 ? [] : [{ table, record, reason }],
    )
  })
}

/** Of two records with the same unique value, the one that changed last wins. */
function findDuplicates(lines: VerifiedLines): Fault[] {
  const faults = new Map<object, Fault>()
  for (const table of lines.tables.all()) {
    const at = (record: object) => lines.changedAt(table.nameOf(record))
    const byAge = [...table.values()].sort((left, right) => at(left) - at(right))
    for (const index of table.collection.unique ?? []) {
      const reason = `a later record has the same ${index.name}.`
      const holders = new Map<string, object>()
      for (const record of byAge) {
        if (faults.has(record)) continue
        const value = joinKey(index.valuesOf(record))
        const other = holders.get(value)
        if (other) faults.set(other, { table, record: other, reason })
        holders.set(value, record)
      }
    }
  }
  return [...faults.values()]
}

/** These orders stay as they are: a person decides whether to reject them. */
function listUnsettleable(orders: Table<SharePurchase>): RecordNote[] {
  const carriersOf = ({ restsOn = [] }: SharePurchase) =>
    restsOn.flatMap((id) => orders.get(id)?.record ?? [])
  return [...orders.values()]
    .filter((order) => hasLostDependencies(order, carriersOf(order)))
    .map((order) => ({
      record: orders.nameOf(order),
      reason:
        'it cannot be settled, because the orders that its entry fee or minimum number of shares depends on are lost. Reject it.',
    }))
}
