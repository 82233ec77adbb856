import type { Encrypted } from '../domain/text.ts'
import type { CollectionName, StoredRecords } from '../ports/collections.ts'
import type { RecordBatch } from '../ports/store-admin.ts'
import type { Vault } from '../ports/vault.ts'
import { madeByNewer } from './store-refusals.ts'
import { isEncryptedByNewer, isOfPerson } from './vault.ts'

/** A collection whose records have encrypted values, in fields with names that begin with `encrypted`. */
interface EncryptedRecords<Stored> {
  /** Names the record without anything that a partner wrote. */
  nameOf(record: Stored): string
  /** The investor whose key encrypts the values. If absent, the key of the store encrypts them. */
  investorOf?(record: Stored, orders: ReadonlyMap<string, string>): string | undefined
}

/**
 * Values of orders are encrypted with the keys of investors, and an idempotency record leads to its investor through
 * its order. So investors come before orders, and orders before idempotency records.
 */
const recordsWithValues = {
  operators: { nameOf: (operator) => operator.operatorId },
  settings: { nameOf: () => 'of the store' },
  signingKeys: { nameOf: (key) => key.kid },
  investors: {
    nameOf: (investor) => investor.investorId,
    investorOf: (investor) => investor.investorId,
  },
  sharePurchases: {
    nameOf: (purchase) => purchase.sharePurchaseId,
    investorOf: (purchase) => purchase.investorId,
  },
  idempotencyRecords: {
    nameOf: (record) => `of order ${record.sharePurchaseId}`,
    investorOf: (record, orders) => orders.get(record.sharePurchaseId),
  },
  directDebits: {
    nameOf: (debit) => debit.endToEndId,
    investorOf: (debit) => debit.investorId,
  },
  statementEntries: { nameOf: (entry) => entry.entryId },
  webhookEndpoints: { nameOf: (endpoint) => endpoint.webhookEndpointId },
} as const satisfies { readonly [Name in CollectionName]?: EncryptedRecords<StoredRecords[Name]> }

export type EncryptedCollection = keyof typeof recordsWithValues

export const encryptedCollections = Object.keys(recordsWithValues) as readonly EncryptedCollection[]

const fieldName = /^encrypted[A-Z]/

/** Replaces the encrypted values of a record. Returns the given record itself if none has changed. */
export function mapEncrypted<Record extends object>(
  record: Record,
  replace: (encrypted: Encrypted, field: string) => Encrypted,
): Record {
  const changed = Object.entries(record).flatMap(([name, value]) => {
    const replaced = mapValue(name, value, replace)
    return replaced === value ? [] : [[name, replaced] as const]
  })
  return changed.length === 0 ? record : { ...record, ...Object.fromEntries(changed) }
}

function mapValue(
  name: string,
  value: unknown,
  replace: (encrypted: Encrypted, field: string) => Encrypted,
): unknown {
  if (typeof value === 'string') {
    return fieldName.test(name) ? replace(value as Encrypted, name) : value
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? mapEncrypted(value, replace) : value
}

function encryptedValuesOf(
  record: object,
): readonly (readonly [field: string, encrypted: Encrypted])[] {
  const found: [string, Encrypted][] = []
  mapEncrypted(record, (encrypted, field) => {
    found.push([field, encrypted])
    return encrypted
  })
  return found
}

/** Decrypts every encrypted value and discards it. Collections must come in the order of `encryptedCollections`. */
export class EncryptedFields {
  readonly problems: string[] = []
  opened = 0
  readonly #vault: Vault
  readonly #isOfStore: boolean
  /** The keys, by investor. An erased person has no key, and the values encrypted with it are lost on purpose. */
  readonly #keys = new Map<string, Encrypted | 'erased'>()
  /** The investor of each order. */
  readonly #orders = new Map<string, string>()

  /** @param isOfStore skips values that are encrypted with the keys of persons */
  constructor(vault: Vault, { isOfStore = false } = {}) {
    this.#vault = vault
    this.#isOfStore = isOfStore
  }

  open(collection: EncryptedCollection, records: RecordBatch['records']): void {
    for (const record of records) this.problems.push(...this.openOne(collection, record))
  }

  /** Returns a sentence for each value that cannot be decrypted. */
  openOne(collection: EncryptedCollection, record: object): readonly string[] {
    requireKnownFormats(collection, record)
    if (!this.#isOfStore) this.#note(collection, record)
    const { investorOf }: EncryptedRecords<never> = recordsWithValues[collection]
    const investorId = investorOf?.(record as never, this.#orders)
    const key = investorId === undefined ? undefined : this.#keys.get(investorId)
    return encryptedValuesOf(record).flatMap(([field, encrypted]) => {
      if ((key === 'erased' || this.#isOfStore) && isOfPerson(encrypted)) return []
      if (!this.#isGood(encrypted, key)) {
        return describeDamage(collection, record, field)
      }
      this.opened += 1
      return []
    })
  }

  #note(collection: EncryptedCollection, record: object): void {
    if (collection === 'investors') {
      const { investorId, encryptedKey, erasedAt } = record as StoredRecords['investors']
      const key = erasedAt === undefined ? encryptedKey : 'erased'
      if (key !== undefined) this.#keys.set(investorId, key)
    } else if (collection === 'sharePurchases') {
      const { sharePurchaseId, investorId } = record as StoredRecords['sharePurchases']
      this.#orders.set(sharePurchaseId, investorId)
    }
  }

  #isGood(encrypted: Encrypted, key: Encrypted | 'erased' | undefined): boolean {
    try {
      const ofPerson = key !== 'erased' && isOfPerson(encrypted) ? key : undefined
      this.#vault.of(ofPerson).decrypt(encrypted)
      return true
    } catch {
      return false
    }
  }
}

/** Refuses a record with a value that a newer program has encrypted. */
export function requireKnownFormats(collection: EncryptedCollection, record: object): void {
  for (const [field, encrypted] of encryptedValuesOf(record)) {
    if (isEncryptedByNewer(encrypted)) throw madeByNewer(describePlace(collection, record, field))
  }
}

export function describeDamage(
  collection: EncryptedCollection,
  record: object,
  field: string,
): string {
  return `${describePlace(collection, record, field)} cannot be decrypted with the store's key.`
}

function describePlace(collection: EncryptedCollection, record: object, field: string): string {
  const { nameOf }: EncryptedRecords<never> = recordsWithValues[collection]
  return `${collection} ${nameOf(record as never)}: its ${field}`
}
