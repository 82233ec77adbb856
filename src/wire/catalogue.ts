import {
  type Cooperative,
  groupProjectsByType,
  minimumInvestmentAmount,
  type Project,
} from '../domain/cooperatives/cooperative.ts'
import type { CooperativeImageKind } from '../domain/cooperatives/image.ts'
import type { CatalogueMatch } from '../domain/cooperatives/search-catalogue.ts'
import { currency } from '../domain/money.ts'
import { renderProjectDefinition } from './cooperative-definition.ts'

/** The base of all absolute URLs. */
type BaseUrl = string

/** An item of the list. The request decides whether it has distance and coordinates. */
export function renderCooperativeSummary(
  { cooperative, distanceKm }: CatalogueMatch,
  options: { readonly baseUrl: BaseUrl; readonly includeCoordinates: boolean },
) {
  return {
    ...renderCooperative(cooperative, options.baseUrl),
    ...(options.includeCoordinates && { coordinates: cooperative.coordinates }),
    ...(distanceKm !== undefined && { distance_km: distanceKm }),
  }
}

export function renderCooperativeDetail(
  cooperative: Cooperative,
  options: { readonly baseUrl: BaseUrl; readonly expandProjects: boolean },
) {
  const { projects, coordinates } = cooperative
  const { baseUrl, expandProjects } = options
  return {
    ...renderCooperative(cooperative, baseUrl),
    coordinates,
    projects_by_type: expandProjects ? null : renderProjectsByType(projects),
    projects: expandProjects ? projects.map((project) => renderProject(project, baseUrl)) : null,
  }
}

function renderCooperative(cooperative: Cooperative, baseUrl: BaseUrl) {
  return {
    id: cooperative.id,
    name: cooperative.name,
    description: cooperative.description,
    city: cooperative.city,
    postal_code: cooperative.postalCode,
    website_url: cooperative.websiteUrl,
    energy_category: cooperative.energyCategory,
    energy_type: cooperative.energyType,
    ...renderTerms(cooperative),
    bafa_funded: cooperative.bafaFunded,
    affiliation: cooperative.affiliation,
    ...renderImageUrls(cooperative, baseUrl),
    created_at: cooperative.createdAt,
    updated_at: cooperative.updatedAt,
  }
}

function renderTerms(cooperative: Cooperative) {
  return {
    share_price: cooperative.sharePrice,
    share_price_currency: currency,
    share_value: cooperative.shareValue,
    share_value_currency: currency,
    entry_fee: cooperative.entryFee,
    entry_fee_currency: currency,
    minimum_shares: cooperative.minimumShares,
    min_investment_amount: minimumInvestmentAmount(cooperative),
    min_investment_amount_currency: currency,
    dividend_type: cooperative.dividendType,
    dividend_rate_percent: cooperative.dividendRatePercent,
  }
}

function renderImageUrls(cooperative: Cooperative, baseUrl: BaseUrl) {
  const url = (kind: CooperativeImageKind) =>
    `${baseUrl}/images/cooperatives/${cooperative.id}/${kind}`
  return {
    hero_image_url: cooperative.hasHeroImage ? url('hero') : null,
    card_image_url: cooperative.hasCardImage ? url('card') : null,
    logo_image_url: cooperative.hasLogoImage ? url('logo') : null,
  }
}

function renderProjectsByType(projects: readonly Project[]) {
  return groupProjectsByType(projects).map(({ type, count, capacityKw }) => ({
    type,
    count,
    capacity_kw: capacityKw,
  }))
}

function renderProject(project: Project, baseUrl: BaseUrl) {
  return {
    ...renderProjectDefinition(project),
    image_url: project.hasImage ? `${baseUrl}/images/projects/${project.id}` : null,
  }
}
