import { derivedId } from '../../../domain/derived-id.ts'
import { openHolding } from '../../../domain/holdings/change-holding.ts'
import type { Holding } from '../../../domain/holdings/holding.ts'
import { hasLostCarriers } from '../../../domain/share-purchases/carriers.ts'
import type { SharePurchase } from '../../../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../../../domain/timestamp.ts'
import { countDeliveries } from '../../../domain/webhooks/count-deliveries.ts'
import { type Delivery, laneOf } from '../../../domain/webhooks/delivery.ts'
import { becamePending } from '../../../domain/webhooks/delivery-progress.ts'
import { type CollectionName, collectionNames } from '../../../ports/store-copy.ts'
import type { Vault } from '../../../ports/vault.ts'
import { SealedValues, sealedCollections } from '../../sealed-values.ts'
import type { Collection } from '../collection.ts'
import type { Collections } from '../collections.ts'
import {
  danglingFault,
  findContradictions,
  type Position,
  positionKey,
  references,
  sumPositions,
} from '../find-contradictions.ts'
import { StringPool } from '../string-pool.ts'

export interface RecordNote {
  /** `sharePurchases` and its key. */
  readonly record: string
  readonly reason: string
}

export interface WholeRecordsOptions {
  readonly collections: Collections
  /** Later changes have greater numbers. */
  readonly changedAt: (collection: string, key: string) => number
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
  keeping.releaseWaiting()
  for await (const problem of findContradictions(options.collections)) {
    throw new Error(`What was salvaged does not fit together: ${problem}`)
  }
  const { leftOut, corrected } = keeping
  return { leftOut, corrected, uncarried: keeping.listUncarried() }
}

class WholeRecords {
  readonly leftOut: RecordNote[] = []
  readonly corrected: RecordNote[] = []
  readonly #options: WholeRecordsOptions
  readonly #data: Collections
  readonly #pool = new StringPool()

  constructor(options: WholeRecordsOptions) {
    this.#options = options
    this.#data = options.collections
  }

  leaveOutUnsealable(): void {
    const { vault } = this.#options
    if (!vault) return
    for (const name of sealedCollections) {
      const sealed = new SealedValues(vault)
      for (const record of [...this.#all(name)]) {
        const before = sealed.opened
        sealed.open(name, [record])
        if (sealed.opened === before) this.#leaveOut(name, record, 'what is sealed does not open.')
      }
    }
  }

  /** Of two records with one name, the one that was changed last. */
  leaveOutDuplicates(): void {
    for (const name of collectionNames) {
      const collection = this.#collection(name)
      for (const index of collection.schema.unique ?? []) {
        const kept = new Map<string, object>()
        for (const record of this.#byAge(name)) {
          const value = index.valueOf(record)
          const other = kept.get(value)
          if (other) this.#leaveOut(name, other, `a later record has the same ${index.name}.`)
          kept.set(value, record)
        }
      }
    }
  }

  /** Again and again: what refers to something that was left out is left out, too. */
  leaveOutDangling(): void {
    for (let before = -1; before !== this.leftOut.length; ) {
      before = this.leftOut.length
      for (const reference of references) {
        for (const record of [...this.#all(reference.from)]) {
          const fault = danglingFault(this.#data, reference, record)
          if (fault) this.#leaveOut(reference.from, record, fault)
        }
      }
      this.#leaveOutStrangers('sharePurchases')
      this.#leaveOutStrangers('holdings')
    }
  }

  #leaveOutStrangers(name: 'sharePurchases' | 'holdings'): void {
    for (const record of [...this.#data[name].values()]) {
      const owner = this.#data.investors.get(record.investorId)?.organizationId
      if (owner !== record.organizationId) {
        this.#leaveOut(name, record, 'its investor belongs to another organization.')
      }
    }
  }

  /** A holding is the sum of its orders. */
  async correctHoldings(): Promise<void> {
    const due = await sumPositions(this.#data.sharePurchases.values())
    const orders = groupBy(this.#data.sharePurchases.values(), positionKey)
    for (const holding of [...this.#data.holdings.values()]) {
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
    const isThere = this.#data.holdings.get(holding.id) !== undefined
    const isSame = holding.shares === shares && holding.pendingShares === pendingShares
    if (isSame && isThere) return
    const firstAcquiredAt = holding.firstAcquiredAt ?? firstSettlement(orders)
    this.#correct(
      'holdings',
      { ...holding, shares, pendingShares, firstAcquiredAt },
      isThere
        ? `it said ${holding.shares} shares and ${holding.pendingShares} pending, and its orders make ${shares} and ${pendingShares}.`
        : 'it was lost, and made again from its orders.',
    )
  }

  correctEvents(): void {
    for (const event of [...this.#data.events.values()]) {
      const found = event.deliveryIds.flatMap((id) => this.#data.deliveries.get(id) ?? [])
      const deliveries = countDeliveries(found)
      const missing = event.deliveryIds.length - found.length
      const isSame = (['pending', 'delivered', 'dead'] as const).every(
        (state) => deliveries[state] === event.deliveries[state],
      )
      if (missing === 0 && isSame) continue
      const deliveryIds = found.map(({ deliveryId }) => deliveryId)
      this.#correct(
        'events',
        { ...event, deliveryIds, deliveries },
        `${missing} deliveries of it are lost, and its counts follow the others.`,
      )
    }
  }

  /** What waited for a delivery that was lost would wait for ever. */
  releaseWaiting(): void {
    const queueOf = ({ sharePurchaseId, target }: Delivery) =>
      `${sharePurchaseId} ${laneOf(target)}`
    const queues = groupBy(this.#data.deliveries.values(), queueOf)
    for (const queue of queues.values()) {
      const first = queue.find(({ state }) => state === 'waiting')
      if (!first || queue.some(({ state }) => state === 'pending')) continue
      const released = becamePending(first, this.#options.now)
      this.#correct('deliveries', released, 'the delivery that it waited for is lost.')
    }
  }

  /** They stay as they are: whether to reject them is for a person to decide. */
  listUncarried(): RecordNote[] {
    const { sharePurchases } = this.#data
    const isUncarried = (order: SharePurchase) =>
      hasLostCarriers(
        order,
        (order.restsOn ?? []).flatMap((id) => sharePurchases.get(id) ?? []),
      )
    return [...sharePurchases.values()].filter(isUncarried).map((order) => ({
      record: `sharePurchases ${order.sharePurchaseId}`,
      reason:
        'it cannot be settled, because the orders that its entry fee or minimum number of shares depends on are lost. Reject it.',
    }))
  }

  #collection(name: CollectionName): Collection<object> {
    return this.#data[name] as unknown as Collection<object>
  }

  #all(name: CollectionName): Iterable<object> {
    return this.#collection(name).values()
  }

  #byAge(name: CollectionName): object[] {
    const at = (record: object) => this.#options.changedAt(name, this.#keyOf(name, record))
    return [...this.#all(name)].sort((left, right) => at(left) - at(right))
  }

  #keyOf(name: CollectionName, record: object): string {
    const collection = this.#collection(name)
    return collection.schema.keyOf(record)
  }

  #leaveOut(name: CollectionName, record: object, reason: string): void {
    const key = this.#keyOf(name, record)
    this.#data[name].unload(key)
    this.leftOut.push({ record: `${name} ${key}`, reason })
  }

  #correct(name: CollectionName, record: object, reason: string): void {
    const collection = this.#collection(name)
    collection.load(record, this.#pool)
    this.corrected.push({ record: `${name} ${this.#keyOf(name, record)}`, reason })
  }
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
