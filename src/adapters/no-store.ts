import { Problem } from '../domain/problem.ts'

/** @param place as it stands behind "in" */
export function noStore(place: string): Problem {
  return new Problem(
    'NOT_FOUND',
    `There is no store in ${place}. \`coopshare serve\` makes one, and so do "organization create", "cooperative import" and "fixtures apply".`,
  )
}
