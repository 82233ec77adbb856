import type { Sealed } from '../domain/text.ts'
import type { CollectionName, StoredRecords } from '../ports/collections.ts'
import type { RecordBatch } from '../ports/store-admin.ts'
import type { Vault } from '../ports/vault.ts'
import { madeByNewer } from './store-refusals.ts'
import { isOfPerson, isSealedByNewer } from './vault.ts'

interface SealedPlace<Stored> {
  readonly field: string
  /** null or undefined if the record has no such value. */
  readonly sealedOf: (record: Stored) => Sealed | null | undefined
  /** The investor whose key encrypts the value. If absent, the key of the store encrypts it. */
  readonly investorOf?: (record: Stored, orders: ReadonlyMap<string, string>) => string | undefined
  /** Names the record without anything that a partner wrote. */
  readonly nameOf: (record: Stored) => string
}

type SealedPlaces = {
  readonly [Name in CollectionName]?: readonly SealedPlace<StoredRecords[Name]>[]
}

/**
 * Values of orders are encrypted with the keys of investors, and an idempotency record leads to its investor through
 * its order. So investors come before orders, and orders before idempotency records.
 */
const places = {
  operators: [
    {
      field: 'sealedSigningKey',
      sealedOf: (operator) => operator.sealedSigningKey,
      nameOf: (operator) => operator.operatorId,
    },
  ],
  settings: [
    {
      field: 'sealedSearchKey',
      sealedOf: (settings) => settings.sealedSearchKey,
      nameOf: () => 'of the store',
    },
  ],
  signingKeys: [
    {
      field: 'sealedPrivateJwk',
      sealedOf: (key) => key.sealedPrivateJwk,
      nameOf: (key) => key.kid,
    },
  ],
  investors: [
    {
      field: 'sealedKey',
      sealedOf: (investor) => investor.sealedKey,
      nameOf: (investor) => investor.investorId,
    },
    {
      field: 'sealedPersonalData',
      sealedOf: (investor) => investor.sealedPersonalData,
      investorOf: (investor) => investor.investorId,
      nameOf: (investor) => investor.investorId,
    },
  ],
  sharePurchases: [
    {
      field: 'sealedDebtorIban',
      sealedOf: (purchase) => purchase.sepaMandate.sealedDebtorIban,
      investorOf: (purchase) => purchase.investorId,
      nameOf: (purchase) => purchase.sharePurchaseId,
    },
  ],
  idempotencyRecords: [
    {
      field: 'sealedRequestDigest',
      sealedOf: (record) => record.sealedRequestDigest,
      investorOf: (record, orders) => orders.get(record.sharePurchaseId),
      nameOf: (record) => `of order ${record.sharePurchaseId}`,
    },
  ],
  webhookEndpoints: [
    {
      field: 'sealedSigningSecret',
      sealedOf: (endpoint) => endpoint.sealedSigningSecret,
      nameOf: (endpoint) => endpoint.webhookEndpointId,
    },
    {
      field: 'sealedPreviousSecret',
      sealedOf: (endpoint) => endpoint.sealedPreviousSecret,
      nameOf: (endpoint) => endpoint.webhookEndpointId,
    },
  ],
} as const satisfies SealedPlaces

export type EncryptedCollection = keyof typeof places

export const encryptedCollections = Object.keys(places) as readonly EncryptedCollection[]

/** Decrypts every encrypted value and discards it. Collections must come in the order of `encryptedCollections`. */
export class EncryptedFields {
  readonly problems: string[] = []
  opened = 0
  readonly #vault: Vault
  readonly #isOfStore: boolean
  /** The keys, by investor. An erased person has no key, and the values encrypted with it are lost on purpose. */
  readonly #keys = new Map<string, Sealed | 'erased'>()
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
    const ofRecord: readonly SealedPlace<never>[] = places[collection]
    return ofRecord.flatMap((place) => {
      const sealed = place.sealedOf(record as never)
      if (sealed === null || sealed === undefined) return []
      const investorId = place.investorOf?.(record as never, this.#orders)
      const key = investorId === undefined ? undefined : this.#keys.get(investorId)
      if ((key === 'erased' || this.#isOfStore) && isOfPerson(sealed)) return []
      if (!this.#isGood(sealed, key)) return describeDamage(collection, place, record)
      this.opened += 1
      return []
    })
  }

  #note(collection: EncryptedCollection, record: object): void {
    if (collection === 'investors') {
      const { investorId, sealedKey, erasedAt } = record as StoredRecords['investors']
      const key = erasedAt === undefined ? sealedKey : 'erased'
      if (key !== undefined) this.#keys.set(investorId, key)
    } else if (collection === 'sharePurchases') {
      const { sharePurchaseId, investorId } = record as StoredRecords['sharePurchases']
      this.#orders.set(sharePurchaseId, investorId)
    }
  }

  #isGood(sealed: Sealed, key: Sealed | 'erased' | undefined): boolean {
    try {
      this.#vault.of(key === 'erased' ? undefined : key).open(sealed)
      return true
    } catch {
      return false
    }
  }
}

/** Refuses a record with a value that a newer program has encrypted. */
export function requireKnownFormats(collection: EncryptedCollection, record: object): void {
  const ofRecord: readonly SealedPlace<never>[] = places[collection]
  for (const place of ofRecord) {
    const sealed = place.sealedOf(record as never)
    if (sealed && isSealedByNewer(sealed))
      throw madeByNewer(describePlace(collection, place, record))
  }
}

function describeDamage(
  collection: EncryptedCollection,
  place: SealedPlace<never>,
  record: object,
): string {
  return `${describePlace(collection, place, record)} cannot be decrypted with the store's key.`
}

function describePlace(
  collection: EncryptedCollection,
  { field, nameOf }: SealedPlace<never>,
  record: object,
): string {
  return `${collection} ${nameOf(record as never)}: its ${field}`
}
