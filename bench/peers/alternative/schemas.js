// What partners send. Fastify compiles these schemas once.
import Type from 'typebox'

const closed = { additionalProperties: false }
const text = Type.String({ maxLength: 200, pattern: '\\S' })
const optionalText = Type.Optional(Type.String({ maxLength: 200, pattern: '\\S', nullable: true }))
const instant = Type.String({ format: 'date-time' })
const optionalEmail = Type.Optional(
  Type.String({ format: 'email', maxLength: 255, nullable: true }),
)

const consentFields = {
  given: Type.Boolean(),
  given_at: Type.Optional(Type.String({ format: 'date-time', nullable: true })),
}
const consent = Type.Object(consentFields, closed)

const address = Type.Object(
  { street: text, house_number: text, postal_code: text, city: text },
  { ...closed, nullable: true },
)
const bankAccount = Type.Object(
  {
    iban: Type.String(),
    bic: optionalText,
    institution: optionalText,
    account_holder: optionalText,
  },
  { ...closed, nullable: true },
)
const company = Type.Object(
  { name: text, legal_form: text, tax_id: text },
  { ...closed, nullable: true },
)
const consents = Type.Object(
  {
    terms: consent,
    privacy: consent,
    data_sharing: consent,
    representation_authorization: Type.Optional(
      Type.Object(consentFields, { ...closed, nullable: true }),
    ),
  },
  closed,
)

const profileFields = {
  first_name: optionalText,
  last_name: optionalText,
  birth_date: Type.Optional(Type.String({ format: 'date', nullable: true })),
  tax_id: optionalText,
  phone: optionalText,
  email: optionalEmail,
  address: Type.Optional(address),
  bank_account: Type.Optional(bankAccount),
  company: Type.Optional(company),
  consents,
}

export const Profile = Type.Object(profileFields, closed)

export const Provision = Type.Object(
  {
    partner_customer_ref: Type.String({ maxLength: 255, pattern: '\\S' }),
    email: optionalEmail,
    profile: Type.Optional(Type.Object(profileFields, { ...closed, nullable: true })),
  },
  closed,
)

export const Order = Type.Object(
  {
    cooperative_id: Type.String({ format: 'uuid' }),
    share_count: Type.Integer({ minimum: 1, maximum: 10_000 }),
    applicant_type: Type.Optional(
      Type.String({ enum: ['private', 'company', null], nullable: true }),
    ),
    sepa_mandate: Type.Object(
      { signed_at: instant, debtor_iban: optionalText, reference: optionalText },
      closed,
    ),
    statute_consent_given_at: instant,
  },
  closed,
)
