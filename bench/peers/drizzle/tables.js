import {
  boolean,
  doublePrecision,
  integer,
  jsonb,
  numeric,
  pgTable,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'

const instant = (name) => timestamp(name, { withTimezone: true })
const amount = (name) => numeric(name, { precision: 14, scale: 2 })
const dates = {
  created_at: instant('created_at').notNull().defaultNow(),
  updated_at: instant('updated_at').notNull().defaultNow(),
}

export const clients = pgTable('clients', {
  client_id: uuid('client_id').primaryKey(),
  organization_id: uuid('organization_id').notNull(),
  secret_sha256: text('secret_sha256').notNull(),
  scopes: text('scopes').array().notNull(),
})

export const endpoints = pgTable('endpoints', {
  endpoint_id: uuid('endpoint_id').primaryKey(),
  organization_id: uuid('organization_id').notNull(),
  url: text('url').notNull(),
  signing_secret: text('signing_secret').notNull(),
})

export const cooperatives = pgTable('cooperatives', {
  cooperative_id: uuid('cooperative_id').primaryKey(),
  name: text('name').notNull(),
  description: text('description'),
  city: text('city'),
  postal_code: text('postal_code'),
  website_url: text('website_url'),
  energy_category: text('energy_category').notNull(),
  energy_type: text('energy_type'),
  share_price: amount('share_price').notNull(),
  share_value: amount('share_value').notNull(),
  entry_fee: amount('entry_fee').notNull(),
  minimum_shares: integer('minimum_shares').notNull(),
  dividend_type: text('dividend_type').notNull(),
  dividend_rate_percent: doublePrecision('dividend_rate_percent'),
  bafa_funded: boolean('bafa_funded').notNull(),
  affiliation: text('affiliation').notNull(),
  coordinates: jsonb('coordinates'),
  ...dates,
})

export const investors = pgTable('investors', {
  investor_id: uuid('investor_id').primaryKey(),
  organization_id: uuid('organization_id').notNull(),
  partner_customer_ref: text('partner_customer_ref').notNull(),
  email: text('email'),
  profile: jsonb('profile'),
  provision_digest: text('provision_digest').notNull(),
  ...dates,
})

export const sharePurchases = pgTable('share_purchases', {
  share_purchase_id: uuid('share_purchase_id').primaryKey(),
  organization_id: uuid('organization_id').notNull(),
  investor_id: uuid('investor_id').notNull(),
  cooperative_id: uuid('cooperative_id').notNull(),
  status: text('status').notNull(),
  applicant_type: text('applicant_type').notNull(),
  share_count: integer('share_count').notNull(),
  price_per_share: amount('price_per_share').notNull(),
  entry_fee: amount('entry_fee').notNull(),
  total: amount('total').notNull(),
  mandate_reference: text('mandate_reference').notNull(),
  mandate_signed_at: instant('mandate_signed_at').notNull(),
  debtor_iban: text('debtor_iban').notNull(),
  terms_given_at: instant('terms_given_at').notNull(),
  privacy_given_at: instant('privacy_given_at').notNull(),
  statute_given_at: instant('statute_given_at').notNull(),
  reason: text('reason'),
  ...dates,
})

export const holdings = pgTable('holdings', {
  id: uuid('id').primaryKey().defaultRandom(),
  investor_id: uuid('investor_id').notNull(),
  cooperative_id: uuid('cooperative_id').notNull(),
  shares: integer('shares').notNull().default(0),
  pending_shares: integer('pending_shares').notNull(),
  first_acquired_at: instant('first_acquired_at'),
  ...dates,
})

export const idempotencyKeys = pgTable('idempotency_keys', {
  organization_id: uuid('organization_id').notNull(),
  key: text('key').notNull(),
  digest: text('digest').notNull(),
  share_purchase_id: uuid('share_purchase_id').notNull(),
  created_at: instant('created_at').notNull().defaultNow(),
})

export const events = pgTable('events', {
  event_id: uuid('event_id').primaryKey(),
  organization_id: uuid('organization_id').notNull(),
  share_purchase_id: uuid('share_purchase_id').notNull(),
  type: text('type').notNull(),
  body: text('body').notNull(),
  created_at: instant('created_at').notNull(),
})
