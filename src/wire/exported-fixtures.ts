import type { BankAccount } from '../domain/investors/profile.ts'
import type { Client } from '../domain/oauth/client.ts'
import { renderFate } from '../domain/share-purchases/fate-text.ts'
import { isOpen, type SharePurchase } from '../domain/share-purchases/share-purchase.ts'
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts'
import type {
  ExportedCooperative,
  ExportedInvestor,
  ExportedOrganization,
  ExportedPart,
  ExportedSharePurchase,
} from '../usecases/fixtures/export-fixtures.ts'
import { renderCooperativeDefinition } from './cooperative-definition.ts'
import { renderConsent, renderProfileSections } from './investors.ts'

/**
 * A part of an export, in the format of fixture files. Investors belong to the last organization.
 */
export type RenderedPart =
  | { readonly organization: RenderedOrganization }
  | { readonly investors: readonly object[] }
  | { readonly cooperative: object }

interface RenderedOrganization {
  readonly name: string
  readonly organization_id: string
}

interface RenderedFixtures {
  readonly organizations: readonly (RenderedOrganization & { readonly investors: object[] })[]
  readonly cooperatives: readonly object[]
}

export function renderExportedPart(exported: ExportedPart): RenderedPart {
  switch (exported.part) {
    case 'organization':
      return { organization: withoutNulls(renderOrganization(exported)) as RenderedOrganization }
    case 'investors':
      return {
        investors: exported.investors.map((each) => withoutNulls(renderInvestor(each)) as object),
      }
    case 'cooperative':
      return { cooperative: renderExportedCooperative(exported) }
  }
}

/** Joins all parts into one fixture file. */
export function joinExportedParts(parts: readonly RenderedPart[]): RenderedFixtures {
  const organizations: (RenderedOrganization & { readonly investors: object[] })[] = []
  const cooperatives: object[] = []
  for (const part of parts) {
    if ('organization' in part) organizations.push({ ...part.organization, investors: [] })
    else if ('investors' in part) organizations.at(-1)?.investors.push(...part.investors)
    else cooperatives.push(part.cooperative)
  }
  return { organizations, cooperatives }
}

function renderOrganization({ organization, clients, webhookEndpoints }: ExportedOrganization) {
  return {
    name: organization.name,
    organization_id: organization.organizationId,
    investor_mail: organization.investorMail,
    self_service: organization.selfService,
    disabled: organization.disabled || null,
    clients: clients.map(renderClient),
    webhooks: webhookEndpoints.map(renderWebhook),
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

function renderWebhook({ webhookEndpointId, url, eventTypes, pausedAt }: WebhookEndpoint) {
  const types = eventTypes === null ? {} : { types: eventTypes }
  const paused = pausedAt === null ? {} : { paused: true }
  return { webhook_endpoint_id: webhookEndpointId, url, ...types, ...paused }
}

function renderInvestor({ investor, sharePurchases }: ExportedInvestor) {
  return {
    partner_customer_ref: investor.partnerCustomerRef,
    investor_id: investor.investorId,
    email: investor.email,
    profile: investor.profile && renderProfileSections(investor.profile, renderBankAccount),
    fate: investor.fate ? renderFate(investor.fate) : null,
    share_purchases: sharePurchases.map(renderSharePurchase),
  }
}

export function renderBankAccount({ iban, bic, institution, accountHolder }: BankAccount) {
  return { iban, bic, institution, account_holder: accountHolder }
}

function renderSharePurchase(exported: ExportedSharePurchase) {
  const { sharePurchase, cooperativeKey, debtorIban, isDated } = exported
  const { sepaMandate, consents, fate, restsOn = null } = sharePurchase
  return {
    share_purchase_id: sharePurchase.sharePurchaseId,
    cooperative: cooperativeKey,
    share_count: sharePurchase.shareCount,
    status: sharePurchase.status,
    reason: sharePurchase.reason,
    fate: fate && !isDated ? renderFate(fate) : null,
    applicant_type: sharePurchase.applicantType,
    price_per_share: sharePurchase.pricePerShare,
    entry_fee: sharePurchase.entryFee,
    total: sharePurchase.total,
    rests_on: isDated && !isOpen(sharePurchase) ? null : restsOn,
    sepa_mandate: {
      signed_at: sepaMandate.signedAt,
      debtor_iban: debtorIban,
      reference: sepaMandate.reference,
    },
    consents: { terms: renderConsent(consents.terms), privacy: renderConsent(consents.privacy) },
    statute_consent_given_at: consents.statute.givenAt,
    ...(isDated && renderDates(sharePurchase)),
  }
}

/** An order without a history was submitted when it was created, and still waits. */
function renderDates({ createdAt, transitions }: SharePurchase) {
  const [first, ...later] = transitions
  const isDefault = later.length === 0 && first?.at === createdAt
  const history = isDefault ? null : transitions.map(({ to, at }) => ({ status: to, at }))
  return { created_at: createdAt, history }
}

/** A definition that would create the same cooperative. */
export function renderExportedCooperative(exported: ExportedCooperative): object {
  return withoutNulls(renderCooperative(exported)) as object
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

/** Omits unset values, because people read the file. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const set = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(set.map(([key, member]) => [key, withoutNulls(member)]))
}
