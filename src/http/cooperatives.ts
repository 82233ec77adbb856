import { getRouterParam, type H3Event, type H3Plugin } from 'h3'
import { LRUCache } from 'lru-cache'
import {
  type Catalogue,
  catalogueSorts,
  requirePublishedCooperative,
} from '../domain/cooperatives/catalogue.ts'
import { affiliations, dividendTypes } from '../domain/cooperatives/cooperative.ts'
import {
  type CatalogueFilters,
  type CatalogueMatch,
  type CatalogueSearch,
  type PriceBound,
  parsePriceBound,
  searchCatalogue,
} from '../domain/cooperatives/search-catalogue.ts'
import type { PageRequest } from '../domain/page.ts'
import { Problem } from '../domain/problem.ts'
import { countCharacters, foldText } from '../domain/text.ts'
import { readCatalogue } from '../usecases/cooperatives/catalogue.ts'
import type { Service } from '../usecases/service.ts'
import { renderCooperativeDetail, renderCooperativeSummary } from '../wire/catalogue.ts'
import { renderPage } from '../wire/page.ts'
import { requireScope } from './access-control.ts'
import { type Representation, representationOf, sendCacheable } from './cacheable-response.ts'
import {
  invalidParameter,
  readBoolean,
  readEnum,
  readNumber,
  readPageRequest,
  readParameter,
} from './query.ts'

export function cooperativeRoutes(service: Service): H3Plugin {
  const { baseUrl } = service.settings
  const rendered = new RenderedCatalogue()
  return (app) => {
    app.get(
      '/v1/cooperatives',
      async (event) => {
        const catalogue = await readCatalogue(service)
        const page = rendered.read(catalogue, event.url.search, () =>
          renderCatalogue(catalogue, readCatalogueQuery(event), baseUrl),
        )
        return answer(event, page)
      },
      { middleware: [requireScope('cooperatives:read')] },
    )
    app.get(
      '/v1/cooperatives/:id',
      async (event) => {
        const catalogue = await readCatalogue(service)
        const cooperative = requirePublishedCooperative(
          catalogue,
          getRouterParam(event, 'id') ?? '',
        )
        const expandProjects = readExpand(event)
        const detail = rendered.read(catalogue, `${cooperative.id} ${expandProjects}`, () =>
          renderCooperativeDetail(cooperative, { baseUrl, expandProjects }),
        )
        return answer(event, detail)
      },
      { middleware: [requireScope('cooperatives:read', 'projects:read')] },
    )
  }
}

function renderCatalogue(catalogue: Catalogue, query: CatalogueQuery, baseUrl: string) {
  const { search, page } = query
  const found = searchCatalogue(catalogue, search, page)
  const render = (match: CatalogueMatch) => renderCooperativeSummary(match, { ...query, baseUrl })
  return { ...renderPage(found, page, render), sort: search.sort }
}

function readExpand(event: H3Event): boolean {
  const tokens = readParameter(event, 'expand')?.split(',') ?? []
  const unknown = tokens.find((token) => token !== 'projects')
  if (unknown === undefined) return tokens.length > 0
  throw new Problem('VALIDATION_ERROR', 'The parameter expand accepts only one value: projects.')
}

function answer(event: H3Event, rendered: Representation) {
  const contentType = 'application/json;charset=UTF-8'
  return sendCacheable(event, { ...rendered, contentType, cacheControl: 'private, max-age=300' })
}

/** Caches responses until the catalogue changes. */
export class RenderedCatalogue {
  readonly #rendered: LRUCache<string, Representation>
  #catalogue: Catalogue | undefined

  /** Callers can search for anything, so the cache is limited by size. */
  constructor(maximumBytes = 32 * 1024 * 1024) {
    this.#rendered = new LRUCache({
      maxSize: maximumBytes,
      sizeCalculation: ({ bytes }, key) => bytes.byteLength + 2 * key.length,
    })
  }

  /** @param key identifies everything that `render` depends on, apart from the catalogue */
  read(catalogue: Catalogue, key: string, render: () => unknown): Representation {
    this.#forgetOther(catalogue)
    const kept = this.#rendered.get(key)
    if (kept) return kept
    const rendered = representationOf(JSON.stringify(render()))
    this.#rendered.set(key, rendered)
    return rendered
  }

  #forgetOther(catalogue: Catalogue): void {
    if (this.#catalogue === catalogue) return
    this.#rendered.clear()
    this.#catalogue = catalogue
  }
}

interface CatalogueQuery {
  readonly search: CatalogueSearch
  readonly page: PageRequest
  readonly includeCoordinates: boolean
}

function readCatalogueQuery(event: H3Event): CatalogueQuery {
  return {
    search: readPlaceSearch(event) ?? readFilterSearch(event),
    page: readPageRequest(event),
    includeCoordinates: readBoolean(event, 'include_coordinates') ?? false,
  }
}

function readFilterSearch(event: H3Event): CatalogueSearch {
  return {
    sort: readEnum(event, 'sort', catalogueSorts) ?? catalogueSorts[0],
    filters: readFilters(event),
  }
}

function readFilters(event: H3Event): CatalogueFilters {
  return {
    words: foldText(readSearchText(event, 'q')) || undefined,
    city: foldText(readSearchText(event, 'city')) || undefined,
    bafaFunded: readBoolean(event, 'bafa_funded'),
    dividendType: readEnum(event, 'dividend_type', dividendTypes),
    affiliation: readEnum(event, 'affiliation', affiliations),
    minimumSharePrice: readPriceBound(event, 'min_share_price')?.ceiling,
    maximumSharePrice: readPriceBound(event, 'max_share_price')?.floor,
  }
}

// Longer than any real search, and short enough to compare each word with each cooperative.
const maximumSearchLength = 200

function readSearchText(event: H3Event, name: string): string {
  const text = readParameter(event, name) ?? ''
  if (countCharacters(text) > maximumSearchLength) {
    throw invalidParameter(name, `must have at most ${maximumSearchLength} characters`)
  }
  return text
}

function readPriceBound(event: H3Event, name: string): PriceBound | undefined {
  const text = readParameter(event, name)
  if (text === undefined) return undefined
  const bound = parsePriceBound(text)
  if (!bound) throw invalidParameter(name, 'must be a decimal number')
  return bound
}

// Spec gap: see docs/partners/details.md.
const defaultRadiusKm = 50
const maximumRadiusKm = 1000

/** spec: GET /v1/cooperatives, rule 1. Returns undefined unless the request names a place. */
function readPlaceSearch(event: H3Event): CatalogueSearch | undefined {
  const latitude = readNumber(event, 'near_lat')
  const longitude = readNumber(event, 'near_lng')
  const radiusKm = readNumber(event, 'radius_km')
  if (latitude === undefined && longitude === undefined && radiusKm === undefined) return undefined
  requireNothingBesides(event)
  if (latitude === undefined && longitude === undefined) {
    throw unusable('A search by place needs near_lat and near_lng, but both are missing.')
  }
  const centre = {
    latitude: requireDegrees('near_lat', latitude, 90),
    longitude: requireDegrees('near_lng', longitude, 180),
  }
  return { sort: 'distance_asc', centre, radiusKm: requireRadius(radiusKm ?? defaultRadiusKm) }
}

const notWithPlace = [
  'q',
  'city',
  'bafa_funded',
  'dividend_type',
  'min_share_price',
  'max_share_price',
  'affiliation',
  'sort',
]

function requireNothingBesides(event: H3Event): void {
  const sent = notWithPlace.filter((name) => readParameter(event, name) !== undefined)
  if (sent.length > 0) {
    throw unusable(
      `A search by place sorts by distance and cannot be combined with ${sent.join(', ')}.`,
    )
  }
}

function requireDegrees(name: string, degrees: number | undefined, limit: number): number {
  if (degrees === undefined) {
    throw unusable(`A search by place needs near_lat and near_lng, but ${name} is missing.`)
  }
  if (Math.abs(degrees) > limit) {
    throw unusable(`The parameter ${name} must be between -${limit} and ${limit}.`)
  }
  return degrees
}

function requireRadius(radiusKm: number): number {
  if (radiusKm <= 0 || radiusKm > maximumRadiusKm) {
    throw unusable(`The parameter radius_km must be greater than 0 and at most ${maximumRadiusKm}.`)
  }
  return radiusKm
}

function unusable(detail: string): Problem {
  return new Problem('VALIDATION_ERROR', detail)
}
