import type { Timestamp } from './timestamp.ts'

/** spec: Limits. `page` counts from 1. */
export interface PageRequest {
  readonly page: number
  readonly size: number
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly totalItems: number
}

/** A page of a list, read with a cursor. */
export interface CursorPage {
  /** Id of the last record of the previous page. */
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

/** A page of the records of a period. */
export interface PageOfPeriod extends CursorPage {
  /** Inclusive lower bound of the time by which the list is sorted. */
  readonly since?: Timestamp | undefined
  /** Exclusive upper bound of that time. */
  readonly until?: Timestamp | undefined
}

/** The maximum limit of operators' lists: larger than any store, smaller than a 32-bit integer. */
export const maximumListLimit = 1_000_000_000

/** Searches and pages stop counting there, so that they take no longer in a larger store. */
export const maximumCounted = 1000

const defaultPageSize = 20
const maximumPageSize = 100

/** Out-of-range values are clamped, never rejected (spec: Limits); a page below 1 is the first one. */
export function pageRequest(page = 1, size = defaultPageSize): PageRequest {
  return {
    page: Math.max(1, page),
    size: Math.min(maximumPageSize, Math.max(1, size)),
  }
}

export function totalPages({ totalItems }: Page<unknown>, { size }: PageRequest): number {
  return Math.ceil(totalItems / size)
}
