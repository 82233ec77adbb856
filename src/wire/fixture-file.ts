import {
  array,
  boolean,
  enums,
  type Infer,
  literal,
  never,
  object,
  refine,
  string,
} from 'superstruct'
import type { DeepPartial } from '../domain/problem.ts'
import { maximumDependencies } from '../domain/share-purchases/dependencies.ts'
import {
  applicantTypes,
  type FrozenOrder,
  maximumReasonLength,
} from '../domain/share-purchases/share-purchase.ts'
import { parseUrl, readSecret } from '../domain/text.ts'
import type {
  ClientFixture,
  FixtureStatus,
  Fixtures,
  InvestorFixture,
  OrganizationFixture,
  SharePurchaseFixture,
  WebhookFixture,
} from '../usecases/fixtures/fixtures.ts'
import { integerWithin, listWithin } from './bounds.ts'
import { cooperativeDefinitionShape, readCooperativeDefinition } from './cooperative-definition.ts'
import {
  amount,
  eventTypesShape,
  fate,
  fileText,
  id,
  optionalOrNull,
  positiveAmount,
  readAmount,
  readFate,
  readOptionalTimestamp,
  readSum,
  readTimestamp,
  scopesShape,
  sum,
  timestamp,
} from './fields.ts'
import { emailLength, profileShape, readPartialProfile, readProfile } from './investors.ts'
import { choiceOf } from './schema-of-shape.ts'

const applicantType = enums(applicantTypes)

const orderStatus = enums(['submitted', 'approved', 'settled', 'rejected', 'cancelled'])

const everyOrder = {
  share_purchase_id: optionalOrNull(id()),
  cooperative: fileText(100),
  share_count: integerWithin({ min: 1 }),
  status: optionalOrNull(orderStatus),
  reason: optionalOrNull(fileText(maximumReasonLength)),
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
  created_at: leftOut,
  history: leftOut,
})

const givenShape = object({ given: literal(true), given_at: timestamp() })

const transitionShape = object({ status: orderStatus, at: timestamp() })

/** The longest history: submitted, approved, settled. */
const mostTransitions = 3

/** A past order with all its frozen terms, none of which could be derived. */
const pastOrderShape = object({
  ...everyOrder,
  applicant_type: applicantType,
  sepa_mandate: object({ signed_at: timestamp(), debtor_iban: string(), reference: string() }),
  statute_consent_given_at: timestamp(),
  price_per_share: positiveAmount(),
  entry_fee: amount(),
  total: sum(),
  rests_on: optionalOrNull(listWithin(id(), { min: 0, max: maximumDependencies })),
  consents: object({ terms: givenShape, privacy: givenShape }),
  created_at: optionalOrNull(timestamp()),
  history: optionalOrNull(listWithin(transitionShape, { min: 1, max: mostTransitions })),
})

type WireNewOrder = Infer<typeof newOrderShape>
type WirePastOrder = Infer<typeof pastOrderShape>
type WireSharePurchaseFixture = WireNewOrder | WirePastOrder

// Dates need terms, too, because the terms of today may differ.
const frozenKeys = [
  'price_per_share',
  'entry_fee',
  'total',
  'consents',
  'created_at',
  'history',
] as const

function isPast(value: unknown): boolean {
  const keyed = value as Readonly<Record<string, unknown>> | null | undefined
  return frozenKeys.some((key) => keyed?.[key] != null)
}

const eitherShape = choiceOf<WireSharePurchaseFixture>([newOrderShape, pastOrderShape], (value) =>
  isPast(value) ? pastOrderShape : newOrderShape,
)

export const sharePurchaseFixtureShape = refine(
  eitherShape,
  'share purchase',
  (order) =>
    order.reason == null ||
    statusOf(order) === 'rejected' ||
    'must be rejected if there is a reason',
)

function readSharePurchaseFixture(wire: WireSharePurchaseFixture): SharePurchaseFixture {
  return {
    sharePurchaseId: wire.share_purchase_id ?? undefined,
    // Ids of orders are derived from it.
    cooperative: wire.cooperative.normalize('NFC'),
    shareCount: wire.share_count,
    status: statusOf(wire),
    reason: wire.reason ?? undefined,
    fate: readFate(wire.fate),
    applicantType: wire.applicant_type ?? undefined,
    mandateSignedAt: readOptionalTimestamp(wire.sepa_mandate?.signed_at),
    debtorIban: wire.sepa_mandate?.debtor_iban ?? undefined,
    mandateReference: wire.sepa_mandate?.reference ?? undefined,
    statuteConsentGivenAt: readOptionalTimestamp(wire.statute_consent_given_at),
    frozen: wire.total == null ? undefined : readFrozenOrder(wire),
    past: wire.total == null ? undefined : readPast(wire),
  }
}

function statusOf({
  status,
  history,
}: Pick<WireSharePurchaseFixture, 'status' | 'history'>): FixtureStatus {
  return status ?? history?.at(-1)?.status ?? 'submitted'
}

/** Either `created_at` or `history` is enough: an order is placed when it is submitted. */
function readPast({
  created_at,
  history,
}: Pick<WirePastOrder, 'created_at' | 'history'>): SharePurchaseFixture['past'] {
  const transitions = history?.map(({ status, at }) => ({ to: status, at: readTimestamp(at) }))
  const createdAt = readOptionalTimestamp(created_at) ?? transitions?.[0]?.at
  if (createdAt === undefined) return undefined
  return { createdAt, history: transitions ?? [{ to: 'submitted', at: createdAt }] }
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

/** Validation also checks orders that do not fit their shape: this reads the parts that it needs. */
function readPartialSharePurchaseFixture(
  parts: DeepPartial<WireSharePurchaseFixture>,
): DeepPartial<SharePurchaseFixture> {
  const { sepa_mandate, price_per_share, entry_fee, total, consents } = parts
  return {
    mandateSignedAt: readOptionalTimestamp(sepa_mandate?.signed_at),
    debtorIban: sepa_mandate?.debtor_iban ?? undefined,
    mandateReference: sepa_mandate?.reference ?? undefined,
    statuteConsentGivenAt: readOptionalTimestamp(parts.statute_consent_given_at),
    frozen: {
      shareCount: parts.share_count,
      pricePerShare: price_per_share == null ? undefined : readAmount(price_per_share),
      entryFee: entry_fee == null ? undefined : readAmount(entry_fee),
      total: total == null ? undefined : readSum(total),
      consents: {
        terms: { givenAt: readOptionalTimestamp(consents?.terms?.given_at) },
        privacy: { givenAt: readOptionalTimestamp(consents?.privacy?.given_at) },
      },
    },
  }
}

const clientShape = object({
  client_id: optionalOrNull(id()),
  name: optionalOrNull(fileText()),
  kind: optionalOrNull(enums(['partner', 'internal'])),
  scopes: optionalOrNull(scopesShape),
  disabled: optionalOrNull(boolean()),
  client_secret: optionalOrNull(fileText()),
})

const webhookShape = object({
  url: fileText(4000),
  webhook_endpoint_id: optionalOrNull(id()),
  signing_secret: optionalOrNull(fileText()),
  /** Absent: the types do not change. null: all types. */
  types: optionalOrNull(eventTypesShape),
  paused: optionalOrNull(boolean()),
})

const investorShape = object({
  partner_customer_ref: fileText(255),
  investor_id: optionalOrNull(id()),
  email: optionalOrNull(fileText(emailLength)),
  profile: optionalOrNull(profileShape),
  fate: optionalOrNull(fate()),
  share_purchases: optionalOrNull(array(sharePurchaseFixtureShape)),
})

const organizationShape = object({
  name: fileText(),
  organization_id: optionalOrNull(id()),
  investor_mail: optionalOrNull(boolean()),
  self_service: optionalOrNull(boolean()),
  disabled: optionalOrNull(boolean()),
  clients: optionalOrNull(array(clientShape)),
  webhooks: optionalOrNull(array(webhookShape)),
  investors: optionalOrNull(array(investorShape)),
})

/** The content of a fixture file, with its images. */
export const fixtureFileShape = object({
  organizations: optionalOrNull(array(organizationShape)),
  cooperatives: optionalOrNull(array(cooperativeDefinitionShape)),
})

export type WireFixtureFile = Infer<typeof fixtureFileShape>
type WireOrganizationFixture = Infer<typeof organizationShape>
type WireClientFixture = Infer<typeof clientShape>
type WireWebhookFixture = Infer<typeof webhookShape>
type WireInvestorFixture = Infer<typeof investorShape>

/** @param wire data that fits the shape */
export function readFixtureFile({ organizations, cooperatives }: WireFixtureFile): Fixtures {
  return {
    organizations: (organizations ?? []).map(readOrganization),
    // Cooperatives of a fixture file are published unless it says otherwise.
    cooperatives: (cooperatives ?? []).map((wire) =>
      readCooperativeDefinition({ ...wire, published: wire.published ?? true }),
    ),
  }
}

function readOrganization(wire: WireOrganizationFixture): OrganizationFixture {
  return {
    organizationId: wire.organization_id ?? undefined,
    name: wire.name,
    investorMail: wire.investor_mail ?? undefined,
    selfService: wire.self_service ?? undefined,
    disabled: wire.disabled ?? undefined,
    clients: (wire.clients ?? []).map(readClient),
    webhooks: (wire.webhooks ?? []).map(readWebhook),
    investors: (wire.investors ?? []).map(readInvestor),
  }
}

function readClient(wire: WireClientFixture): ClientFixture {
  return {
    clientId: wire.client_id ?? undefined,
    name: wire.name ?? undefined,
    kind: wire.kind ?? undefined,
    grantedScopes: wire.scopes ?? undefined,
    disabled: wire.disabled ?? undefined,
    secret: readSecret(wire.client_secret ?? undefined),
  }
}

function readWebhook(wire: WireWebhookFixture): WebhookFixture {
  const { webhook_endpoint_id, url, signing_secret, types, paused } = wire
  return {
    webhookEndpointId: webhook_endpoint_id ?? undefined,
    // The URL as the store keeps it. Any other text is refused later.
    url: parseUrl(url)?.href ?? url,
    signingSecret: readSecret(signing_secret ?? undefined),
    eventTypes: types,
    isPaused: paused ?? undefined,
  }
}

function readInvestor(wire: WireInvestorFixture): InvestorFixture {
  return {
    investorId: wire.investor_id ?? undefined,
    partnerCustomerRef: wire.partner_customer_ref,
    email: wire.email ?? null,
    profile: wire.profile ? readProfile(wire.profile) : null,
    fate: readFate(wire.fate),
    sharePurchases: (wire.share_purchases ?? []).map(readSharePurchaseFixture),
  }
}

/** Validation also checks files that do not fit their shape: this reads the parts that it needs. */
export function readPartialFixtures({
  organizations,
}: DeepPartial<WireFixtureFile>): DeepPartial<Fixtures> {
  return {
    organizations: organizations?.map(
      (organization) =>
        organization && {
          investors: organization.investors?.map(
            (investor) => investor && readInvestorParts(investor),
          ),
        },
    ),
  }
}

function readInvestorParts({
  email,
  profile,
  share_purchases,
}: DeepPartial<WireInvestorFixture>): DeepPartial<InvestorFixture> {
  return {
    email,
    profile: profile && readPartialProfile(profile),
    sharePurchases: share_purchases?.map(
      (order) => order && readPartialSharePurchaseFixture(order),
    ),
  }
}
