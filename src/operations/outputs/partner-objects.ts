import { energyCategories } from '../../domain/cooperatives/cooperative.ts'
import { scopes } from '../../domain/oauth/scope.ts'
import { operatorRoles } from '../../domain/operators/operator.ts'
import { sharePurchaseStatuses } from '../../domain/share-purchases/share-purchase.ts'
import {
  amount,
  bool,
  count,
  id,
  instant,
  type JsonSchema,
  list,
  number,
  oneOf,
  orNull,
  record,
  refer,
  text,
} from '../../wire/json-schema.ts'
import type { Output, Row } from '../operations.ts'

type Minted = Output<'client.create'>
type AppliedClient = Output<'fixtures.apply'>['clients'][number]
type Client = Output<'client.disable'>
type ListedClient = Output<'client.list'>[number]
type Operator = Output<'operator.disable'>
type MintedOperator = Output<'operator.create'>
type ClientRecord = Output<'client.show'>
type Key = Output<'key.rotate'>
type CooperativeRow = Output<'cooperative.publish'>
type Cooperative = Output<'cooperative.show'>
type Imported = Output<'cooperative.import'>
type PriceChange = Output<'cooperative.price_history'>[number]
type Deleted = Output<'organization.delete'>
type PurchaseRow = Output<'purchase.approve'>
type Purchase = Output<'purchase.show'>
type ListedPurchase = Row<'purchase.list'>
type Preview = Output<'purchase.preview'>

const created = instant('Time of creation.')
const updated = instant('Time of the last change.')

const client = {
  client_id: id('Id of the client.'),
  organization_id: id('Organization of the client.'),
  name: orNull(text('Name that distinguishes the client from others.')),
  kind: oneOf(['partner', 'internal'], 'Internal clients cannot use the partner API.'),
  disabled: bool('Whether the client is disabled.'),
  granted_scopes: list(oneOf(scopes, ''), 'Scopes of the client.'),
  created_at: created,
  updated_at: updated,
}

const mintedClient = {
  ...client,
  secret_id: id('Id of the secret.'),
  client_secret: text('The secret, which is shown only once.'),
}

const operator = {
  operator_id: id('Id of the operator.'),
  name: text('Name of the operator.'),
  role: oneOf(operatorRoles, 'Role of the operator.'),
  state: oneOf(['active', 'disabled'], 'The token of a disabled operator is refused.'),
  token_created_at: instant('Time at which the token was created.'),
  created_at: created,
  updated_at: updated,
}

const key = {
  kid: text('Id of the key.'),
  state: oneOf(
    ['published', 'signing', 'retiring', 'retired', 'revoked'],
    'State of the key. Exactly one key has the state `signing`.',
  ),
  created_at: created,
  signs_from: instant('The key signs access tokens from this time on.'),
  retired_at: orNull(instant('The key is no longer published from this time on.')),
}

const cooperativeRow = {
  id: id('Id of the cooperative.'),
  key: text('Key of the cooperative.'),
  name: text('Name of the cooperative.'),
  published: bool('Whether partners see the cooperative.'),
  city: orNull(text('City of the cooperative.')),
  energy_category: oneOf(energyCategories, 'Category of energy.'),
  share_price: amount('Price of a share.'),
  share_price_currency: text('Currency, ISO 4217.'),
  updated_at: updated,
}

const purchaseRow = {
  share_purchase_id: id('Id of the share purchase.'),
  status: oneOf(sharePurchaseStatuses, 'Status of the share purchase.'),
  organization_id: id('Organization of the partner.'),
  investor_id: id('Id of the investor.'),
  cooperative_id: id('Id of the cooperative.'),
  applicant_type: oneOf(['private', 'company'], 'Who buys the shares.'),
  share_count: count('Number of shares.'),
  price_per_share: amount('Price of a share when the order was placed.'),
  entry_fee: amount('Entry fee of the order.'),
  total: amount('Amount to pay.'),
  total_currency: text('Currency, ISO 4217.'),
  mandate_reference: text('Reference of the SEPA mandate.'),
  debtor_iban_masked: text('Masked IBAN of the account.'),
  reason: orNull(text('Reason for the rejection.')),
  rests_on: orNull(
    list(id(''), 'Orders that must be settled before this order, which depends on them.'),
  ),
  proposal: orNull(
    refer('Proposal', 'Decision that another operator has to confirm; null if there is none.'),
  ),
  created_at: instant('Time at which the order was placed.'),
  settled_at: orNull(instant('Time of the settlement; null if not settled.')),
  updated_at: updated,
}

const listedPurchase = {
  ...purchaseRow,
  organization: orNull(text('Name of the organization.')),
  partner_customer_ref: orNull(text('The partner’s reference for the investor.')),
  cooperative: orNull(text('Name of the cooperative.')),
  cooperative_key: orNull(text('Key of the cooperative.')),
}

export const importedCooperatives = {
  created: count('Number of new cooperatives.'),
  updated: count('Number of changed cooperatives.'),
  unchanged: count('Number of unchanged cooperatives.'),
  cooperatives: list(refer('Imported cooperative'), 'The cooperatives of the file.'),
}

export const partnerObjects: Readonly<Record<string, JsonSchema>> = {
  Proposal: record<NonNullable<PurchaseRow['proposal']>>({
    decision: oneOf(['settle', 'reject'], 'Proposed decision.'),
    reason: orNull(text('Reason of a rejection.')),
    operator: text('Name of the operator who made the proposal.'),
    at: instant('Time of the proposal.'),
  }),
  Operator: record<Operator>(operator),
  'New operator token': record<MintedOperator>({
    ...operator,
    token: text('Token of the operator, shown only here.'),
  }),
  Organization: record<Output<'organization.show'>>({
    organization_id: id('Id of the organization.'),
    name: text('Name, unique when case is ignored.'),
    investor_mail: bool('Whether investors get e-mails about their orders.'),
    self_service: bool('Whether the partner may decide its own orders in staging.'),
    disabled: bool(
      'Whether the organization is disabled: then its tokens are refused and its webhooks wait.',
    ),
    created_at: created,
    updated_at: updated,
  }),
  'Deleted organization': record<Deleted>({
    organization_id: id('Id of the organization.'),
    name: text('Name of the organization.'),
    clients: list(refer('Deleted client'), 'Clients that were deleted with the organization.'),
    webhooks: list(
      refer('Deleted webhook endpoint'),
      'Endpoints that were deleted with the organization.',
    ),
  }),
  'Deleted client': record<Deleted['clients'][number]>({
    client_id: id('Id of the client.'),
    name: client.name,
  }),
  'Deleted webhook endpoint': record<Deleted['webhooks'][number]>({
    webhook_endpoint_id: id('Id of the endpoint.'),
    url: text('URL of the endpoint.'),
  }),
  Client: record<Client>(client),
  'Listed client': record<ListedClient>({
    ...client,
    organization: orNull(text('Name of the organization.')),
  }),
  'Client with secrets': record<ClientRecord>({
    ...client,
    secrets: list(refer('Client secret'), 'Active secrets, without their values.'),
  }),
  'Client secret': record<ClientRecord['secrets'][number]>({
    secret_id: id('Id of the secret.'),
    created_at: created,
    last_used_at: orNull(instant('Time of the last token request with the secret.')),
  }),
  'New client secret': record<Minted>(mintedClient),
  'Applied client': record<AppliedClient>({
    ...mintedClient,
    organization: text('Name of the organization.'),
  }),
  'Access token': record<Output<'token.issue'>>({
    access_token: text('The token.'),
    token_type: text('Always `Bearer`.'),
    expires_in: count('Seconds until the token expires.'),
    scope: text('Scopes, separated by spaces.'),
  }),
  'Signing key': record<Key>(key),
  'Revoked key': record<Output<'key.revoke'>>({
    ...key,
    signing_kid: text('Id of the key that signs from now on.'),
  }),
  'Cooperative row': record<CooperativeRow>(cooperativeRow),
  Cooperative: record<Cooperative>({
    id: cooperativeRow.id,
    key: cooperativeRow.key,
    name: cooperativeRow.name,
    published: cooperativeRow.published,
    description: orNull(text('Description for investors.')),
    city: cooperativeRow.city,
    postal_code: orNull(text('Postal code.')),
    website_url: orNull(text('Website.')),
    energy_category: cooperativeRow.energy_category,
    energy_type: orNull(text('Type of energy, in free text.')),
    share_price: cooperativeRow.share_price,
    share_price_currency: text('Currency, ISO 4217.'),
    share_value: amount('Nominal value of a share.'),
    share_value_currency: text('Currency, ISO 4217.'),
    entry_fee: amount('Entry fee for the first order of an investor.'),
    entry_fee_currency: text('Currency, ISO 4217.'),
    minimum_shares: count('Minimum number of shares for an investor.'),
    dividend_type: text('Type of dividend.'),
    dividend_rate_percent: orNull(number('Dividend in percent.')),
    bafa_funded: bool('Whether BAFA funds the cooperative.'),
    affiliation: text('Affiliation with the platform.'),
    coordinates: orNull(refer('Coordinates', 'Place of the cooperative.')),
    projects: list(refer('Project'), 'Projects of the cooperative.'),
    images: list(oneOf(['hero', 'card', 'logo'], ''), 'Images that the cooperative has.'),
    created_at: created,
    updated_at: updated,
  }),
  Coordinates: record<NonNullable<Cooperative['coordinates']>>({
    latitude: number('Latitude in degrees.'),
    longitude: number('Longitude in degrees.'),
  }),
  Project: record<Cooperative['projects'][number]>({
    id: id('Id of the project.'),
    name: text('Name of the project.'),
    type: text('Type of the project, in free text.'),
    energy_category: oneOf(energyCategories, 'Category of energy.'),
    city: orNull(text('City of the project.')),
    capacity_kw: orNull(number('Capacity in kW.')),
    annual_yield_mwh: orNull(number('Yield in MWh per year.')),
    co2_savings_tons: orNull(number('Savings of CO2 in tonnes per year.')),
    commissioned_on: orNull({ ...text('Date of commissioning.'), format: 'date' }),
  }),
  'Price change': record<PriceChange>({
    at: instant('Time of the change.'),
    old_price: orNull(
      amount('Previous price; null if the cooperative was created with the new price.'),
    ),
    new_price: amount('New price.'),
    currency: text('Currency, ISO 4217.'),
  }),
  'Cooperative definition': {
    type: 'object',
    description: 'A cooperative in the form that can be imported.',
  },
  'Imported cooperative': record<Imported['cooperatives'][number]>({
    ...cooperativeRow,
    outcome: oneOf(['created', 'updated', 'unchanged'], 'What the import did.'),
  }),
  'Share purchase row': record<PurchaseRow>(purchaseRow),
  'Listed share purchase': record<ListedPurchase>(listedPurchase),
  'Share purchase preview': record<Preview>({
    count: count('Number of share purchases.'),
    total: amount('Sum of the totals.'),
    total_currency: text('Currency, ISO 4217.'),
    oldest: orNull(instant('Time at which the oldest order was placed.')),
    newest: orNull(instant('Time at which the newest order was placed.')),
    cooperatives: list(refer('Previewed cooperative'), 'Number and sum for each cooperative.'),
    share_purchase_ids: list(id(''), 'Ids of the share purchases, for the decision.'),
  }),
  'Previewed cooperative': record<Preview['cooperatives'][number]>({
    cooperative_id: id('Id of the cooperative.'),
    cooperative_key: orNull(text('Key of the cooperative.')),
    cooperative: orNull(text('Name of the cooperative.')),
    count: count('Number of share purchases.'),
    total: amount('Sum of the totals.'),
  }),
  'Share purchase': record<Purchase>({
    ...listedPurchase,
    fate: orNull(text('In staging: what happens to the order without an operator.')),
    history: list(refer('Status change'), 'Status changes, oldest first.'),
  }),
  'Status change': record<Purchase['history'][number]>({
    status: oneOf(sharePurchaseStatuses, 'New status.'),
    at: instant('Time of the change.'),
  }),
}
