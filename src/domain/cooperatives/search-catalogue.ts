import type { Page, PageRequest } from '../page.ts'
import type { Catalogue, CatalogueEntry, CatalogueSort } from './catalogue.ts'
import type { Affiliation, Cooperative, Coordinates, DividendType } from './cooperative.ts'
import { distanceKm, toTenMetres } from './distance.ts'

/** What is undefined does not constrain. */
export interface CatalogueFilters {
  /** Folded by foldText. Each of its words has to be there. */
  readonly words: string | undefined
  /** Folded by foldText. */
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
  // The sort is stable, and the entries come in an order that the ids decide at last.
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
  const tests = testsOf(filters)
  return catalogue.sorted[sort]
    .filter((entry) => tests.every((test) => test(entry)))
    .map(({ cooperative }) => ({ cooperative, distanceKm: undefined }))
}

type Test = (entry: CatalogueEntry) => boolean

function testsOf(filters: CatalogueFilters): Test[] {
  const { words, city, bafaFunded, dividendType, affiliation } = filters
  const { minimumSharePrice, maximumSharePrice } = filters
  return [
    ...(words?.split(' ') ?? []).map<Test>(
      (word) =>
        ({ searchText }) =>
          searchText.includes(word),
    ),
    ...when(
      city,
      (value) =>
        ({ foldedCity }) =>
          foldedCity === value,
    ),
    ...when(
      bafaFunded,
      (value) =>
        ({ cooperative }) =>
          cooperative.bafaFunded === value,
    ),
    ...when(
      dividendType,
      (value) =>
        ({ cooperative }) =>
          cooperative.dividendType === value,
    ),
    ...when(
      affiliation,
      (value) =>
        ({ cooperative }) =>
          cooperative.affiliation === value,
    ),
    ...when(
      minimumSharePrice,
      (value) =>
        ({ sharePrice }) =>
          sharePrice >= value,
    ),
    ...when(
      maximumSharePrice,
      (value) =>
        ({ sharePrice }) =>
          sharePrice <= value,
    ),
  ]
}

function when<Value>(value: Value | undefined, test: (value: Value) => Test): Test[] {
  return value === undefined ? [] : [test(value)]
}
