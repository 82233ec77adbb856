import { Problem } from '../domain/problem.ts'

/** Nothing is wrong with it: this program is too old. @param what as it stands at the beginning of a sentence */
export function madeByNewer(what: string): Problem {
  return new Problem(
    'STORE_NEWER',
    `${what} was made by a newer coopshare. Use that one; nothing was changed.`,
  )
}

/** Of a number that says in which form something was written. */
export function isNewer(version: unknown, known: number): boolean {
  return typeof version === 'number' && version > known
}
