import type { Coordinates } from './cooperative.ts'

const earthRadiusKm = 6371.0088

/** Along the surface of the earth, by the haversine formula. */
export function distanceKm(from: Coordinates, to: Coordinates): number {
  const halfLatitude = Math.sin(radians(to.latitude - from.latitude) / 2)
  const halfLongitude = Math.sin(radians(to.longitude - from.longitude) / 2)
  const cosines = Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude))
  const square = halfLatitude ** 2 + cosines * halfLongitude ** 2
  // Of opposite points rounding can make it a little more than 1, which has no arcsine.
  return 2 * earthRadiusKm * Math.asin(Math.sqrt(Math.min(1, square)))
}

/** As it is shown and compared: finer than ten metres would say more than a place on a map does. */
export function toTenMetres(distanceKm: number): number {
  return Math.round(distanceKm * 100) / 100
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
