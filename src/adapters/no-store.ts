import { Problem } from '../domain/problem.ts'

/** @param place as it stands behind "in" */
export function noStore(place: string): Problem {
  return new Problem(
    'STORE_NOT_FOUND',
    `There is no store in ${place}. --data-dir or --database-url names another place; \`coopshare serve\` begins a new store.`,
  )
}
