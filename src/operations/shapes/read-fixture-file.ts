import type {
  ClientFixture,
  Fixtures,
  InvestorFixture,
  OrganizationFixture,
  WebhookFixture,
} from '../../usecases/fixtures/fixtures.ts'
import type {
  WireClientFixture,
  WireFixtureFile,
  WireInvestorFixture,
  WireOrganizationFixture,
  WireWebhookFixture,
} from './fixture-file.ts'
import { readProfile } from './profile.ts'
import { readCooperativeDefinition } from './read-cooperative-definition.ts'
import { readSharePurchaseFixture } from './share-purchase-fixture.ts'

/** From the form of files; the shape has been checked. */
export function readFixtureFile({ organizations, cooperatives }: WireFixtureFile): Fixtures {
  return {
    organizations: (organizations ?? []).map(readOrganization),
    // What a set-up names is there to be seen, unless it says otherwise.
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

function readWebhook({ webhook_endpoint_id, url }: WireWebhookFixture): WebhookFixture {
  return {
    webhookEndpointId: webhook_endpoint_id ?? undefined,
    // As it is stored; what is no URL is refused later.
    url: URL.canParse(url) ? new URL(url).href : url,
  }
}

function readInvestor(wire: WireInvestorFixture): InvestorFixture {
  return {
    investorId: wire.investor_id ?? undefined,
    partnerCustomerRef: wire.partner_customer_ref,
    email: wire.email ?? null,
    profile: wire.profile ? readProfile(wire.profile) : null,
    sharePurchases: (wire.share_purchases ?? []).map(readSharePurchaseFixture),
  }
}
