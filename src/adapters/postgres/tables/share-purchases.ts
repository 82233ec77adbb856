import type { Consent } from '../../../domain/investors/profile.ts'
import type { Sealed } from '../../../domain/sealed.ts'
import type {
  IdempotencyRecord,
  SharePurchase,
} from '../../../domain/share-purchases/share-purchase.ts'
import type { Timestamp } from '../../../domain/timestamp.ts'
import { asItIs, Table } from '../table.ts'

export type SharePurchaseRow = Omit<SharePurchase, 'sepaMandate' | 'consents'> & {
  readonly mandateReference: string
  readonly mandateSignedAt: Timestamp
  readonly sealedDebtorIban: Sealed
  readonly debtorIbanMasked: string
  readonly termsGivenAt: Timestamp | null
  readonly privacyGivenAt: Timestamp | null
  readonly statuteGivenAt: Timestamp | null
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
    mandateSignedAt: 'timestamp',
    sealedDebtorIban: 'plain',
    debtorIbanMasked: 'plain',
    termsGivenAt: 'timestamp',
    privacyGivenAt: 'timestamp',
    statuteGivenAt: 'timestamp',
    reason: 'plain',
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
    mandateSignedAt: sepaMandate.signedAt,
    sealedDebtorIban: sepaMandate.sealedDebtorIban,
    debtorIbanMasked: sepaMandate.debtorIbanMasked,
    termsGivenAt: consents.terms.givenAt,
    privacyGivenAt: consents.privacy.givenAt,
    statuteGivenAt: consents.statute.givenAt,
  }
}

function build(row: SharePurchaseRow): SharePurchase {
  const { mandateReference, mandateSignedAt, sealedDebtorIban, debtorIbanMasked, ...others } = row
  const { termsGivenAt, privacyGivenAt, statuteGivenAt, ...rest } = others
  return {
    ...rest,
    sepaMandate: {
      reference: mandateReference,
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
  flatten: asItIs,
  build: asItIs,
})
