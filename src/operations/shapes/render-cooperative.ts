import type { Cooperative, Project } from '../../domain/cooperatives/cooperative.ts'
import { currency } from '../../domain/money.ts'

/** One line of a list. */
export function renderCooperativeRow(cooperative: Cooperative) {
  return {
    id: cooperative.id,
    key: cooperative.key,
    name: cooperative.name,
    published: cooperative.published,
    city: cooperative.city,
    energy_category: cooperative.energyCategory,
    share_price: cooperative.sharePrice,
    share_price_currency: currency,
    updated_at: cooperative.updatedAt,
  }
}

/** As a definition that makes the same cooperative, but for its images. */
export function renderCooperativeDefinition(cooperative: Cooperative) {
  return {
    key: cooperative.key,
    id: cooperative.id,
    name: cooperative.name,
    published: cooperative.published,
    description: cooperative.description,
    city: cooperative.city,
    postal_code: cooperative.postalCode,
    website_url: cooperative.websiteUrl,
    energy_category: cooperative.energyCategory,
    energy_type: cooperative.energyType,
    ...renderTerms(cooperative),
    bafa_funded: cooperative.bafaFunded,
    affiliation: cooperative.affiliation,
    coordinates: cooperative.coordinates,
    projects: cooperative.projects.map(renderProjectDefinition),
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
    dividend_type: cooperative.dividendType,
    dividend_rate_percent: cooperative.dividendRatePercent,
  }
}

function renderProjectDefinition(project: Project) {
  return {
    id: project.id,
    name: project.name,
    type: project.type,
    energy_category: project.energyCategory,
    city: project.city,
    capacity_kw: project.capacityKw,
    annual_yield_mwh: project.annualYieldMwh,
    co2_savings_tons: project.co2SavingsTons,
    commissioned_on: project.commissionedOn,
  }
}

/** All that an operator may want to know. */
export function renderCooperativeRecord(cooperative: Cooperative) {
  const { hasHeroImage, hasCardImage, hasLogoImage } = cooperative
  return {
    ...renderCooperativeDefinition(cooperative),
    images: [
      ...(hasHeroImage ? ['hero'] : []),
      ...(hasCardImage ? ['card'] : []),
      ...(hasLogoImage ? ['logo'] : []),
    ],
    created_at: cooperative.createdAt,
    updated_at: cooperative.updatedAt,
  }
}
