import {
  array,
  assign,
  boolean,
  enums,
  type Infer,
  literal,
  object,
  omit,
  optional,
  partial,
  refine,
  string,
} from 'superstruct'
import {
  affiliations,
  type Cooperative,
  type Coordinates,
  dividendTypes,
  energyCategories,
  type Project,
} from '../domain/cooperatives/cooperative.ts'
import type {
  CooperativeDefinition,
  KeptField,
  ProjectDefinition,
} from '../domain/cooperatives/cooperative-definition.ts'
import { type ImageFile, imageError } from '../domain/cooperatives/image.ts'
import { toElectronicFormat } from '../domain/investors/bank-identifiers.ts'
import { currency, zeroMoney } from '../domain/money.ts'
import {
  type CreditorTerms,
  creditorIbanError,
  creditorIdError,
  creditorNameError,
  defaultLeadDays,
  defaultNoticeDays,
} from '../domain/payments/creditor.ts'
import { parseUrl } from '../domain/text.ts'
import type { CooperativeChanges } from '../usecases/cooperatives/cooperatives.ts'
import { integerWithin, numberWithin } from './bounds.ts'
import {
  amount,
  date,
  fileText,
  id,
  multilineText,
  optionalOrNull,
  positiveAmount,
  readAmount,
  textWithFormat,
} from './fields.ts'

const maximumAddressLength = 2000
const quantity = numberWithin({ min: 0, max: 1_000_000_000 })
const webAddress = textWithFormat(
  'web address',
  (text) => (isWebAddress(text) ? undefined : 'must be an http or https address'),
  { type: 'string', maxLength: maximumAddressLength, description: 'An http or https address.' },
)

function isWebAddress(text: string): boolean {
  if (text.length > maximumAddressLength) return false
  return /^https?:$/.test(parseUrl(text)?.protocol ?? '')
}

const imageFileShape = refine(
  object({ content_type: string(), base64: string() }),
  'image',
  ({ content_type, base64 }) => imageError({ contentType: content_type, base64 }) ?? true,
)

const coordinatesShape = object({
  latitude: numberWithin({ min: -90, max: 90 }),
  longitude: numberWithin({ min: -180, max: 180 }),
})

const projectDefinitionShape = object({
  id: optionalOrNull(id()),
  name: fileText(),
  type: fileText(),
  energy_category: enums(energyCategories),
  city: optionalOrNull(fileText()),
  capacity_kw: optionalOrNull(quantity),
  annual_yield_mwh: optionalOrNull(quantity),
  co2_savings_tons: optionalOrNull(quantity),
  commissioned_on: optionalOrNull(date()),
  image: optionalOrNull(imageFileShape),
})

export const creditorFields = {
  name: textWithFormat('creditor name', creditorNameError, {
    type: 'string',
    description: 'Name of the creditor, with up to 70 characters in the character set of banks.',
  }),
  creditor_id: textWithFormat('creditor identifier', creditorIdError, {
    type: 'string',
    description: 'SEPA creditor identifier, such as DE98ZZZ09999999999.',
  }),
  iban: textWithFormat('IBAN', creditorIbanError, {
    type: 'string',
    description: 'IBAN of the account to which payments are collected.',
  }),
  notice_days: optionalOrNull(integerWithin({ min: 1, max: 90 })),
  lead_days: optionalOrNull(integerWithin({ min: 1, max: 30 })),
}

const creditorShape = object({
  ...creditorFields,
  /** Not read: it is derived from the IBAN. What `cooperative show` prints has it. */
  bic: optionalOrNull(string()),
})

/** @param wire data that fits the shape */
export function readCreditor(wire: Infer<typeof creditorShape>): CreditorTerms {
  return {
    name: wire.name.trim(),
    creditorId: toElectronicFormat(wire.creditor_id),
    iban: toElectronicFormat(wire.iban),
    noticeDays: wire.notice_days ?? defaultNoticeDays,
    leadDays: wire.lead_days ?? defaultLeadDays,
  }
}

/**
 * A cooperative in files and operations: everything that the catalogue shows, except computed
 * values, and for whom payments are collected.
 */
export const cooperativeDefinitionShape = object({
  key: fileText(100),
  id: optionalOrNull(id()),
  published: optionalOrNull(boolean()),
  name: fileText(),
  description: optionalOrNull(multilineText()),
  city: optionalOrNull(fileText()),
  postal_code: optionalOrNull(fileText(20)),
  website_url: optionalOrNull(webAddress),
  energy_category: enums(energyCategories),
  energy_type: optionalOrNull(fileText()),
  share_price: positiveAmount(),
  share_price_currency: optionalOrNull(literal(currency)),
  share_value: optionalOrNull(positiveAmount()),
  share_value_currency: optionalOrNull(literal(currency)),
  entry_fee: optionalOrNull(amount()),
  entry_fee_currency: optionalOrNull(literal(currency)),
  minimum_shares: optionalOrNull(integerWithin({ min: 1, max: 1_000_000 })),
  dividend_type: optionalOrNull(enums(dividendTypes)),
  dividend_rate_percent: optionalOrNull(numberWithin({ min: 0, max: 100 })),
  bafa_funded: optionalOrNull(boolean()),
  affiliation: optionalOrNull(enums(affiliations)),
  coordinates: optionalOrNull(coordinatesShape),
  creditor: optionalOrNull(creditorShape),
  hero_image: optionalOrNull(imageFileShape),
  card_image: optionalOrNull(imageFileShape),
  logo_image: optionalOrNull(imageFileShape),
  projects: optionalOrNull(array(projectDefinitionShape)),
})

export type WireCooperativeDefinition = Infer<typeof cooperativeDefinitionShape>
type WireProjectDefinition = Infer<typeof projectDefinitionShape>
export type WireImageFile = Infer<typeof imageFileShape>

/** The fields of a cooperative that can be changed one by one; null removes the value of a field. */
export const cooperativeChangesShape = assign(
  partial(
    omit(cooperativeDefinitionShape, [
      'key',
      'id',
      'projects',
      'creditor',
      'hero_image',
      'card_image',
      'logo_image',
      'share_price_currency',
      'share_value_currency',
      'entry_fee_currency',
    ]),
  ),
  // In a definition, null stands for the price of a share. A change may lack the price, so null is not allowed.
  object({ share_value: optional(positiveAmount()) }),
)

type WireCooperativeChanges = Infer<typeof cooperativeChangesShape>

/** @param wire data that fits the shape */
export function readCooperativeChanges(wire: WireCooperativeChanges): CooperativeChanges {
  const { name, energy_category, share_price, share_value, published } = wire
  const optional = readOptionalFields(wire)
  const fields = Object.keys(optional) as (keyof typeof optional)[]
  const given = fields.filter((field) => wire[wireNames[field]] !== undefined)
  return {
    ...Object.fromEntries(given.map((field) => [field, optional[field]])),
    ...(name !== undefined && { name: name.trim() }),
    ...(energy_category !== undefined && { energyCategory: energy_category }),
    ...(share_price !== undefined && { sharePrice: readAmount(share_price) }),
    ...(share_value !== undefined && { shareValue: readAmount(share_value) }),
    ...(published != null && { published }),
  }
}

interface ReadDefinitionOptions {
  /** A stored cooperative keeps the values, projects and images that the definition leaves out. */
  readonly keepAbsent?: boolean | undefined
}

/** @param wire data that fits the shape */
export function readCooperativeDefinition(
  wire: WireCooperativeDefinition,
  { keepAbsent = false }: ReadDefinitionOptions = {},
): CooperativeDefinition {
  const sharePrice = readAmount(wire.share_price)
  return {
    key: wire.key,
    id: wire.id ?? undefined,
    published: wire.published ?? undefined,
    // Spaces around a text, or the line break after a YAML block, are never intended. Keys and
    // project names stay unchanged, because ids are derived from them.
    name: wire.name.trim(),
    energyCategory: wire.energy_category,
    sharePrice,
    shareValue: wire.share_value == null ? sharePrice : readAmount(wire.share_value),
    ...readOptionalFields(wire),
    creditor: wire.creditor && readCreditor(wire.creditor),
    images: readImages(wire),
    projects: (wire.projects ?? []).map((project) => readProjectDefinition(project, keepAbsent)),
    kept: keepAbsent ? keptFields.filter((field) => wire[wireNames[field]] === undefined) : [],
  }
}

/** The optional fields that have a value even if the definition leaves them out. */
function readOptionalFields(
  wire: Omit<WireCooperativeDefinition, 'key' | 'name' | 'energy_category' | 'share_price'>,
) {
  return {
    description: wire.description?.trim() ?? null,
    city: wire.city?.trim() ?? null,
    postalCode: wire.postal_code?.trim() ?? null,
    websiteUrl: wire.website_url ?? null,
    energyType: wire.energy_type?.trim() ?? null,
    entryFee: wire.entry_fee == null ? zeroMoney : readAmount(wire.entry_fee),
    minimumShares: wire.minimum_shares ?? 1,
    dividendType: wire.dividend_type ?? 'none',
    dividendRatePercent: readNumber(wire.dividend_rate_percent),
    bafaFunded: wire.bafa_funded ?? false,
    affiliation: wire.affiliation ?? 'independent',
    coordinates: wire.coordinates ? readCoordinates(wire.coordinates) : null,
  } as const
}

/** The optional fields of a definition. */
const wireNames = {
  description: 'description',
  city: 'city',
  postalCode: 'postal_code',
  websiteUrl: 'website_url',
  energyType: 'energy_type',
  shareValue: 'share_value',
  entryFee: 'entry_fee',
  minimumShares: 'minimum_shares',
  dividendType: 'dividend_type',
  dividendRatePercent: 'dividend_rate_percent',
  bafaFunded: 'bafa_funded',
  affiliation: 'affiliation',
  coordinates: 'coordinates',
  projects: 'projects',
  hasHeroImage: 'hero_image',
  hasCardImage: 'card_image',
  hasLogoImage: 'logo_image',
} as const satisfies Partial<Record<KeptField, keyof WireCooperativeDefinition>>

const keptFields = Object.keys(wireNames) as (keyof typeof wireNames)[]

function readCoordinates({ latitude, longitude }: Coordinates): Coordinates {
  return { latitude: withoutMinusZero(latitude), longitude: withoutMinusZero(longitude) }
}

function readNumber(value: number | null | undefined): number | null {
  return value == null ? null : withoutMinusZero(value)
}

/** Stores lose the sign of minus zero, so the same file would differ from what is stored. */
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

function readProjectDefinition(
  wire: WireProjectDefinition,
  keepAbsent: boolean,
): ProjectDefinition {
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
    keepsImage: keepAbsent && wire.image === undefined,
  }
}

/** Renders a definition that would create the same cooperative, without its images. */
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
    creditor: cooperative.creditor ? renderCreditor(cooperative.creditor) : null,
    projects: cooperative.projects.map(renderProjectDefinition),
  }
}

function renderCreditor({ name, creditorId, iban, noticeDays, leadDays }: CreditorTerms) {
  return {
    name,
    creditor_id: creditorId,
    iban,
    notice_days: noticeDays,
    lead_days: leadDays,
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

export function renderProjectDefinition(project: Project) {
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
