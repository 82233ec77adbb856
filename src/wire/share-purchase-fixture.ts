import {
  array,
  dynamic,
  enums,
  type Infer,
  integer,
  literal,
  min,
  never,
  object,
  refine,
  type Struct,
  size,
  string,
} from 'superstruct'
import type { DeepPartial } from '../domain/deep-partial.ts'
import { maximumDependencies } from '../domain/share-purchases/dependencies.ts'
import type { FrozenOrder } from '../domain/share-purchases/share-purchase.ts'
import type { SharePurchaseFixture } from '../usecases/fixtures/fixtures.ts'
import {
  amount,
  fate,
  fileText,
  id,
  optionalOrNull,
  positiveAmount,
  readAmount,
  readFate,
  readSum,
  readTimestamp,
  sum,
  timestamp,
} from './fields.ts'
import { describedByChoice } from './schema-of-shape.ts'

const applicantType = enums(['private', 'company'])

const everyOrder = {
  share_purchase_id: optionalOrNull(id()),
  cooperative: fileText(100),
  share_count: min(integer(), 1),
  status: optionalOrNull(enums(['submitted', 'approved', 'settled', 'rejected', 'cancelled'])),
  reason: optionalOrNull(fileText()),
  fate: optionalOrNull(fate()),
}

const mandateShape = object({
  signed_at: optionalOrNull(timestamp()),
  debtor_iban: optionalOrNull(string()),
  reference: optionalOrNull(string()),
})

const leftOut = optionalOrNull(never())

/** An order that is placed when the file is applied. */
const newOrderShape = object({
  ...everyOrder,
  applicant_type: optionalOrNull(applicantType),
  sepa_mandate: optionalOrNull(mandateShape),
  statute_consent_given_at: optionalOrNull(timestamp()),
  price_per_share: leftOut,
  entry_fee: leftOut,
  total: leftOut,
  rests_on: leftOut,
  consents: leftOut,
})

const givenShape = object({ given: literal(true), given_at: timestamp() })

/** A past order with all its frozen terms, none of which could be derived. */
const pastOrderShape = object({
  ...everyOrder,
  applicant_type: applicantType,
  sepa_mandate: object({ signed_at: timestamp(), debtor_iban: string(), reference: string() }),
  statute_consent_given_at: timestamp(),
  price_per_share: positiveAmount(),
  entry_fee: amount(),
  total: sum(),
  rests_on: optionalOrNull(size(array(id()), 0, maximumDependencies)),
  consents: object({ terms: givenShape, privacy: givenShape }),
})

type WireNewOrder = Infer<typeof newOrderShape>
type WirePastOrder = Infer<typeof pastOrderShape>
export type WireSharePurchaseFixture = WireNewOrder | WirePastOrder

const frozenKeys = ['price_per_share', 'entry_fee', 'total', 'consents'] as const

function isPast(value: unknown): boolean {
  const keyed = value as Readonly<Record<string, unknown>> | null | undefined
  return frozenKeys.some((key) => keyed?.[key] != null)
}

// Decides first which of the two shapes applies, because superstruct's union would report
// neither.
const eitherShape = describedByChoice(
  dynamic((value) =>
    isPast(value)
      ? (pastOrderShape as unknown as Struct<WireSharePurchaseFixture>)
      : (newOrderShape as unknown as Struct<WireSharePurchaseFixture>),
  ),
  [newOrderShape, pastOrderShape],
)

export const sharePurchaseFixtureShape = refine(
  eitherShape,
  'share purchase',
  ({ status, reason }) =>
    reason == null || status === 'rejected' || 'must be rejected if there is a reason',
)

export function readSharePurchaseFixture(wire: WireSharePurchaseFixture): SharePurchaseFixture {
  return {
    sharePurchaseId: wire.share_purchase_id ?? undefined,
    cooperative: wire.cooperative,
    shareCount: wire.share_count,
    status: wire.status ?? 'submitted',
    reason: wire.reason ?? undefined,
    fate: readFate(wire.fate),
    applicantType: wire.applicant_type ?? undefined,
    mandateSignedAt: readInstant(wire.sepa_mandate?.signed_at),
    debtorIban: wire.sepa_mandate?.debtor_iban ?? undefined,
    mandateReference: wire.sepa_mandate?.reference ?? undefined,
    statuteConsentGivenAt: readInstant(wire.statute_consent_given_at),
    frozen: wire.total == null ? undefined : readFrozenOrder(wire),
  }
}

function readFrozenOrder(wire: WirePastOrder): FrozenOrder {
  const { sepa_mandate, consents } = wire
  const given = (text: string) => ({ given: true, givenAt: readTimestamp(text) }) as const
  return {
    shareCount: wire.share_count,
    applicantType: wire.applicant_type,
    pricePerShare: readAmount(wire.price_per_share),
    entryFee: readAmount(wire.entry_fee),
    total: readSum(wire.total),
    ...(wire.rests_on && { restsOn: wire.rests_on }),
    sepaMandate: {
      signedAt: readTimestamp(sepa_mandate.signed_at),
      debtorIban: sepa_mandate.debtor_iban,
      reference: sepa_mandate.reference,
    },
    consents: {
      terms: given(consents.terms.given_at),
      privacy: given(consents.privacy.given_at),
      statute: given(wire.statute_consent_given_at),
    },
  }
}

/** Reads the parts that validation needs of an order that does not fit its shape. */
export function readPartialSharePurchaseFixture(
  parts: DeepPartial<WireSharePurchaseFixture>,
): DeepPartial<SharePurchaseFixture> {
  const { sepa_mandate, price_per_share, entry_fee, total, consents } = parts
  return {
    mandateSignedAt: readInstant(sepa_mandate?.signed_at),
    debtorIban: sepa_mandate?.debtor_iban ?? undefined,
    mandateReference: sepa_mandate?.reference ?? undefined,
    statuteConsentGivenAt: readInstant(parts.statute_consent_given_at),
    frozen: {
      shareCount: parts.share_count,
      pricePerShare: price_per_share == null ? undefined : readAmount(price_per_share),
      entryFee: entry_fee == null ? undefined : readAmount(entry_fee),
      total: total == null ? undefined : readSum(total),
      consents: {
        terms: { givenAt: readInstant(consents?.terms?.given_at) },
        privacy: { givenAt: readInstant(consents?.privacy?.given_at) },
      },
    },
  }
}

function readInstant(text: string | null | undefined) {
  return text == null ? undefined : readTimestamp(text)
}
