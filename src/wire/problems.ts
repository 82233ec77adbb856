import { Problem } from '../domain/problem.ts'

/**
 * Turns a name or path of the domain into that of the wire: `sepaMandate.signedAt` becomes
 * `sepa_mandate.signed_at`.
 */
export function toWirePath(path: string): string {
  return path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Turns a name or path of the wire into that of the domain. */
export function toDomainPath(path: string): string {
  return path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Renames the keys of an object, but not the keys of nested objects. */
export function renameKeys<Value>(object: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [toWirePath(key), value]))
}

/** A problem whose paths are already those that the caller sent. */
export class WireProblem extends Problem {}

/** Renames the paths of a problem, and those that its sentences name. */
export function toWireProblem(problem: Problem): Problem {
  const { errors, fields = [] } = problem.extra
  const paths = [...Object.keys(errors ?? {}), ...fields]
  if (paths.length === 0 || problem instanceof WireProblem) return problem
  // Longer paths come first, because a shorter one may be their beginning.
  const longestFirst = paths.toSorted((left, right) => right.length - left.length)
  const rename = (sentence: string) =>
    longestFirst.reduce((text, path) => text.replaceAll(path, toWirePath(path)), sentence)
  const renamed = Object.entries(errors ?? {}).map(([path, fault]) => [
    toWirePath(path),
    rename(fault),
  ])
  const extra = errors ? { ...problem.extra, errors: Object.fromEntries(renamed) } : problem.extra
  return new WireProblem(problem.code, rename(problem.message), extra)
}
