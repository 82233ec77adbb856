import type { Coordinates } from '../../domain/cooperatives/cooperative.ts'
import type {
  CooperativeDefinition,
  ProjectDefinition,
} from '../../domain/cooperatives/cooperative-definition.ts'
import type { ImageFile } from '../../domain/cooperatives/image-file.ts'
import { zero } from '../../domain/money.ts'
import { readAmount } from './amount.ts'
import type {
  WireCooperativeDefinition,
  WireImageFile,
  WireProjectDefinition,
} from './cooperative-definition.ts'

/** From the form of files and operations; the shape has been checked. */
export function readCooperativeDefinition(wire: WireCooperativeDefinition): CooperativeDefinition {
  return {
    key: wire.key,
    id: wire.id ?? undefined,
    published: wire.published ?? undefined,
    // Nobody means the spaces around a text, or the line break at the end of a block of YAML. A key and the name of a
    // project stay as they are, because ids are derived from them.
    name: wire.name.trim(),
    description: wire.description?.trim() ?? null,
    city: wire.city?.trim() ?? null,
    postalCode: wire.postal_code?.trim() ?? null,
    websiteUrl: wire.website_url ?? null,
    energyCategory: wire.energy_category,
    energyType: wire.energy_type?.trim() ?? null,
    ...readTerms(wire),
    bafaFunded: wire.bafa_funded ?? false,
    affiliation: wire.affiliation ?? 'independent',
    coordinates: wire.coordinates ? readCoordinates(wire.coordinates) : null,
    images: readImages(wire),
    projects: (wire.projects ?? []).map(readProjectDefinition),
  }
}

function readTerms(wire: WireCooperativeDefinition) {
  const sharePrice = readAmount(wire.share_price)
  return {
    sharePrice,
    shareValue: wire.share_value == null ? sharePrice : readAmount(wire.share_value),
    entryFee: wire.entry_fee == null ? zero : readAmount(wire.entry_fee),
    minimumShares: wire.minimum_shares ?? 1,
    dividendType: wire.dividend_type ?? 'none',
    dividendRatePercent: readNumber(wire.dividend_rate_percent),
  } as const
}

function readCoordinates({ latitude, longitude }: Coordinates): Coordinates {
  return { latitude: withoutMinusZero(latitude), longitude: withoutMinusZero(longitude) }
}

function readNumber(value: number | null | undefined): number | null {
  return value == null ? null : withoutMinusZero(value)
}

/** No store keeps the sign of minus zero, so the same file would count as another one. */
function withoutMinusZero(value: number): number {
  return value === 0 ? 0 : value
}

function readImages(wire: WireCooperativeDefinition): CooperativeDefinition['images'] {
  return {
    ...(wire.hero_image && { hero: readImageFile(wire.hero_image) }),
    ...(wire.card_image && { card: readImageFile(wire.card_image) }),
    ...(wire.logo_image && { logo: readImageFile(wire.logo_image) }),
  }
}

function readImageFile({ content_type, base64 }: WireImageFile): ImageFile {
  return { contentType: content_type, base64 }
}

function readProjectDefinition(wire: WireProjectDefinition): ProjectDefinition {
  return {
    id: wire.id ?? undefined,
    name: wire.name,
    type: wire.type.trim(),
    energyCategory: wire.energy_category,
    city: wire.city?.trim() ?? null,
    capacityKw: readNumber(wire.capacity_kw),
    annualYieldMwh: readNumber(wire.annual_yield_mwh),
    co2SavingsTons: readNumber(wire.co2_savings_tons),
    commissionedOn: wire.commissioned_on ?? null,
    image: wire.image ? readImageFile(wire.image) : undefined,
  }
}
