// Refusals of stores that are not damaged.
import { Problem } from '../domain/problem.ts'
import type { StoreMove } from '../ports/store-admin.ts'

/** @param place follows the word "in" */
export function noStore(place: string): Problem {
  return new Problem(
    'STORE_NOT_FOUND',
    `There is no store in ${place}. Name another place with --data-dir or --database-url, or create a store with \`coopshare serve\`.`,
  )
}

/** Refuses a store that has moved elsewhere. */
export function requireNotMoved(moved: StoreMove | null | undefined): void {
  if (!moved) return
  const { to, at } = moved
  throw new Problem(
    'STORE_MOVED',
    `This store was moved to ${to} at ${at}. Use the store there. This store lacks what has been written there since then; to use it nevertheless, run \`coopshare store reopen --yes\` on it.`,
  )
}

/** @param what begins the sentence */
export function madeByNewer(what: string): Problem {
  return new Problem(
    'STORE_NEWER',
    `${what} was made by a newer coopshare. Use that version; nothing was changed.`,
  )
}

/** The format of a file according to its first line. */
export interface FileFormat {
  readonly format?: string
  readonly version?: number
}

/** Whether this program can read the format. Refuses a newer version of the same format. */
export function isKnownFormat(
  { format, version = 0 }: FileFormat,
  known: { readonly format: string; readonly version: number },
  what: string,
): boolean {
  if (format !== known.format) return false
  if (version > known.version) throw madeByNewer(what)
  return Number.isInteger(version) && version >= 1
}
