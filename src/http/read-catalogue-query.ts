import type { H3Event } from 'h3'
import { catalogueSorts } from '../domain/cooperatives/catalogue.ts'
import { affiliations, dividendTypes } from '../domain/cooperatives/cooperative.ts'
import { type PriceBound, parsePriceBound } from '../domain/cooperatives/price-bound.ts'
import type { CatalogueFilters, CatalogueSearch } from '../domain/cooperatives/search-catalogue.ts'
import { countCharacters } from '../domain/count-characters.ts'
import { foldText } from '../domain/fold-text.ts'
import type { PageRequest } from '../domain/page.ts'
import {
  invalidParameter,
  readBoolean,
  readPageRequest,
  readParameter,
  readToken,
} from './query.ts'
import { readPlaceSearch } from './read-place-search.ts'

export interface CatalogueQuery {
  readonly search: CatalogueSearch
  readonly page: PageRequest
  readonly includeCoordinates: boolean
}

export function readCatalogueQuery(event: H3Event): CatalogueQuery {
  return {
    search: readPlaceSearch(event) ?? readFilterSearch(event),
    page: readPageRequest(event),
    includeCoordinates: readBoolean(event, 'include_coordinates') ?? false,
  }
}

function readFilterSearch(event: H3Event): CatalogueSearch {
  return {
    sort: readToken(event, 'sort', catalogueSorts) ?? catalogueSorts[0],
    filters: readFilters(event),
  }
}

function readFilters(event: H3Event): CatalogueFilters {
  return {
    words: foldText(readSearchText(event, 'q')) || undefined,
    city: foldText(readSearchText(event, 'city')) || undefined,
    bafaFunded: readBoolean(event, 'bafa_funded'),
    dividendType: readToken(event, 'dividend_type', dividendTypes),
    affiliation: readToken(event, 'affiliation', affiliations),
    minimumSharePrice: readPriceBound(event, 'min_share_price')?.ceiling,
    maximumSharePrice: readPriceBound(event, 'max_share_price')?.floor,
  }
}

// Nobody types more into a search box, and every word is looked for in every cooperative.
const maximumSearchLength = 200

function readSearchText(event: H3Event, name: string): string {
  const text = readParameter(event, name) ?? ''
  if (countCharacters(text) > maximumSearchLength) {
    throw invalidParameter(name, `has more than ${maximumSearchLength} characters`)
  }
  return text
}

function readPriceBound(event: H3Event, name: string): PriceBound | undefined {
  const text = readParameter(event, name)
  if (text === undefined) return undefined
  const bound = parsePriceBound(text)
  if (!bound) throw invalidParameter(name, 'has to be a decimal number')
  return bound
}
