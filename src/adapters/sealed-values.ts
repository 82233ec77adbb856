import type { Sealed } from '../domain/sealed.ts'
import type { CollectionName, StoredRecords } from '../ports/collections.ts'
import type { RecordBatch } from '../ports/store-copy.ts'
import type { Vault } from '../ports/vault.ts'
import { madeByNewer } from './store-refusals.ts'
import { isSealedByNewer } from './vault.ts'

interface SealedPlace<Stored> {
  readonly field: string
  /** null or undefined if the record has no such value. */
  readonly sealedOf: (record: Stored) => Sealed | null | undefined
  /** Names the record without anything that a partner wrote. */
  readonly nameOf: (record: Stored) => string
}

type SealedPlaces = {
  readonly [Name in CollectionName]?: readonly SealedPlace<StoredRecords[Name]>[]
}

const places = {
  operators: [
    {
      field: 'sealedSigningKey',
      sealedOf: (operator) => operator.sealedSigningKey,
      nameOf: (operator) => operator.operatorId,
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
      field: 'sealedPersonalData',
      sealedOf: (investor) => investor.sealedPersonalData,
      nameOf: (investor) => investor.investorId,
    },
  ],
  sharePurchases: [
    {
      field: 'sealedDebtorIban',
      sealedOf: (purchase) => purchase.sepaMandate.sealedDebtorIban,
      nameOf: (purchase) => purchase.sharePurchaseId,
    },
  ],
  idempotencyRecords: [
    {
      field: 'sealedRequestDigest',
      sealedOf: (record) => record.sealedRequestDigest,
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

export type SealedCollection = keyof typeof places

export const sealedCollections = Object.keys(places) as readonly SealedCollection[]

/** Opens every sealed value and discards it. */
export class SealedValues {
  readonly problems: string[] = []
  opened = 0
  readonly #vault: Vault

  constructor(vault: Vault) {
    this.#vault = vault
  }

  open(collection: SealedCollection, records: RecordBatch['records']): void {
    for (const record of records) this.#openOne(collection, record)
  }

  #openOne(collection: SealedCollection, record: object): void {
    const ofRecord: readonly SealedPlace<never>[] = places[collection]
    for (const place of ofRecord) {
      const sealed = place.sealedOf(record as never)
      if (sealed === null || sealed === undefined) continue
      if (isSealedByNewer(sealed)) throw madeByNewer(describePlace(collection, place, record))
      if (this.#isGood(sealed)) this.opened += 1
      else this.problems.push(describeDamage(collection, place, record))
    }
  }

  #isGood(sealed: Sealed): boolean {
    try {
      this.#vault.open(sealed)
      return true
    } catch {
      return false
    }
  }
}

function describeDamage(
  collection: SealedCollection,
  place: SealedPlace<never>,
  record: object,
): string {
  return `${describePlace(collection, place, record)} is not what was sealed with the store's key.`
}

function describePlace(
  collection: SealedCollection,
  { field, nameOf }: SealedPlace<never>,
  record: object,
): string {
  return `${collection} ${nameOf(record as never)}: its ${field}`
}
