import type { H3Event } from 'h3'
import type { CatalogueSearch } from '../domain/cooperatives/search-catalogue.ts'
import { Problem } from '../domain/problem.ts'
import { readNumber, readParameter } from './query.ts'

// Spec gap: see DECISIONS.md, geo search.
const defaultRadiusKm = 50
const maximumRadiusKm = 1000

/** spec: GET /v1/cooperatives, rule 1. undefined when the request names no place. */
export function readPlaceSearch(event: H3Event): CatalogueSearch | undefined {
  const latitude = readNumber(event, 'near_lat')
  const longitude = readNumber(event, 'near_lng')
  const radiusKm = readNumber(event, 'radius_km')
  if (latitude === undefined && longitude === undefined && radiusKm === undefined) return undefined
  requireNothingBesides(event)
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
    throw unusable(`A search by place sorts by distance and does not honour ${sent.join(', ')}.`)
  }
}

function requireDegrees(name: string, degrees: number | undefined, limit: number): number {
  if (degrees === undefined) {
    throw unusable(`A search by place needs near_lat and near_lng, and ${name} is missing.`)
  }
  if (Math.abs(degrees) > limit) {
    throw unusable(`The parameter ${name} has to be between -${limit} and ${limit}.`)
  }
  return degrees
}

function requireRadius(radiusKm: number): number {
  if (radiusKm <= 0 || radiusKm > maximumRadiusKm) {
    throw unusable(
      `The parameter radius_km has to be greater than 0 and at most ${maximumRadiusKm}.`,
    )
  }
  return radiusKm
}

function unusable(detail: string): Problem {
  return new Problem('VALIDATION_ERROR', detail)
}
