import type { Page, PageRequest } from '../page.ts'
import type { Catalogue, CatalogueEntry, CatalogueSort } from './catalogue.ts'
import type { Affiliation, Cooperative, Coordinates, DividendType } from './cooperative.ts'

/** Undefined filters match everything. */
export interface CatalogueFilters {
  /** Folded by `foldText`. All words must occur. */
  readonly words: string | undefined
  /** Folded by `foldText`. */
  readonly city: string | undefined
  readonly bafaFunded: boolean | undefined
  readonly dividendType: DividendType | undefined
  readonly affiliation: Affiliation | undefined
  /** Minor units, inclusive. */
  readonly minimumSharePrice: bigint | undefined
  readonly maximumSharePrice: bigint | undefined
}

/** A search by place sorts by distance and applies no filters (spec: GET /v1/cooperatives). */
export type CatalogueSearch =
  | { readonly sort: CatalogueSort; readonly filters: CatalogueFilters }
  | {
      readonly sort: 'distance_asc'
      readonly centre: Coordinates
      readonly radiusKm: number
    }

export interface CatalogueMatch {
  readonly cooperative: Cooperative
  /** Rounded to ten metres; undefined when the search was not by place. */
  readonly distanceKm: number | undefined
}

export function searchCatalogue(
  catalogue: Catalogue,
  search: CatalogueSearch,
  { page, size }: PageRequest,
): Page<CatalogueMatch> {
  const matches =
    search.sort === 'distance_asc' ? near(catalogue, search) : filtered(catalogue, search)
  const start = (page - 1) * size
  return { items: matches.slice(start, start + size), totalItems: matches.length }
}

type Near = Extract<CatalogueSearch, { sort: 'distance_asc' }>
type Filtered = Exclude<CatalogueSearch, Near>

function near(catalogue: Catalogue, { centre, radiusKm }: Near): CatalogueMatch[] {
  // The sort is stable, and the catalogue breaks ties by id.
  return catalogue.sorted.name_asc
    .flatMap(({ cooperative }) => {
      const { coordinates } = cooperative
      return coordinates ? [{ cooperative, exactKm: distanceKm(centre, coordinates) }] : []
    })
    .sort((left, right) => left.exactKm - right.exactKm)
    .map(({ cooperative, exactKm }) => ({ cooperative, distanceKm: toTenMetres(exactKm) }))
    .filter((match) => match.distanceKm <= radiusKm)
}

function filtered(catalogue: Catalogue, { sort, filters }: Filtered): CatalogueMatch[] {
  const words = filters.words?.split(' ') ?? []
  return catalogue.sorted[sort]
    .filter(
      (entry) =>
        isSelected(entry, filters) && words.every((word) => entry.searchText.includes(word)),
    )
    .map(({ cooperative }) => ({ cooperative, distanceKm: undefined }))
}

/** Whether all filters match, apart from the words. */
function isSelected(
  { cooperative, foldedCity, sharePrice }: CatalogueEntry,
  filters: CatalogueFilters,
): boolean {
  const { city, bafaFunded, dividendType, affiliation } = filters
  const { minimumSharePrice, maximumSharePrice } = filters
  return (
    (city === undefined || city === foldedCity) &&
    (bafaFunded === undefined || bafaFunded === cooperative.bafaFunded) &&
    (dividendType === undefined || dividendType === cooperative.dividendType) &&
    (affiliation === undefined || affiliation === cooperative.affiliation) &&
    (minimumSharePrice === undefined || sharePrice >= minimumSharePrice) &&
    (maximumSharePrice === undefined || sharePrice <= maximumSharePrice)
  )
}

const earthRadiusKm = 6371.0088

/** Great-circle distance in kilometres, by the haversine formula. */
export function distanceKm(from: Coordinates, to: Coordinates): number {
  const halfLatitude = Math.sin(radians(to.latitude - from.latitude) / 2)
  const halfLongitude = Math.sin(radians(to.longitude - from.longitude) / 2)
  const cosines = Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude))
  const square = halfLatitude ** 2 + cosines * halfLongitude ** 2
  // Rounding can make this slightly more than 1 for antipodes, and `asin` would return NaN.
  return 2 * earthRadiusKm * Math.asin(Math.sqrt(Math.min(1, square)))
}

/** Distances are shown and compared with a precision of ten metres, which is that of the coordinates. */
function toTenMetres(distanceKm: number): number {
  return Math.round(distanceKm * 100) / 100
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

/** The whole minor units around a price bound: `12.345` lies between 1234 and 1235. */
export interface PriceBound {
  readonly floor: bigint
  readonly ceiling: bigint
}

const boundForm = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i

/** The maximum number of digits; no price has as many. */
const maximumDigits = 60

/**
 * Returns undefined unless the text is a decimal number. Unlike a price, a bound may have any
 * number of decimals.
 */
export function parsePriceBound(text: string): PriceBound | undefined {
  const match = boundForm.exec(text)
  if (!match) return undefined
  const [, sign, whole = '', decimals = '', exponent = '0'] = match
  const digits = (whole + decimals).replace(/^0+/, '')
  // The number of digits that make whole minor units.
  const leading = digits.length - decimals.length + Number(exponent) + 2
  const { floor, ceiling } = digits === '' ? zeroBound : between(digits, leading)
  return sign === '-' ? { floor: -ceiling, ceiling: -floor } : { floor, ceiling }
}

const zeroBound: PriceBound = { floor: 0n, ceiling: 0n }

function between(digits: string, leading: number): PriceBound {
  if (leading <= 0) return { floor: 0n, ceiling: 1n }
  // Longer numbers exceed every price, so their remaining digits make no difference.
  const kept = digits.slice(0, maximumDigits)
  const length = Math.min(leading, maximumDigits)
  const floor = BigInt(kept.slice(0, length).padEnd(length, '0'))
  return /[1-9]/.test(digits.slice(length))
    ? { floor, ceiling: floor + 1n }
    : { floor, ceiling: floor }
}
