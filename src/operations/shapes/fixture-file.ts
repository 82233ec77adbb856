import { array, boolean, enums, type Infer, object } from 'superstruct'
import { cooperativeDefinitionShape } from './cooperative-definition.ts'
import { id } from './id.ts'
import { orNull } from './or-null.ts'
import { emailLength, profileShape } from './profile.ts'
import { someScopes } from './scopes.ts'
import { sharePurchaseFixtureShape } from './share-purchase-fixture.ts'
import { fileText } from './text.ts'

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

const investorShape = object({
  partner_customer_ref: fileText(255),
  investor_id: orNull(id()),
  email: orNull(fileText(emailLength)),
  profile: orNull(profileShape),
  share_purchases: orNull(array(sharePurchaseFixtureShape)),
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
