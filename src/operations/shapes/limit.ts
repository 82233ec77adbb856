import { integer, max, min } from 'superstruct'
import { mostListed } from '../../domain/page.ts'

/** How many of a list at most. */
export function limit() {
  return max(min(integer(), 1), mostListed)
}
