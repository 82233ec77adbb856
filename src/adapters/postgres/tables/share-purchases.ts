import type { Consent } from '../../../domain/investors/profile.ts'
import type { Sealed } from '../../../domain/sealed.ts'
import type {
  IdempotencyRecord,
  SharePurchase,
} from '../../../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../../../domain/timestamp.ts'
import { Table } from '../table.ts'

export type SharePurchaseRow = Omit<SharePurchase, 'sepaMandate' | 'consents' | 'restsOn'> & {
  readonly mandateReference: string
  readonly isFirstOfReference: true | null
  readonly mandateSignedAt: Timestamp
  readonly sealedDebtorIban: Sealed
  readonly debtorIbanMasked: string
  readonly termsGivenAt: Timestamp | null
  readonly privacyGivenAt: Timestamp | null
  readonly statuteGivenAt: Timestamp | null
  readonly restsOn: readonly string[] | null
}

export const sharePurchaseTable = new Table<SharePurchase, SharePurchaseRow>({
  name: 'share_purchases',
  key: ['organizationId', 'sharePurchaseId'],
  columns: {
    organizationId: 'plain',
    sharePurchaseId: 'plain',
    investorId: 'plain',
    cooperativeId: 'plain',
    status: 'plain',
    shareCount: 'plain',
    applicantType: 'plain',
    pricePerShare: 'amount',
    entryFee: 'amount',
    total: 'amount',
    currency: 'plain',
    mandateReference: 'plain',
    isFirstOfReference: 'plain',
    mandateSignedAt: 'timestamp',
    sealedDebtorIban: 'plain',
    debtorIbanMasked: 'plain',
    termsGivenAt: 'timestamp',
    privacyGivenAt: 'timestamp',
    statuteGivenAt: 'timestamp',
    reason: 'plain',
    restsOn: 'texts',
    transitions: 'json',
    createdAt: 'timestamp',
    updatedAt: 'timestamp',
  },
  flatten,
  build,
})

/** With what the row has for it beside it: to leave that out would be another copy. */
function flatten(sharePurchase: SharePurchase): SharePurchaseRow {
  const { sepaMandate, consents } = sharePurchase
  return {
    ...sharePurchase,
    mandateReference: sepaMandate.reference,
    isFirstOfReference: sepaMandate.isFirstOfReference ?? null,
    mandateSignedAt: sepaMandate.signedAt,
    sealedDebtorIban: sepaMandate.sealedDebtorIban,
    debtorIbanMasked: sepaMandate.debtorIbanMasked,
    termsGivenAt: consents.terms.givenAt,
    privacyGivenAt: consents.privacy.givenAt,
    statuteGivenAt: consents.statute.givenAt,
    restsOn: sharePurchase.restsOn ?? null,
  }
}

function build(row: SharePurchaseRow): SharePurchase {
  const { mandateReference, mandateSignedAt, sealedDebtorIban, debtorIbanMasked, ...others } = row
  const { termsGivenAt, privacyGivenAt, statuteGivenAt, restsOn, isFirstOfReference, ...rest } =
    others
  return {
    ...rest,
    // Left out, as a directory leaves it out: a copy has to be the same.
    ...(restsOn && { restsOn }),
    sepaMandate: {
      reference: mandateReference,
      ...(isFirstOfReference && { isFirstOfReference }),
      signedAt: mandateSignedAt,
      sealedDebtorIban,
      debtorIbanMasked,
    },
    consents: {
      terms: consentOf(termsGivenAt),
      privacy: consentOf(privacyGivenAt),
      statute: consentOf(statuteGivenAt),
    },
  }
}

function consentOf(givenAt: Timestamp | null): Consent {
  return givenAt === null ? { given: false, givenAt } : { given: true, givenAt }
}

export const idempotencyRecordTable = new Table<IdempotencyRecord>({
  name: 'idempotency_records',
  key: ['organizationId', 'clientId', 'key'],
  columns: {
    organizationId: 'plain',
    clientId: 'plain',
    key: 'plain',
    sealedRequestDigest: 'plain',
    sharePurchaseId: 'plain',
    expiresAt: 'timestamp',
  },
  // A key has no null: the text of no client is the organization's.
  flatten: (record) => ({ ...record, clientId: record.clientId ?? '' }),
  build: (row) => ({ ...row, clientId: row.clientId || null }),
})
