import { array, boolean, enums, type Infer, object } from 'superstruct'
import type { DeepPartial } from '../domain/deep-partial.ts'
import type {
  ClientFixture,
  Fixtures,
  InvestorFixture,
  OrganizationFixture,
  WebhookFixture,
} from '../usecases/fixtures/fixtures.ts'
import { cooperativeDefinitionShape, readCooperativeDefinition } from './cooperative-definition.ts'
import { fate, fileText, id, optionalOrNull, readFate, scopesShape } from './fields.ts'
import { emailLength, profileShape, readPartialProfile, readProfile } from './investors.ts'
import {
  readPartialSharePurchaseFixture,
  readSharePurchaseFixture,
  sharePurchaseFixtureShape,
} from './share-purchase-fixture.ts'

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

/** @param wire has passed the shape */
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
    secret: wire.client_secret ?? undefined,
  }
}

function readWebhook(wire: WireWebhookFixture): WebhookFixture {
  const { webhook_endpoint_id, url, signing_secret } = wire
  return {
    webhookEndpointId: webhook_endpoint_id ?? undefined,
    // As it is stored; anything but a URL is refused later.
    url: URL.canParse(url) ? new URL(url).href : url,
    signingSecret: signing_secret ?? undefined,
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

/** Reads the parts that validation needs of a file that does not fit its shape. */
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
