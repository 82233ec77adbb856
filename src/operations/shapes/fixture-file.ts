import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  min,
  object,
  refine,
  string,
} from 'superstruct'
import { cooperativeDefinitionShape } from './cooperative-definition.ts'
import { id } from './id.ts'
import { orNull } from './or-null.ts'
import { emailLength, profileShape } from './profile.ts'
import { someScopes } from './scopes.ts'
import { fileText } from './text.ts'
import { timestamp } from './timestamp.ts'

const clientShape = object({
  client_id: orNull(id()),
  name: orNull(fileText()),
  kind: orNull(enums(['partner', 'internal'])),
  scopes: orNull(someScopes),
  disabled: orNull(boolean()),
  client_secret: orNull(fileText()),
})

const webhookShape = object({
  url: fileText(4000),
  webhook_endpoint_id: orNull(id()),
})

const mandateShape = object({
  signed_at: orNull(timestamp()),
  debtor_iban: orNull(string()),
  reference: orNull(string()),
})

const sharePurchaseFields = object({
  share_purchase_id: orNull(id()),
  cooperative: fileText(100),
  share_count: min(integer(), 1),
  status: orNull(enums(['submitted', 'approved', 'settled', 'rejected', 'cancelled'])),
  reason: orNull(fileText()),
  applicant_type: orNull(enums(['private', 'company'])),
  sepa_mandate: orNull(mandateShape),
  statute_consent_given_at: orNull(timestamp()),
})

const sharePurchaseShape = refine(
  sharePurchaseFields,
  'share purchase',
  ({ status, reason }) =>
    reason == null || status === 'rejected' || 'must be rejected to have a reason',
)

const investorShape = object({
  partner_customer_ref: fileText(255),
  investor_id: orNull(id()),
  email: orNull(fileText(emailLength)),
  profile: orNull(profileShape),
  share_purchases: orNull(array(sharePurchaseShape)),
})

const organizationShape = object({
  name: fileText(),
  organization_id: orNull(id()),
  investor_mail: orNull(boolean()),
  clients: orNull(array(clientShape)),
  webhooks: orNull(array(webhookShape)),
  investors: orNull(array(investorShape)),
})

/** A set-up as a file says it; images have been read into it. */
export const fixtureFileShape = object({
  organizations: orNull(array(organizationShape)),
  cooperatives: orNull(array(cooperativeDefinitionShape)),
})

export type WireFixtureFile = Infer<typeof fixtureFileShape>
export type WireOrganizationFixture = Infer<typeof organizationShape>
export type WireClientFixture = Infer<typeof clientShape>
export type WireWebhookFixture = Infer<typeof webhookShape>
export type WireInvestorFixture = Infer<typeof investorShape>
export type WireSharePurchaseFixture = Infer<typeof sharePurchaseFields>
