// What partners get. Fastify compiles a serializer from each schema.
import Type from 'typebox'

const nullableText = Type.String({ nullable: true })
const instant = Type.String({ format: 'date-time' })
const nullableInstant = Type.String({ format: 'date-time', nullable: true })
const texts = Type.Array(Type.String())
const consent = Type.Object({ given: Type.Boolean(), given_at: nullableText })

const sections = {
  first_name: nullableText,
  last_name: nullableText,
  birth_date: nullableText,
  tax_id: nullableText,
  phone: nullableText,
  address: Type.Object(
    {
      street: Type.String(),
      house_number: Type.String(),
      postal_code: Type.String(),
      city: Type.String(),
    },
    { nullable: true },
  ),
  bank_account: Type.Object(
    {
      iban_masked: Type.String(),
      bic: nullableText,
      institution: nullableText,
      account_holder: nullableText,
    },
    { nullable: true },
  ),
  company: Type.Object(
    { name: Type.String(), legal_form: Type.String(), tax_id: Type.String() },
    { nullable: true },
  ),
  consents: Type.Object({
    terms: consent,
    privacy: consent,
    data_sharing: consent,
    representation_authorization: consent,
  }),
}

const completeness = { is_profile_complete: Type.Boolean(), missing_profile_fields: texts }

export const ProfileAnswer = Type.Object({
  investor_id: Type.String(),
  email: nullableText,
  ...sections,
  ...completeness,
})

export const InvestorAnswer = Type.Object({
  investor_id: Type.String(),
  partner_customer_ref: Type.String(),
  email: nullableText,
  profile: Type.Object(sections, { nullable: true }),
  ...completeness,
  created_at: instant,
  updated_at: instant,
})

const givenConsent = Type.Object({ given: Type.Boolean(), given_at: instant })

export const OrderAnswer = Type.Object({
  share_purchase_id: Type.String(),
  investor_id: Type.String(),
  cooperative_id: Type.String(),
  status: Type.String(),
  applicant_type: Type.String(),
  share_count: Type.Integer(),
  price_per_share: Type.String(),
  price_per_share_currency: Type.String(),
  entry_fee: Type.String(),
  entry_fee_currency: Type.String(),
  total: Type.String(),
  total_currency: Type.String(),
  sepa_mandate: Type.Object({
    reference: Type.String(),
    signed_at: instant,
    debtor_iban_masked: Type.String(),
  }),
  consents: Type.Object({ terms: givenConsent, privacy: givenConsent, statute: givenConsent }),
  reason: nullableText,
  created_at: instant,
  updated_at: instant,
})

export const HoldingAnswer = Type.Object({
  id: Type.String(),
  cooperative_id: Type.String(),
  investor_id: Type.String(),
  shares: Type.Integer(),
  pending_shares: Type.Integer(),
  first_acquired_at: nullableInstant,
  created_at: instant,
  updated_at: instant,
})

const summary = {
  id: Type.String(),
  name: Type.String(),
  description: nullableText,
  city: nullableText,
  postal_code: nullableText,
  website_url: nullableText,
  energy_category: Type.String(),
  energy_type: nullableText,
  share_price: Type.String(),
  share_price_currency: Type.String(),
  share_value: Type.String(),
  share_value_currency: Type.String(),
  entry_fee: Type.String(),
  entry_fee_currency: Type.String(),
  minimum_shares: Type.Integer(),
  min_investment_amount: Type.String(),
  min_investment_amount_currency: Type.String(),
  dividend_type: Type.String(),
  dividend_rate_percent: Type.Number({ nullable: true }),
  bafa_funded: Type.Boolean(),
  affiliation: Type.String(),
  hero_image_url: nullableText,
  card_image_url: nullableText,
  logo_image_url: nullableText,
  created_at: instant,
  updated_at: instant,
}

export const CooperativeAnswer = Type.Object(summary)

const none = Type.Array(Type.Object({}), { nullable: true })

export const CooperativeDetail = Type.Object({
  ...summary,
  coordinates: Type.Object(
    { latitude: Type.Number(), longitude: Type.Number() },
    { nullable: true },
  ),
  projects_by_type: none,
  projects: none,
})

export function pageOf(item) {
  return Type.Object({
    items: Type.Array(item),
    page: Type.Integer(),
    size: Type.Integer(),
    total_items: Type.Integer(),
    total_pages: Type.Integer(),
    has_next: Type.Boolean(),
    has_previous: Type.Boolean(),
    sort: Type.Optional(Type.String()),
  })
}

export const ClientAnswer = Type.Object({
  client_id: Type.String(),
  organization_id: Type.String(),
  token_scopes: texts,
  granted_scopes: texts,
})
