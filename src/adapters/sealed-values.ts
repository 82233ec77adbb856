import { type Sealed, type SealedPlace, sealedPlaces } from '../domain/sealed.ts'
import type { CollectionName, RecordBatch, StoredRecords } from '../ports/store-copy.ts'
import type { Vault } from '../ports/vault.ts'

interface SealedField<Stored> {
  readonly field: string
  readonly placeOf: (record: Stored) => SealedPlace
  readonly sealedOf: (record: Stored) => Sealed
  /** Says which record it is, and nothing that a partner wrote. */
  readonly nameOf: (record: Stored) => string
}

type SealedFields = { readonly [Name in CollectionName]?: SealedField<StoredRecords[Name]> }

const fields = {
  signingKeys: {
    field: 'sealedPrivateJwk',
    placeOf: sealedPlaces.privateJwk,
    sealedOf: (key) => key.sealedPrivateJwk,
    nameOf: (key) => key.kid,
  },
  investors: {
    field: 'sealedPersonalData',
    placeOf: sealedPlaces.personalData,
    sealedOf: (investor) => investor.sealedPersonalData,
    nameOf: (investor) => investor.investorId,
  },
  sharePurchases: {
    field: 'sealedDebtorIban',
    placeOf: sealedPlaces.debtorIban,
    sealedOf: (purchase) => purchase.sepaMandate.sealedDebtorIban,
    nameOf: (purchase) => purchase.sharePurchaseId,
  },
  idempotencyRecords: {
    field: 'sealedRequestDigest',
    placeOf: sealedPlaces.requestDigest,
    sealedOf: (record) => record.sealedRequestDigest,
    nameOf: (record) => `of order ${record.sharePurchaseId}`,
  },
  webhookEndpoints: {
    field: 'sealedSigningSecret',
    placeOf: sealedPlaces.signingSecret,
    sealedOf: (endpoint) => endpoint.sealedSigningSecret,
    nameOf: (endpoint) => endpoint.webhookEndpointId,
  },
} as const satisfies SealedFields

export type SealedCollection = keyof typeof fields

export const sealedCollections = Object.keys(fields) as readonly SealedCollection[]

/** Opens all that is sealed, and keeps nothing of it. */
export class SealedValues {
  readonly problems: string[] = []
  opened = 0
  readonly #vault: Vault

  constructor(vault: Vault) {
    this.#vault = vault
  }

  open(collection: SealedCollection, records: RecordBatch['records']): void {
    const field: SealedField<never> = fields[collection]
    for (const record of records) {
      if (this.#isGood(field.sealedOf(record as never), field.placeOf(record as never)))
        this.opened += 1
      else this.problems.push(describeDamage(collection, field, record))
    }
  }

  #isGood(sealed: Sealed, place: SealedPlace): boolean {
    try {
      this.#vault.open(sealed, place)
      return true
    } catch {
      return false
    }
  }
}

function describeDamage(
  collection: SealedCollection,
  { field, nameOf }: SealedField<never>,
  record: object,
): string {
  return `${collection} ${nameOf(record as never)}: its ${field} is not what was sealed with the store's key.`
}
