import type { BankAccount } from '../../domain/investors/profile.ts'
import type { Client } from '../../domain/oauth/client.ts'
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts'
import type {
  ExportedCooperative,
  ExportedFixtures,
  ExportedInvestor,
  ExportedOrganization,
  ExportedSharePurchase,
} from '../../usecases/fixtures/exported-fixtures.ts'
import { renderCooperativeDefinition } from './render-cooperative.ts'
import { renderConsent, renderProfileSections } from './render-profile.ts'
import { withoutNulls } from './without-nulls.ts'

/** In the form of fixture files, so that it can be applied again. */
export function renderExportedFixtures({ organizations, cooperatives }: ExportedFixtures) {
  return withoutNulls({
    organizations: organizations.map(renderOrganization),
    cooperatives: cooperatives.map(renderCooperative),
  })
}

function renderOrganization({
  organization,
  clients,
  webhookEndpoints,
  investors,
}: ExportedOrganization) {
  return {
    name: organization.name,
    organization_id: organization.organizationId,
    investor_mail: organization.investorMail,
    clients: clients.map(renderClient),
    webhooks: webhookEndpoints.map(renderWebhook),
    investors: investors.map(renderInvestor),
  }
}

function renderClient(client: Client) {
  return {
    client_id: client.clientId,
    name: client.name,
    kind: client.kind,
    scopes: client.grantedScopes,
    disabled: client.disabled,
  }
}

function renderWebhook({ webhookEndpointId, url }: WebhookEndpoint) {
  return { webhook_endpoint_id: webhookEndpointId, url }
}

function renderInvestor({ investor, sharePurchases }: ExportedInvestor) {
  return {
    partner_customer_ref: investor.partnerCustomerRef,
    investor_id: investor.investorId,
    email: investor.email,
    profile: investor.profile && renderProfileSections(investor.profile, renderBankAccount),
    share_purchases: sharePurchases.map(renderSharePurchase),
  }
}

function renderBankAccount({ iban, bic, institution, accountHolder }: BankAccount) {
  return { iban, bic, institution, account_holder: accountHolder }
}

function renderSharePurchase({ sharePurchase, cooperativeKey, debtorIban }: ExportedSharePurchase) {
  const { sepaMandate, consents } = sharePurchase
  return {
    share_purchase_id: sharePurchase.sharePurchaseId,
    cooperative: cooperativeKey,
    share_count: sharePurchase.shareCount,
    status: sharePurchase.status,
    reason: sharePurchase.reason,
    applicant_type: sharePurchase.applicantType,
    price_per_share: sharePurchase.pricePerShare,
    entry_fee: sharePurchase.entryFee,
    total: sharePurchase.total,
    sepa_mandate: {
      signed_at: sepaMandate.signedAt,
      debtor_iban: debtorIban,
      reference: sepaMandate.reference,
    },
    consents: { terms: renderConsent(consents.terms), privacy: renderConsent(consents.privacy) },
    statute_consent_given_at: consents.statute.givenAt,
  }
}

function renderCooperative({ cooperative, images }: ExportedCooperative) {
  const definition = renderCooperativeDefinition(cooperative)
  const renderImage = (ownerId: string, kind: string) => {
    const image = images.find((one) => one.ownerId === ownerId && one.kind === kind)
    return image ? { content_type: image.contentType, base64: image.base64 } : null
  }
  return {
    ...definition,
    hero_image: renderImage(cooperative.id, 'hero'),
    card_image: renderImage(cooperative.id, 'card'),
    logo_image: renderImage(cooperative.id, 'logo'),
    projects: definition.projects.map((project) => ({
      ...project,
      image: renderImage(project.id, 'project'),
    })),
  }
}
