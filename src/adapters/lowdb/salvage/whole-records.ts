import { derivedId } from '../../../domain/derived-id.ts'
import { openHolding } from '../../../domain/holdings/change-holding.ts'
import type { Holding } from '../../../domain/holdings/holding.ts'
import { hasLostCarriers } from '../../../domain/share-purchases/carriers.ts'
import type { SharePurchase } from '../../../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../../../domain/timestamp.ts'
import { countDeliveries } from '../../../domain/webhooks/count-deliveries.ts'
import type { Vault } from '../../../ports/vault.ts'
import { SealedValues, sealedCollections } from '../../sealed-values.ts'
import type { Collection } from '../../store/collection.ts'
import { holdings, investors } from '../../store/investors.ts'
import { sharePurchases } from '../../store/share-purchases.ts'
import { events } from '../../store/webhooks.ts'
import {
  danglingFaults,
  deliveriesOf,
  findContradictions,
  isCounted,
  nameOf,
  type Position,
  positionKey,
  sumPositions,
} from '../check-store.ts'
import { StringPool, type Table } from '../table.ts'
import type { Tables } from '../tables.ts'

export interface RecordNote {
  /** `sharePurchases` and its key. */
  readonly record: string
  readonly reason: string
}

export interface WholeRecordsOptions {
  readonly tables: Tables
  /** Later changes have greater numbers. */
  readonly changedAt: (record: string) => number
  /** What is sealed is looked at where there is one. */
  readonly vault: Vault | undefined
  readonly now: Timestamp
}

/** Leaves of proven records what fits together, and works out anew what follows from the rest. */
export async function keepWholeRecords(options: WholeRecordsOptions) {
  const keeping = new WholeRecords(options)
  keeping.leaveOutUnsealable()
  keeping.leaveOutDuplicates()
  keeping.leaveOutDangling()
  await keeping.correctHoldings()
  keeping.correctEvents()
  for await (const problem of findContradictions(options.tables)) {
    throw new Error(`What was salvaged does not fit together: ${problem}`)
  }
  const { leftOut, corrected } = keeping
  return { leftOut, corrected, uncarried: keeping.listUncarried() }
}

class WholeRecords {
  readonly leftOut: RecordNote[] = []
  readonly corrected: RecordNote[] = []
  readonly #options: WholeRecordsOptions
  readonly #tables: Tables
  readonly #pool = new StringPool()

  constructor(options: WholeRecordsOptions) {
    this.#options = options
    this.#tables = options.tables
  }

  leaveOutUnsealable(): void {
    const { vault } = this.#options
    if (!vault) return
    for (const name of sealedCollections) {
      const sealed = new SealedValues(vault)
      const table = this.#tables.named(name)
      for (const record of table ? [...table.values()] : []) {
        const before = sealed.opened
        sealed.open(name, [record])
        if (table && sealed.opened === before) {
          this.#leaveOut(table, record, 'what is sealed does not open.')
        }
      }
    }
  }

  /** Of two records with one name, the one that was changed last. */
  leaveOutDuplicates(): void {
    for (const table of this.#tables.all()) {
      for (const index of table.collection.unique ?? []) {
        const kept = new Map<string, object>()
        for (const record of this.#byAge(table)) {
          const value = index.valuesOf(record).join('/')
          const other = kept.get(value)
          if (other) this.#leaveOut(table, other, `a later record has the same ${index.name}.`)
          kept.set(value, record)
        }
      }
    }
  }

  /** Again and again: what refers to something that was left out is left out, too. */
  leaveOutDangling(): void {
    for (let before = -1; before !== this.leftOut.length; ) {
      before = this.leftOut.length
      for (const table of this.#tables.all()) {
        for (const record of [...table.values()]) {
          const [fault] = danglingFaults(this.#tables, table, record)
          if (fault) this.#leaveOut(table, record, fault)
        }
      }
      this.#leaveOutStrangers(sharePurchases)
      this.#leaveOutStrangers(holdings)
    }
  }

  #leaveOutStrangers<Stored extends SharePurchase | Holding>(collection: Collection<Stored>): void {
    const table = this.#tables.of(collection)
    for (const record of [...table.values()]) {
      const owner = this.#tables.of(investors).get(record.investorId)?.record.organizationId
      if (owner !== record.organizationId) {
        this.#leaveOut(table, record, 'its investor belongs to another organization.')
      }
    }
  }

  /** A holding is the sum of its orders. */
  async correctHoldings(): Promise<void> {
    const due = await sumPositions(this.#all(sharePurchases))
    const orders = groupBy(this.#all(sharePurchases), positionKey)
    for (const holding of this.#all(holdings)) {
      const key = positionKey(holding)
      this.#correctHolding(holding, due.get(key), orders.get(key) ?? [])
      due.delete(key)
    }
    for (const [key, position] of due) {
      const [first] = orders.get(key) ?? []
      if (first) this.#correctHolding(newHolding(first), position, orders.get(key) ?? [])
    }
  }

  #correctHolding(
    holding: Holding,
    { shares, pendingShares }: Position = { shares: 0, pendingShares: 0 },
    orders: readonly SharePurchase[],
  ): void {
    const isThere =
      this.#tables.of(holdings).get(this.#tables.of(holdings).keyOf(holding)) !== undefined
    const isSame = holding.shares === shares && holding.pendingShares === pendingShares
    if (isSame && isThere) return
    const firstAcquiredAt = holding.firstAcquiredAt ?? firstSettlement(orders)
    this.#correct(
      holdings,
      { ...holding, shares, pendingShares, firstAcquiredAt },
      isThere
        ? `it said ${holding.shares} shares and ${holding.pendingShares} pending, and its orders make ${shares} and ${pendingShares}.`
        : 'it was lost, and made again from its orders.',
    )
  }

  correctEvents(): void {
    for (const event of this.#all(events)) {
      const found = deliveriesOf(this.#tables, event)
      const missing = event.deliveryIds.length - found.length
      if (missing === 0 && isCounted(event, found)) continue
      const deliveryIds = found.map(({ deliveryId }) => deliveryId)
      this.#correct(
        events,
        { ...event, deliveryIds, deliveries: countDeliveries(found) },
        `${missing} deliveries of it are lost, and its counts follow the others.`,
      )
    }
  }

  /** They stay as they are: whether to reject them is for a person to decide. */
  listUncarried(): RecordNote[] {
    const table = this.#tables.of(sharePurchases)
    const isUncarried = (order: SharePurchase) =>
      hasLostCarriers(
        order,
        (order.restsOn ?? []).flatMap((id) => table.get(id)?.record ?? []),
      )
    return this.#all(sharePurchases)
      .filter(isUncarried)
      .map((order) => ({
        record: `sharePurchases ${order.sharePurchaseId}`,
        reason:
          'it cannot be settled, because the orders that its entry fee or minimum number of shares depends on are lost. Reject it.',
      }))
  }

  #all<Stored extends object>(collection: Collection<Stored>): Stored[] {
    return [...this.#tables.of(collection).values()]
  }

  #byAge(table: Table<object>): object[] {
    const at = (record: object) => this.#options.changedAt(describe(table, record))
    return [...table.values()].sort((left, right) => at(left) - at(right))
  }

  #leaveOut<Stored extends object>(table: Table<Stored>, record: Stored, reason: string): void {
    table.unload(table.keyOf(record))
    this.leftOut.push({ record: describe(table, record), reason })
  }

  #correct<Stored extends object>(
    collection: Collection<Stored>,
    record: Stored,
    reason: string,
  ): void {
    const table = this.#tables.of(collection)
    table.load(record, this.#pool)
    this.corrected.push({ record: describe(table, record), reason })
  }
}

function describe<Stored extends object>(table: Table<Stored>, record: Stored): string {
  return `${table.collection.name} ${nameOf(table, record)}`
}

function newHolding(order: SharePurchase): Holding {
  const { organizationId, investorId, cooperativeId, createdAt } = order
  const id = derivedId('holding', organizationId, investorId, cooperativeId)
  return openHolding({ id, organizationId, investorId, cooperativeId }, createdAt)
}

function firstSettlement(orders: readonly SharePurchase[]): Timestamp | null {
  const settled = orders.flatMap(({ transitions }) =>
    transitions.filter(({ to }) => to === 'settled'),
  )
  return settled.map(({ at }) => at).sort()[0] ?? null
}

function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
